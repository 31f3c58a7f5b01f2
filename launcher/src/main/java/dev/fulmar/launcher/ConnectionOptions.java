package dev.fulmar.launcher;

import dev.fulmar.client.Builder;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options of a connection: the server's address, the user, and the encryption. A password is never an argument, for
 * every user of the machine can read those.
 */
final class ConnectionOptions {
    private static final String DEFAULT_HOST = "127.0.0.1";

    @Option(
            names = "--host",
            split = ",",
            paramLabel = "HOST[:PORT]",
            description = "Servers to connect to, with commas between; default: 127.0.0.1 at the default port.")
    private List<String> hosts = List.of();

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description =
                    "User to log in as; default: $FULMAR_USER, else none. The password comes from --password-file,"
                            + " $FULMAR_PASSWORD or $FULMAR_PASSWORD_FILE, or is asked for.")
    private @Nullable String user;

    @Option(names = "--password-file", paramLabel = "FILE", description = "File whose first line is the password.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--tls",
            description = "Encrypt the connection; the server's certificate must be one that this Java trusts.")
    private boolean tls;

    @Option(
            names = "--tls-trust",
            paramLabel = "FILE",
            description =
                    "Encrypt the connection; PEM file of the certificates that the server's must come from. Default:"
                            + " $FULMAR_TLS_TRUST.")
    private @Nullable Path trust;

    @Option(names = "--tls-certificate", paramLabel = "FILE", description = "PEM file of this client's certificate.")
    private @Nullable Path certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "PEM file of its private key, in PKCS#8.")
    private @Nullable Path key;

    @Option(
            names = "--tls-any-host",
            description =
                    "Take a certificate that is for another host name. Then any server of the authority can pose as this one.")
    private boolean anyHost;

    boolean isGiven() {
        return !hosts.isEmpty();
    }

    /** Those that were named, or the default. */
    List<String> hosts() {
        return hosts.isEmpty() ? List.of(DEFAULT_HOST) : List.copyOf(hosts);
    }

    FulmarClient connect(int maxOutstanding) {
        return builder(System.getenv()).maxOutstanding(maxOutstanding).connect();
    }

    Builder builder(Map<String, String> environment) {
        Builder builder = FulmarClient.builder().hosts(hosts.isEmpty() ? List.of(DEFAULT_HOST) : hosts);
        String name = user != null ? user : environment.getOrDefault("FULMAR_USER", "");
        if (!name.isEmpty()) {
            builder.user(name, password(name, environment));
        }
        String authority = environment.getOrDefault("FULMAR_TLS_TRUST", "");
        if (trust != null) {
            builder.tls(trust);
        } else if (!authority.isEmpty()) {
            builder.tls(Path.of(authority));
        } else if (tls) {
            builder.tls();
        }
        if (certificate != null && key != null) {
            builder.tlsCertificate(certificate, key);
        }
        return builder.verifyHostNames(!anyHost);
    }

    private String password(String name, Map<String, String> environment) {
        if (passwordFile != null) {
            return firstLine(passwordFile);
        }
        String given = environment.get("FULMAR_PASSWORD");
        if (given != null) {
            return given;
        }
        String file = environment.get("FULMAR_PASSWORD_FILE");
        if (file != null) {
            return firstLine(Path.of(file));
        }
        Console console = System.console();
        char[] typed = console == null ? null : console.readPassword("password of %s: ", name);
        if (typed == null) {
            throw new FulmarException(
                    ErrorCode.AUTHENTICATION_FAILED,
                    "there is no password for user " + name
                            + "; give --password-file, or set FULMAR_PASSWORD or FULMAR_PASSWORD_FILE");
        }
        return new String(typed);
    }

    private static String firstLine(Path file) {
        try {
            return Files.readString(file).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the password cannot be read from " + file + " (" + e + "); check path and permissions",
                    e);
        }
    }
}
