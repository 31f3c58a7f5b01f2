package dev.fulmar.postgres.session;

import dev.fulmar.postgres.dialect.Translator;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One piece of a session's work: a message, or a statement of one. */
sealed interface Work {
    /** Memory for one without its texts and values. */
    int FIXED_BYTES = 96;

    long CHARACTER_BYTES = 2;

    record Message(FrontendMessage message) implements Work {}

    /**
     * One of the statements of a Query.
     *
     * @param isLast whether no other one follows
     * @param isSilent whether it is a part of the one behind it, which tells of both
     * @param turns how often it may still wait for the other parts of its statement
     */
    record Statement(Translator.Part part, boolean isLast, boolean isSilent, int turns) implements Work {
        Statement withPart(Translator.Part other, int otherTurns) {
            return new Statement(other, isLast, isSilent, otherTurns);
        }
    }

    /** All statements of a Query are done. */
    record QueryEnd() implements Work {}

    /** Memory that it takes, roughly. */
    default long bytes() {
        return FIXED_BYTES
                + switch (this) {
                    case Message(FrontendMessage message) -> bytes(message);
                    case Statement statement ->
                        CHARACTER_BYTES * statement.part().length();
                    case QueryEnd() -> 0;
                };
    }

    private static long bytes(FrontendMessage message) {
        return switch (message) {
            case FrontendMessage.Query(String sql) -> bytes(sql);
            case FrontendMessage.Parse(String name, String sql, List<Integer> types) ->
                bytes(name) + bytes(sql) + Long.BYTES * (long) types.size();
            case FrontendMessage.Bind bind -> bytes(bind.portal()) + bytes(bind.statement()) + bytes(bind.values());
            case FrontendMessage.Describe(Target _, String name) -> bytes(name);
            case FrontendMessage.Execute(String portal, int _) -> bytes(portal);
            case FrontendMessage.Close(Target _, String name) -> bytes(name);
            case FrontendMessage.CopyData(byte[] data) -> data.length;
            case FrontendMessage.CopyFail(String reason) -> bytes(reason);
            default -> 0; // of a fixed size, or one that ends the session
        };
    }

    private static long bytes(String text) {
        return CHARACTER_BYTES * text.length();
    }

    private static long bytes(byte[] @Nullable [] values) {
        long all = 0;
        for (byte[] value : values) {
            all += FIXED_BYTES + (value == null ? 0 : value.length);
        }
        return all;
    }
}
