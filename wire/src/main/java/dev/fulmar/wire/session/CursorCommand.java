package dev.fulmar.wire.session;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A command to a cursor of a transaction. Names are as the parser of a session's other commands reads them. */
public sealed interface CursorCommand extends SessionCommand {
    /**
     * {@code DECLARE name CURSOR FOR query}.
     *
     * @param isHeld whether it stays when its transaction commits
     */
    record Declare(String name, String query, Scroll scroll, boolean isHeld) implements CursorCommand {}

    /** {@code FETCH}. */
    record Fetch(String name, CursorStep step) implements CursorCommand {}

    /** {@code MOVE}. */
    record Move(String name, CursorStep step) implements CursorCommand {}

    /** {@code CLOSE name}. */
    record Close(String name) implements CursorCommand {}

    /** {@code CLOSE ALL}. */
    record CloseAll() implements CursorCommand {}

    /** The declaration's word on going back. */
    enum Scroll {
        /** It goes back. */
        YES,
        /** It does not. */
        NO,
        /** It goes back if its rows are held anyway. */
        UNSAID
    }

    /** The words between a cursor's name and CURSOR. */
    Map<List<String>, Scroll> SCROLLS =
            Map.of(List.of(), Scroll.UNSAID, List.of("SCROLL"), Scroll.YES, List.of("NO", "SCROLL"), Scroll.NO);

    /** The words between CURSOR and FOR. */
    Map<List<String>, Boolean> HOLDS =
            Map.of(List.of(), false, List.of("WITHOUT", "HOLD"), false, List.of("WITH", "HOLD"), true);

    /** Words by which a text is a query. */
    Set<String> QUERIES = Set.of("SELECT", "WITH", "VALUES", "TABLE");

    /** The failure of the command where no transaction is open. */
    default FulmarException outside() {
        return switch (this) {
            case Declare _ ->
                new FulmarException(
                        ErrorCode.NO_ACTIVE_TRANSACTION,
                        "a cursor is part of a transaction, and none is open; BEGIN READ ONLY opens one, or BEGIN");
            case Fetch(String name, CursorStep _) -> unknown(name);
            case Move(String name, CursorStep _) -> unknown(name);
            case Close(String name) -> unknown(name);
            case CloseAll _ ->
                new FulmarException(ErrorCode.NO_ACTIVE_TRANSACTION, "no transaction is open; BEGIN opens one");
        };
    }

    private static FulmarException unknown(String name) {
        return new FulmarException(
                ErrorCode.UNKNOWN_CURSOR,
                "there is no cursor " + name + ": cursors end with their transaction, and none is open; BEGIN one, and"
                        + " DECLARE the cursor in it");
    }

    /** The meaning of a text that begins with DECLARE; null for another one. */
    static @Nullable Declare declared(String sql) {
        CommandWords.Beginning beginning = CommandWords.beginning(sql, "DECLARE", "FOR");
        if (beginning == null) {
            return null;
        }
        List<String> words = beginning.words();
        int cursor = words.indexOf("CURSOR");
        if (cursor < 2 || !beginning.isWhole()) {
            throw wrongDeclare();
        }
        List<String> options = words.subList(2, cursor);
        List<String> holding = words.subList(cursor + 1, words.size());
        if (options.contains("BINARY")) {
            throw refused("cursors have no binary form of their own; leave BINARY out");
        }
        Scroll scroll = SCROLLS.get(withoutSensitivity(options));
        Boolean isHeld = HOLDS.get(holding);
        String query = beginning.rest();
        if (scroll == null || isHeld == null || !isQuery(query)) {
            throw wrongDeclare();
        }
        return new Declare(words.get(1), query, scroll, isHeld);
    }

    /** All cursors are insensitive to what comes later. */
    private static List<String> withoutSensitivity(List<String> options) {
        return options.stream()
                .filter(word -> !word.equals("INSENSITIVE") && !word.equals("ASENSITIVE"))
                .toList();
    }

    private static boolean isQuery(String text) {
        String first = CommandWords.firstWord(text);
        return QUERIES.contains(first) || text.stripLeading().startsWith("(");
    }

    private static FulmarException wrongDeclare() {
        return new FulmarException(
                ErrorCode.SYNTAX,
                "not understood; a cursor is declared by DECLARE name [[NO] SCROLL] CURSOR" + " [WITH HOLD] FOR query");
    }

    private static FulmarException refused(String why) {
        return new FulmarException(ErrorCode.NOT_SUPPORTED, why);
    }

    /** {@code FETCH} or {@code MOVE}. */
    static CursorCommand reading(List<String> words) {
        boolean moves = words.getFirst().equals("MOVE");
        String name = words.getLast();
        List<String> between = words.subList(1, Math.max(1, words.size() - 1));
        if (!between.isEmpty() && Set.of("FROM", "IN").contains(between.getLast())) {
            between = between.subList(0, between.size() - 1);
        }
        CursorStep step = words.size() < 2 ? null : CursorStep.of(between);
        if (step == null) {
            throw wrongReading(moves);
        }
        return moves ? new Move(name, step) : new Fetch(name, step);
    }

    private static FulmarException wrongReading(boolean moves) {
        String word = moves ? "MOVE" : "FETCH";
        return new FulmarException(
                ErrorCode.SYNTAX,
                "not understood; a cursor is read by " + word
                        + " [NEXT | PRIOR | FIRST | LAST | ABSOLUTE n | RELATIVE n | n | ALL | FORWARD [n | ALL]"
                        + " | BACKWARD [n | ALL]] [FROM | IN] name");
    }

    /** {@code CLOSE}. */
    static CursorCommand closing(List<String> words) {
        if (words.size() != 2) {
            throw new FulmarException(ErrorCode.SYNTAX, "not understood; CLOSE name or CLOSE ALL closes cursors");
        }
        return words.get(1).equals("ALL") ? new CloseAll() : new Close(words.get(1));
    }
}
