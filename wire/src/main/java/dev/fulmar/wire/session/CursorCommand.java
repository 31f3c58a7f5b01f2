package dev.fulmar.wire.session;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A command to a cursor of a transaction. Names are as the parser of a session's other commands reads them. */
public sealed interface CursorCommand extends SessionCommand {
    /** {@code DECLARE name CURSOR FOR query}. */
    record Declare(String name, String query) implements CursorCommand {}

    /** {@code FETCH}, of so many rows, {@link #ALL} for all that are left. */
    record Fetch(String name, int rows) implements CursorCommand {}

    /** {@code MOVE}, over so many rows, {@link #ALL} for all that are left. */
    record Move(String name, int rows) implements CursorCommand {}

    /** {@code CLOSE name}. */
    record Close(String name) implements CursorCommand {}

    /** {@code CLOSE ALL}. */
    record CloseAll() implements CursorCommand {}

    /** Count of rows that stands for all that are left. */
    int ALL = Integer.MAX_VALUE;

    /** Words by which a cursor would go elsewhere than forward. */
    Set<String> ELSEWHERE = Set.of("BACKWARD", "PRIOR", "FIRST", "LAST", "ABSOLUTE", "RELATIVE", "-");

    /** Words by which a text is a query. */
    Set<String> QUERIES = Set.of("SELECT", "WITH", "VALUES", "TABLE");

    /** The failure of the command where no transaction is open. */
    default FulmarException outside() {
        return switch (this) {
            case Declare _ ->
                new FulmarException(
                        ErrorCode.NO_ACTIVE_TRANSACTION,
                        "a cursor is part of a transaction, and none is open; BEGIN READ ONLY opens one, or BEGIN");
            case Fetch(String name, int _) -> unknown(name);
            case Move(String name, int _) -> unknown(name);
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
        if (options.contains("SCROLL") && !options.contains("NO")) {
            throw refused("cursors only go forward; leave SCROLL out, and DECLARE the cursor again to read from the"
                    + " beginning");
        }
        if (holding.equals(List.of("WITH", "HOLD"))) {
            throw refused("cursors end with their transaction; leave WITH HOLD out, or read a stream of rows outside of"
                    + " transactions");
        }
        boolean isKnown = Set.of(List.of(), List.of("NO", "SCROLL")).contains(withoutSensitivity(options))
                && Set.of(List.of(), List.of("WITHOUT", "HOLD")).contains(holding);
        String query = beginning.rest();
        if (!isKnown || !isQuery(query)) {
            throw wrongDeclare();
        }
        return new Declare(words.get(1), query);
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
                ErrorCode.SYNTAX, "not understood; a cursor is declared by DECLARE name [NO SCROLL] CURSOR FOR query");
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
        if (words.size() < 2) {
            throw wrongReading(moves);
        }
        if (between.stream().limit(2).anyMatch(ELSEWHERE::contains)) {
            throw refused(
                    "a cursor only goes forward; FETCH NEXT, FETCH n or FETCH ALL, and DECLARE it again to read from"
                            + " the beginning");
        }
        if (!between.isEmpty() && between.getFirst().equals("FORWARD")) {
            between = between.subList(1, between.size());
        }
        int rows = rows(between, moves);
        return moves ? new Move(name, rows) : new Fetch(name, rows);
    }

    private static int rows(List<String> count, boolean moves) {
        if (count.isEmpty() || count.equals(List.of("NEXT"))) {
            return 1;
        }
        if (count.equals(List.of("ALL"))) {
            return ALL;
        }
        if (count.size() > 1 || !count.getFirst().chars().allMatch(letter -> letter >= '0' && letter <= '9')) {
            throw wrongReading(moves);
        }
        try {
            int rows = Integer.parseInt(count.getFirst());
            if (rows > 0) {
                return rows;
            }
        } catch (NumberFormatException tooMany) {
            return ALL;
        }
        throw refused("a cursor only goes forward, so FETCH takes at least one row");
    }

    private static FulmarException wrongReading(boolean moves) {
        String word = moves ? "MOVE" : "FETCH";
        return new FulmarException(
                ErrorCode.SYNTAX,
                "not understood; a cursor is read by " + word
                        + " [NEXT | n | ALL | FORWARD [n | ALL]] [FROM | IN] name");
    }

    /** {@code CLOSE}. */
    static CursorCommand closing(List<String> words) {
        if (words.size() != 2) {
            throw new FulmarException(ErrorCode.SYNTAX, "not understood; CLOSE name or CLOSE ALL closes cursors");
        }
        return words.get(1).equals("ALL") ? new CloseAll() : new Close(words.get(1));
    }
}
