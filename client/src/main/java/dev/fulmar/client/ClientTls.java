package dev.fulmar.client;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a client's connections.
 *
 * @param authorities PEM file of the certificates that a server's has to come from; null for those that this Java
 *     trusts
 * @param certificate PEM file of the client's own certificate, null for none
 * @param key PEM file of its private key
 * @param verifyHostNames whether a server's certificate must be for the host that was connected to
 */
record ClientTls(
        @Nullable Path authorities,
        @Nullable Path certificate,
        @Nullable Path key,
        boolean verifyHostNames) {
    SslContext context() {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient()
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .endpointIdentificationAlgorithm(verifyHostNames ? "HTTPS" : null);
            if (authorities != null) {
                builder.trustManager(authorities.toFile());
            }
            if (certificate != null && key != null) {
                builder.keyManager(certificate.toFile(), key.toFile());
            }
            return builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the client's certificates cannot be used (" + e.getMessage()
                            + "); give PEM files, the key in PKCS#8 without password",
                    e);
        }
    }
}
