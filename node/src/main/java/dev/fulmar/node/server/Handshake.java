package dev.fulmar.node.server;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.scram.ChannelBinding;
import dev.fulmar.foundation.scram.ScramServer;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.proto.Hello;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of the handshake before the Welcome. The messages are Hello and, where users are authenticated, the
 * two of SCRAM-SHA-256, in this order. Anything else fails. On the connection's event loop.
 */
final class Handshake {
    /** Mechanism that the server names to a client that must authenticate. */
    static final String MECHANISM = "SCRAM-SHA-256";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int NONCE_BYTES = 18;

    /** Next step of the handshake after a message. */
    sealed interface Step {
        /** Tell the client this and wait for its next message. */
        record Say(String text) implements Step {}

        /**
         * The client is in.
         *
         * @param text what to tell it before the Welcome; empty for nothing
         * @param user who it is; empty if it was not asked
         */
        record Enter(Hello hello, String text, String user) implements Step {}

        /** The proof is wrong. */
        record Refuse(String user) implements Step {}
    }

    private enum Expected {
        HELLO,
        FIRST,
        LAST,
        NOTHING
    }

    private final @Nullable UserDirectory users;
    private final Supplier<ChannelBinding> binding;
    private Expected expected = Expected.HELLO;
    private @Nullable Hello hello;
    private @Nullable ScramServer scram;

    /** @param binding of the connection, asked for once it is encrypted if it ever is */
    Handshake(@Nullable UserDirectory users, Supplier<ChannelBinding> binding) {
        this.users = users;
        this.binding = binding;
    }

    Step hello(Hello message) {
        if (expected != Expected.HELLO) {
            throw Messages.malformed("a second Hello came");
        }
        if (message.getOldestVersion() > FrameFormat.NEWEST_VERSION
                || message.getNewestVersion() < FrameFormat.OLDEST_VERSION) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "the client speaks versions " + message.getOldestVersion() + " to " + message.getNewestVersion()
                            + ", the node " + FrameFormat.OLDEST_VERSION + " to " + FrameFormat.NEWEST_VERSION
                            + "; use client and server of matching versions");
        }
        hello = message;
        if (users == null) {
            expected = Expected.NOTHING;
            return new Step.Enter(message, "", "");
        }
        if (message.getNewestVersion() < FrameFormat.AUTHENTICATION_VERSION) {
            throw new FulmarException(
                    ErrorCode.AUTHENTICATION_FAILED,
                    "the node asks for user and password, which clients of version "
                            + FrameFormat.AUTHENTICATION_VERSION + " and later can give; use one of these");
        }
        if (users.isEmpty()) {
            // No word on the password, which may be right elsewhere: a client tries other nodes, or this one later.
            throw new FulmarException(
                    ErrorCode.NOT_CONNECTED,
                    "the node has no users yet, as one that has not joined its cluster; wait, or connect to another node");
        }
        expected = Expected.FIRST;
        return new Step.Say(MECHANISM);
    }

    Step message(String text) {
        UserDirectory directory = users;
        Hello introduction = hello;
        if (directory == null || introduction == null) {
            throw Messages.malformed("an authentication came before Hello");
        }
        return switch (expected) {
            case FIRST -> {
                String offered = introduction.getOldestVersion() + "-" + introduction.getNewestVersion();
                ScramServer begun = new ScramServer(binding.get(), offered);
                String user = begun.begin(text);
                scram = begun;
                expected = Expected.LAST;
                yield new Step.Say(begun.challenge(directory.verifierOrDecoy(user), nonce()));
            }
            case LAST -> {
                ScramServer begun = scram;
                if (begun == null) {
                    throw Messages.malformed("a proof came without a challenge");
                }
                expected = Expected.NOTHING;
                Optional<String> outcome = begun.finish(text);
                yield outcome.isPresent()
                        ? new Step.Enter(introduction, outcome.get(), begun.user())
                        : new Step.Refuse(begun.user());
            }
            case HELLO, NOTHING -> throw Messages.malformed("an authentication came where none is expected");
        };
    }

    private static String nonce() {
        byte[] bytes = new byte[NONCE_BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getEncoder().withoutPadding().encodeToString(bytes);
    }
}
