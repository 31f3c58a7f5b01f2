package dev.fulmar.node.server;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.scram.ChannelBinding;
import dev.fulmar.postgres.dialect.NameFolding;
import dev.fulmar.wire.postgres.authentication.SaslAuthentication;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Log-in of one client of PostgreSQL's protocol, behind its requests for encryption. On the event loop. */
final class PostgresLogin {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int NONCE_BYTES = 24;

    /** Parameters of the first message that are no settings. */
    private static final List<String> OWN = List.of("user", "database", "options", "replication");

    private static final String PROTOCOL_OPTION = "_pq_.";

    /** Step of the connection that a message of the log-in leads to. */
    sealed interface Result {
        /** The server sends the messages, and waits for the client's next one. */
        record Say(List<BackendMessage> messages) implements Result {
            public Say {
                messages = List.copyOf(messages);
            }
        }

        /**
         * The client is in.
         *
         * @param messages before AuthenticationOk
         * @param settings that it begins with, by name
         */
        record Entered(
                List<BackendMessage> messages,
                String user,
                String database,
                Caller caller,
                Map<String, String> settings)
                implements Result {
            public Entered {
                messages = List.copyOf(messages);
                settings = Map.copyOf(settings);
            }
        }

        /** There is no place for the client: the connection ends at once. */
        record Refused(FulmarException reason) implements Result {}

        /**
         * User or password is wrong: the connection ends.
         *
         * @param delayNanos after which the client hears of it
         */
        record Failed(FulmarException reason, long delayNanos) implements Result {}
    }

    private final Entrance entrance;
    private final @Nullable UserDirectory users;
    private final Supplier<@Nullable ChannelBinding> binding;
    private final List<BackendMessage> first = new ArrayList<>();
    private final Map<String, String> settings = new TreeMap<>();
    private String user = "";
    private String database = "";
    private boolean hasStarted;
    private @Nullable SaslAuthentication authentication;

    /** @param binding of the connection's TLS; null for none */
    PostgresLogin(Entrance entrance, @Nullable UserDirectory users, Supplier<@Nullable ChannelBinding> binding) {
        this.entrance = entrance;
        this.users = users;
        this.binding = binding;
    }

    /** The client's first message. */
    Result start(FrontendMessage.StartupMessage message) {
        if (hasStarted) {
            throw malformed("a second start-up message came");
        }
        hasStarted = true;
        if (message.majorVersion() != FrontendMessage.StartupMessage.VERSION_3_0 >>> 16) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "unsupported frontend protocol " + message.majorVersion() + "." + message.minorVersion()
                            + ": the server supports 3.0; use a driver that speaks it");
        }
        read(message);
        UserDirectory directory = users;
        if (directory == null) {
            return entered(List.of());
        }
        if (directory.isEmpty()) {
            throw new FulmarException(
                    ErrorCode.NOT_CONNECTED,
                    "the node has no users yet, as one that has not joined its cluster; wait, or connect to another node");
        }
        SaslAuthentication begun = new SaslAuthentication(binding.get(), directory.verifierOrDecoy(user), nonce());
        authentication = begun;
        first.add(begun.offer());
        return new Result.Say(first);
    }

    private void read(FrontendMessage.StartupMessage message) {
        List<String> options = new ArrayList<>();
        message.parameters().forEach((name, value) -> {
            if (name.startsWith(PROTOCOL_OPTION)) {
                options.add(name);
            } else if (!OWN.contains(name)) {
                settings.put(name, value);
            }
        });
        if (message.minorVersion() > 0 || !options.isEmpty()) {
            first.add(new BackendMessage.NegotiateProtocolVersion(FrontendMessage.StartupMessage.VERSION_3_0, options));
        }
        user = message.parameters().getOrDefault("user", "");
        database = message.parameters().getOrDefault("database", user);
        settings.putAll(options(message.parameters().getOrDefault("options", "")));
        if (user.isEmpty()) {
            throw new FulmarException(
                    ErrorCode.AUTHENTICATION_FAILED, "no PostgreSQL user name specified in startup packet; name one");
        }
        String replication = message.parameters().getOrDefault("replication", "false");
        if (!List.of("false", "off", "no", "0").contains(replication)) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED, "PostgreSQL's replication is not served; connect without it");
        }
    }

    /** The words of a command line; a backslash makes the character behind it a part of a word. */
    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '\\' && i + 1 < text.length()) {
                word.append(text.charAt(++i));
            } else if (!Character.isWhitespace(character)) {
                word.append(character);
            } else if (!word.isEmpty()) {
                words.add(word.toString());
                word.setLength(0);
            }
        }
        if (!word.isEmpty()) {
            words.add(word.toString());
        }
        return words;
    }

    /** Settings of a command line: {@code -c name=value} and {@code --name=value}. */
    private static Map<String, String> options(String text) {
        Map<String, String> settings = new TreeMap<>();
        List<String> words = words(text);
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("-c") && i + 1 < words.size()) {
                word = words.get(++i);
            } else if (word.startsWith("-c") || word.startsWith("--")) {
                word = word.substring(2);
            } else {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED, "the option " + word + " is not known; -c name=value makes a setting");
            }
            int equals = word.indexOf('=');
            if (equals > 0) {
                settings.put(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        return settings;
    }

    /** A message of the authentication. */
    Result respond(FrontendMessage.AuthenticationResponse response) {
        SaslAuthentication begun = authentication;
        if (begun == null) {
            throw malformed("a password came before it was asked for");
        }
        return switch (begun.respond(response)) {
            case SaslAuthentication.Challenge(var message) -> new Result.Say(List.of(message));
            case SaslAuthentication.Accepted(var message) -> entered(List.of(message));
            case SaslAuthentication.Rejected() -> {
                Entrance.Failure failure = entrance.fail(user);
                yield new Result.Failed(failure.reason(), failure.delayNanos());
            }
        };
    }

    private Result entered(List<BackendMessage> last) {
        String client = settings.getOrDefault("application_name", "");
        boolean isAuthenticated = authentication != null;
        return switch (entrance.enter(isAuthenticated ? user : "", isAuthenticated, client)) {
            case Entrance.Result.Refused(FulmarException reason) -> new Result.Refused(reason);
            case Entrance.Result.Entered(String name, Caller caller) ->
                new Result.Entered(
                        isAuthenticated ? last : first,
                        name.isEmpty() ? user : NameFolding.mirrored(name),
                        database,
                        caller,
                        settings);
        };
    }

    static FulmarException malformed(String what) {
        return new FulmarException(ErrorCode.MALFORMED_REQUEST, what + "; the connection is closed");
    }

    private static String nonce() {
        byte[] bytes = new byte[NONCE_BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getEncoder().withoutPadding().encodeToString(bytes);
    }
}
