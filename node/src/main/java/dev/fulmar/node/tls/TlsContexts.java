package dev.fulmar.node.tls;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.nio.file.Path;
import javax.net.ssl.SSLException;

/**
 * Makes the contexts of TLS for clients of this node and for links between nodes. On links both sides show a
 * certificate of the cluster's own authority.
 */
public final class TlsContexts {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private TlsContexts() {}

    /** For connections that clients open. */
    public static SslContext forClients(TlsFiles files, ClientCertificates clientCertificates) {
        return build(
                files,
                server(files)
                        .clientAuth(
                                switch (clientCertificates) {
                                    case NONE -> ClientAuth.NONE;
                                    case OPTIONAL -> ClientAuth.OPTIONAL;
                                    case REQUIRED -> ClientAuth.REQUIRE;
                                }));
    }

    /** For links that other nodes open. */
    public static SslContext forAcceptedLinks(TlsFiles files) {
        requireAuthorities(files);
        return build(files, server(files).clientAuth(ClientAuth.REQUIRE));
    }

    /** For links that this node opens; the other node's certificate must be for the host that was connected to. */
    public static SslContext forOpenedLinks(TlsFiles files) {
        requireAuthorities(files);
        return build(
                files,
                SslContextBuilder.forClient()
                        .keyManager(files.certificate().toFile(), files.key().toFile())
                        .endpointIdentificationAlgorithm("HTTPS"));
    }

    private static SslContextBuilder server(TlsFiles files) {
        try {
            return SslContextBuilder.forServer(
                    files.certificate().toFile(), files.key().toFile());
        } catch (IllegalArgumentException e) {
            throw unusable(files, e);
        }
    }

    private static SslContext build(TlsFiles files, SslContextBuilder builder) {
        try {
            files.authorities().map(Path::toFile).ifPresent(builder::trustManager);
            return builder.sslProvider(SslProvider.JDK).protocols(PROTOCOLS).build();
        } catch (SSLException | IllegalArgumentException e) {
            throw unusable(files, e);
        }
    }

    private static void requireAuthorities(TlsFiles files) {
        if (files.authorities().isEmpty()) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "links between nodes need the authority that all nodes' certificates come from; name its PEM file");
        }
    }

    private static FulmarException unusable(TlsFiles files, Exception cause) {
        return new FulmarException(
                ErrorCode.INVALID_CONFIGURATION,
                "the certificate " + files.certificate() + " with the key " + files.key() + " cannot be used ("
                        + cause.getMessage() + "); give PEM files, the key in PKCS#8 without password",
                cause);
    }
}
