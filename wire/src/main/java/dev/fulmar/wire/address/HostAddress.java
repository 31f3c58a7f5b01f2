package dev.fulmar.wire.address;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Host name or literal address, and port, as people write them: {@code host}, {@code host:port} or
 * {@code [v6-address]:port}.
 */
public record HostAddress(String host, int port) {
    /** Port at which a node accepts clients by default. */
    public static final int DEFAULT_PORT = 7420;

    private static final int MAX_PORT = 65_535;

    public HostAddress {
        if (host.isEmpty() || port < 0 || port > MAX_PORT) {
            throw malformed(host + ":" + port);
        }
    }

    /** Reads an address; without a port it gets the default one. */
    public static HostAddress parse(String text) {
        return parse(text, DEFAULT_PORT);
    }

    /** The same with another port where the text has none. */
    public static HostAddress parse(String text, int defaultPort) {
        String trimmed = text.trim();
        if (trimmed.startsWith("[")) {
            int end = trimmed.indexOf(']');
            if (end < 0) {
                throw malformed(text);
            }
            String rest = trimmed.substring(end + 1);
            String host = trimmed.substring(1, end);
            if (rest.isEmpty()) {
                return new HostAddress(host, defaultPort);
            }
            if (rest.charAt(0) != ':') {
                throw malformed(text);
            }
            return new HostAddress(host, parsePort(rest.substring(1), text));
        }
        int colon = trimmed.indexOf(':');
        if (colon < 0 || trimmed.indexOf(':', colon + 1) >= 0) {
            return new HostAddress(trimmed, defaultPort);
        }
        return new HostAddress(trimmed.substring(0, colon), parsePort(trimmed.substring(colon + 1), text));
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    private static int parsePort(String digits, String whole) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            throw malformed(whole, e);
        }
    }

    private static FulmarException malformed(String text) {
        return new FulmarException(ErrorCode.INVALID_CONFIGURATION, explanation(text));
    }

    private static FulmarException malformed(String text, Throwable cause) {
        return new FulmarException(ErrorCode.INVALID_CONFIGURATION, explanation(text), cause);
    }

    private static String explanation(String text) {
        return "'" + text + "' is no address; write host, host:port or [address]:port";
    }
}
