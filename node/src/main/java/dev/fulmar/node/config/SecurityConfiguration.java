package dev.fulmar.node.config;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.audit.AuditFile;
import dev.fulmar.node.server.PostgresAddress;
import dev.fulmar.node.server.ServerConfiguration;
import dev.fulmar.node.tls.ClientCertificates;
import dev.fulmar.node.tls.TlsFiles;
import dev.fulmar.wire.address.HostAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Authentication of clients, and encryption of connections. On by default unless the node listens on loopback only.
 *
 * @param authentication {@code authentication}: whether clients must log in
 * @param tls {@code tls.certificate}, {@code tls.key} and {@code tls.client-authorities}; empty for connections that
 *     are not encrypted
 * @param clientCertificates {@code tls.client-certificates}: whether clients show certificates too
 * @param administrator {@code security.administrator}: file with {@code NAME:PASSWORD} of the first user, if there is
 *     nobody with ADMIN yet
 * @param audit {@code audit}: file of the audit log; {@code audit.log} in the data directory by default; empty for the
 *     node's own log
 */
public record SecurityConfiguration(
        boolean authentication,
        Optional<TlsFiles> tls,
        ClientCertificates clientCertificates,
        Optional<Path> administrator,
        Optional<Path> audit) {
    static SecurityConfiguration of(Settings settings, ServerConfiguration server, Optional<PostgresAddress> postgres) {
        HostAddress listen = Stream.concat(
                        server.administration().stream(), postgres.map(PostgresAddress::address).stream())
                .filter(address -> !isLoopback(address.host()))
                .findFirst()
                .orElse(server.address());
        boolean loopback = isLoopback(listen.host());
        boolean insecure = settings.truth("insecure", false);
        boolean authentication = settings.truth("authentication", !loopback && !insecure);
        Optional<TlsFiles> tls = tls(settings);
        if (!loopback && !insecure && (!authentication || tls.isEmpty())) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the node would listen at " + listen + ", which others can reach, without "
                            + (tls.isEmpty() ? "TLS" : "asking for users")
                            + "; give --tls-certificate and --tls-key and leave authentication on, or listen on 127.0.0.1,"
                            + " or say --insecure if everybody who can reach it may do everything");
        }
        String data = settings.text("data", "");
        return new SecurityConfiguration(
                authentication,
                tls,
                clientCertificates(settings, tls),
                path(settings, "security.administrator", ""),
                path(
                        settings,
                        "audit",
                        data.isEmpty() ? "" : Path.of(data, AuditFile.NAME).toString()));
    }

    static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static Optional<TlsFiles> tls(Settings settings) {
        Optional<Path> certificate = path(settings, "tls.certificate", "");
        Optional<Path> key = path(settings, "tls.key", "");
        Optional<Path> authorities = path(settings, "tls.client-authorities", "");
        if (certificate.isPresent() != key.isPresent()) {
            throw Settings.refused(
                    "tls.certificate",
                    String.valueOf(certificate.orElse(null)),
                    "both tls.certificate and tls.key",
                    null);
        }
        return certificate.map(file -> new TlsFiles(file, key.orElseThrow(), authorities));
    }

    private static ClientCertificates clientCertificates(Settings settings, Optional<TlsFiles> tls) {
        boolean authorities = tls.flatMap(TlsFiles::authorities).isPresent();
        String text = settings.text("tls.client-certificates", authorities ? "required" : "none");
        ClientCertificates certificates = switch (text.toLowerCase(Locale.ROOT)) {
            case "none" -> ClientCertificates.NONE;
            case "optional" -> ClientCertificates.OPTIONAL;
            case "required" -> ClientCertificates.REQUIRED;
            default -> throw Settings.refused("tls.client-certificates", text, "none, optional or required", null);
        };
        if (certificates != ClientCertificates.NONE && !authorities) {
            throw Settings.refused(
                    "tls.client-certificates", text, "none, or name tls.client-authorities and tls.certificate", null);
        }
        return certificates;
    }

    private static Optional<Path> path(Settings settings, String name, String defaultValue) {
        String text = settings.text(name, defaultValue);
        return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
    }
}
