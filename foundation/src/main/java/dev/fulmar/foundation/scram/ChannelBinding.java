package dev.fulmar.foundation.scram;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
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
