package dev.fulmar.node.config;

import dev.fulmar.node.data.OwnerOnly;
import dev.fulmar.wire.address.HostAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Configuration of the endpoint from which Prometheus reads the node's figures.
 *
 * @param listen {@code metrics.listen}
 * @param token {@code metrics.token-file}: the file's first line, which a reader must show; empty for nobody who
 *     reaches only this machine's loopback
 */
public record MetricsConfiguration(HostAddress listen, String token) {
    private static final String TOKEN_FILE = "metrics.token-file";

    static Optional<MetricsConfiguration> of(Settings settings) {
        String listen = settings.text("metrics.listen", "");
        String file = settings.text(TOKEN_FILE, "");
        boolean insecure = settings.truth("insecure", false);
        boolean hasTls = !settings.text("tls.certificate", "").isEmpty();
        if (listen.isEmpty()) {
            return Optional.empty();
        }
        HostAddress address = HostAddress.parse(listen);
        if (!SecurityConfiguration.isLoopback(address.host()) && !insecure && (file.isEmpty() || !hasTls)) {
            throw Settings.refused(
                    "metrics.listen",
                    listen,
                    "an address of loopback, or give metrics.token-file and tls.certificate, or say --insecure",
                    null);
        }
        return Optional.of(new MetricsConfiguration(address, file.isEmpty() ? "" : token(file)));
    }

    private static String token(String file) {
        Path path = Path.of(file);
        try {
            if (OwnerOnly.isOpenToOthers(path)) {
                throw Settings.refused(TOKEN_FILE, file, "a file that only its owner may read (chmod 600)", null);
            }
            String token = Files.readString(path).lines().findFirst().orElse("").strip();
            if (token.isEmpty()) {
                throw Settings.refused(TOKEN_FILE, file, "a file whose first line is the token", null);
            }
            return token;
        } catch (IOException e) {
            throw Settings.refused(TOKEN_FILE, file, "a file that can be read", e);
        }
    }

    /** Without the token, which must not come into logs. */
    @Override
    public String toString() {
        return "figures at " + listen;
    }
}
