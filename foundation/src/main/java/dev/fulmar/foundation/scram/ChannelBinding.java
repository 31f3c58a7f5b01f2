package dev.fulmar.foundation.scram;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.security.spec.PSSParameterSpec;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLKeyException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Channel binding of a proof, which makes the proof worthless on another connection. It is the keys of a TLS connection
 * (RFC 9266), or nothing where there is no TLS. Each side derives it by itself.
 */
public final class ChannelBinding {
    private static final String EXPORTER_LABEL = "EXPORTER-Channel-Binding";
    private static final int EXPORTED_BYTES = 32;
    private static final ChannelBinding NONE = new ChannelBinding("n,,", new byte[0]);

    private final String header;
    private final byte[] data;

    private ChannelBinding(String header, byte[] data) {
        this.header = header;
        this.data = data;
    }

    /** A connection without TLS. */
    public static ChannelBinding none() {
        return NONE;
    }

    /** A connection with TLS whose handshake is over. */
    public static ChannelBinding of(SSLSession session) {
        try {
            if (session instanceof ExtendedSSLSession extended) {
                return exported(extended.exportKeyingMaterialData(EXPORTER_LABEL, new byte[0], EXPORTED_BYTES));
            }
        } catch (SSLKeyException | UnsupportedOperationException | IllegalStateException e) {
            throw unbound(e);
        }
        throw unbound(null);
    }

    static ChannelBinding exported(byte[] keyMaterial) {
        return new ChannelBinding("p=tls-exporter,,", keyMaterial.clone());
    }

    /**
     * The certificate with which the server of a TLS connection shows itself (RFC 5929, tls-server-end-point). It is
     * empty if the certificate's signature names no hash, as that of Ed25519 does not.
     */
    public static Optional<ChannelBinding> ofServer(X509Certificate certificate) {
        Optional<String> algorithm = hashOf(certificate);
        if (algorithm.isEmpty()) {
            return Optional.empty();
        }
        try {
            byte[] hash = MessageDigest.getInstance(algorithm.get()).digest(certificate.getEncoded());
            return Optional.of(serverHash(hash));
        } catch (GeneralSecurityException e) {
            throw new FulmarException(
                    ErrorCode.AUTHENTICATION_FAILED,
                    "the node's certificate cannot be hashed to bind a password's proof to it; use one that is signed "
                            + "with SHA-256",
                    e);
        }
    }

    static ChannelBinding serverHash(byte[] hash) {
        return new ChannelBinding("p=tls-server-end-point,,", hash.clone());
    }

    private static Optional<String> hashOf(X509Certificate certificate) {
        String signature = certificate.getSigAlgName().toUpperCase(Locale.ROOT);
        int with = signature.indexOf("WITH");
        if (with > 0) {
            String hash = signature.substring(0, with);
            return Optional.of(
                    switch (hash) {
                        case "MD2", "MD5", "SHA1" -> "SHA-256"; // too weak by themselves, as the standard says
                        case "SHA224", "SHA256", "SHA384", "SHA512" -> "SHA-" + hash.substring("SHA".length());
                        default -> hash;
                    });
        }
        return signature.equals("RSASSA-PSS") ? pssHash(certificate) : Optional.empty();
    }

    private static Optional<String> pssHash(X509Certificate certificate) {
        try {
            AlgorithmParameters parameters = AlgorithmParameters.getInstance("RSASSA-PSS");
            parameters.init(certificate.getSigAlgParams());
            String hash = parameters.getParameterSpec(PSSParameterSpec.class).getDigestAlgorithm();
            return Optional.of(hash.equals("SHA-1") ? "SHA-256" : hash);
        } catch (GeneralSecurityException | IOException e) {
            return Optional.empty();
        }
    }

    private static FulmarException unbound(@Nullable Throwable cause) {
        return new FulmarException(
                ErrorCode.AUTHENTICATION_FAILED,
                "this TLS connection exports no key material to bind a password's proof to; use TLS 1.3 of a current Java",
                cause);
    }

    String header() {
        return header;
    }

    /** The value of the attribute {@code c}. */
    String attribute() {
        byte[] start = header.getBytes(StandardCharsets.US_ASCII);
        byte[] whole = new byte[start.length + data.length];
        System.arraycopy(start, 0, whole, 0, start.length);
        System.arraycopy(data, 0, whole, start.length, data.length);
        return ScramText.encoded(whole);
    }
}
