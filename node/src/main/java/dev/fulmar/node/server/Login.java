package dev.fulmar.node.server;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.scram.ChannelBinding;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.proto.Hello;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Log-in of one connection: from its first frame to the Welcome. On the connection's event loop. */
final class Login {
    /** Step of the connection that a frame of the log-in leads to. */
    sealed interface Result {
        /** The server sends the text, and waits for the client's next message. */
        record Say(String text) implements Result {}

        /**
         * The client is in.
         *
         * @param text last message of the authentication; empty if there was none
         * @param user name of its user, as the catalog has it
         */
        record Entered(Hello hello, String text, String user, Caller caller) implements Result {}

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
    private final Handshake handshake;

    Login(Entrance entrance, @Nullable UserDirectory users, Supplier<ChannelBinding> binding) {
        this.entrance = entrance;
        this.handshake = new Handshake(users, binding);
    }

    /** Takes a frame of a client that has not got its Welcome. */
    Result frame(FrameKind kind, ByteBuf buffer, int offset, int length) {
        return switch (kind) {
            case HELLO -> result(handshake.hello(Messages.parse(Hello.parser(), buffer, offset, length)));
            case AUTHENTICATION -> result(handshake.message(buffer.toString(offset, length, StandardCharsets.UTF_8)));
            case PROCEDURE_CALL, STATEMENT_CALL, BIND, CANCEL ->
                throw Messages.malformed("a " + kind + " came before Hello");
            case WELCOME, PROCEDURE_REPLY, CONNECTION_ERROR, GOODBYE, TOPOLOGY, BOUND, CATALOG ->
                throw Messages.fromServer(kind);
        };
    }

    private Result result(Handshake.Step step) {
        return switch (step) {
            case Handshake.Step.Say(String text) -> new Result.Say(text);
            case Handshake.Step.Enter(Hello hello, String text, String user) -> entered(hello, text, user);
            case Handshake.Step.Refuse(String user) -> refused(user);
        };
    }

    private Result entered(Hello hello, String text, String user) {
        return switch (entrance.enter(user, !text.isEmpty(), hello.getClientName())) {
            case Entrance.Result.Entered(String name, Caller caller) -> new Result.Entered(hello, text, name, caller);
            case Entrance.Result.Refused(FulmarException reason) -> new Result.Refused(reason);
        };
    }

    private Result refused(String user) {
        Entrance.Failure failure = entrance.fail(user);
        return new Result.Failed(failure.reason(), failure.delayNanos());
    }
}
