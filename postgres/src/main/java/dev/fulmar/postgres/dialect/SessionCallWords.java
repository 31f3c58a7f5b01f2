package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Calls of functions that a session executes. They stand alone in a SELECT without tables, whose items become their
 * arguments: the session does what they say behind it. Elsewhere they are refused, for the engine may evaluate an
 * expression any number of times. The argument of a function of advisory locks is the number of the lock.
 */
final class SessionCallWords {
    /** Items of one SELECT. */
    private static final int MOST_CALLS = 100;

    private final String source;
    private final Words words;

    private SessionCallWords(String source, Words words) {
        this.source = source;
        this.words = words;
    }

    /** The calls of the statement; none if it is no such SELECT. */
    static List<SessionCall> replace(String source, Words words) {
        int first = first(words);
        if (first < 0 || words.areAt(0, "PREPARE")) { // whose statement is translated by itself
            return List.of();
        }
        SessionCallWords locks = new SessionCallWords(source, words);
        List<SessionCall> calls = locks.replace(first);
        int within = first(words);
        if (within >= 0) {
            throw locks.refused(within);
        }
        return calls;
    }

    /** The place of the first call; negative for none. */
    private static int first(Words words) {
        for (int i = 0; i < words.count(); i++) {
            if (isName(words.at(i)) && words.areAt(i + 1, "(") && isFunction(words, i)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isName(Lexeme word) {
        return LockCall.isName(word.word()) || word.isWord(SettingCall.FUNCTION) || word.isWord(PauseCall.FUNCTION);
    }

    private static boolean isFunction(Words words, int place) {
        return !words.at(place - 1).isSymbol(".") || words.areAt(place - 2, "PG_CATALOG");
    }

    private List<SessionCall> replace(int first) {
        List<SessionCall> calls = new ArrayList<>();
        int place = 1;
        boolean isLast = false;
        while (!isLast) {
            int start = place;
            int name = words.areAt(place, "PG_CATALOG", ".") ? place + 2 : place;
            boolean isCall = words.areAt(0, "SELECT")
                    && isName(words.at(name))
                    && words.areAt(name + 1, "(")
                    && calls.size() < MOST_CALLS;
            if (!isCall) {
                throw refused(first);
            }
            calls.add(call(start, name));
            place = endOfItem(words.closing(start) + 1);
            isLast = !words.at(place).isSymbol(",");
            place++;
        }
        if (words.at(place - 1).kind() != Lexeme.Kind.END) {
            throw refused(first);
        }
        return calls;
    }

    private SessionCall call(int start, int name) {
        return switch (words.at(name).word()) {
            case SettingCall.FUNCTION -> setting(start, name);
            case PauseCall.FUNCTION -> pause(start, name);
            default -> replace(start, name);
        };
    }

    /** Puts the seconds in place of the call. */
    private PauseCall pause(int start, int name) {
        int close = words.closing(name + 1);
        words.replace(close, close + 1, List.of(made(") AS DOUBLE PRECISION)", close), end(close)));
        words.replace(start, name + 2, List.of(open(start), made("CAST((", start)));
        return new PauseCall();
    }

    /** The place behind an alias. */
    private int endOfItem(int place) {
        if (words.areAt(place, "AS")) {
            return place + 2;
        }
        Lexeme.Kind kind = words.at(place).kind();
        boolean isAlias = kind == Lexeme.Kind.QUOTED || (kind == Lexeme.Kind.WORD && !isKeyword(words.at(place)));
        return isAlias ? place + 1 : place;
    }

    private static boolean isKeyword(Lexeme word) {
        return switch (word.word()) {
            case "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "INTERSECT", "EXCEPT", "FOR", "IS" ->
                true;
            default -> false;
        };
    }

    /** Puts the value in place of the call. */
    private SettingCall setting(int start, int name) {
        int close = words.closing(name + 1);
        boolean isKnown = words.at(name + 2).kind() == Lexeme.Kind.STRING
                && words.at(name + 3).isSymbol(",")
                && close - 2 > name + 3
                && words.at(close - 2).isSymbol(",")
                && (words.at(close - 1).isWord("TRUE") || words.at(close - 1).isWord("FALSE"));
        if (!isKnown) {
            throw Place.error(
                    ErrorCode.NOT_SUPPORTED,
                    source,
                    words.at(name).start(),
                    "set_config takes a name in quotes, a value, and TRUE or FALSE");
        }
        SettingCall call = new SettingCall(
                TextLiteral.value(source, words.at(name + 2)),
                words.at(close - 1).isWord("TRUE"));
        words.replace(close - 2, close + 1, List.of(made(") AS VARCHAR(65536))", close), end(close)));
        words.replace(start, name + 4, List.of(open(start), made("CAST((", start)));
        return call;
    }

    /** Puts the number of the lock in place of the call; in parentheses, which begin where the call began. */
    private LockCall replace(int start, int name) {
        int close = words.closing(name + 1);
        int comma = name + 2;
        int arguments = close == name + 2 ? 0 : 1;
        int second = -1;
        while (comma < close) {
            if (words.at(comma).isSymbol("(")) {
                comma = words.closing(comma);
            } else if (words.at(comma).isSymbol(",")) {
                arguments++;
                second = comma;
            }
            comma++;
        }
        LockCall call = LockCall.of(words.at(name).word(), arguments);
        if (call == null) {
            throw unknown(name, arguments);
        }
        switch (arguments) {
            case 0 ->
                words.replace(start, close + 1, List.of(open(start), made("CAST(0 AS BIGINT)", start), end(start)));
            case 1 -> {
                words.replace(close, close + 1, List.of(made(") AS BIGINT)", close), end(close)));
                words.replace(start, name + 2, List.of(open(start), made("CAST((", start)));
            }
            default -> { // the numbers of all pairs are different
                words.replace(
                        close, close + 1, List.of(made(") AS INTEGER) AS BIGINT) + 2147483648)", close), end(close)));
                words.replace(
                        second,
                        second + 1,
                        List.of(made(") AS INTEGER) AS BIGINT) * 4294967296 + (CAST(CAST((", second)));
                words.replace(start, name + 2, List.of(open(start), made("CAST(CAST((", start)));
            }
        }
        return call;
    }

    private Lexeme open(int place) {
        return new Lexeme(Lexeme.Kind.SYMBOL, "(", words.at(place).start());
    }

    private Lexeme end(int place) {
        return new Lexeme(Lexeme.Kind.SYMBOL, ")", words.at(place).start());
    }

    private Lexeme made(String text, int place) {
        return new Lexeme(Lexeme.Kind.MADE, text, words.at(place).start());
    }

    private RuntimeException refused(int place) {
        Lexeme name = words.at(place);
        return Place.error(
                ErrorCode.NOT_SUPPORTED,
                source,
                name.start(),
                name.text().toLowerCase(Locale.ROOT) + " stands alone in a SELECT without tables, as SELECT "
                        + name.text().toLowerCase(Locale.ROOT) + "(7)");
    }

    private RuntimeException unknown(int place, int arguments) {
        Lexeme name = words.at(place);
        return Place.error(
                ErrorCode.UNKNOWN_PROCEDURE,
                source,
                name.start(),
                "there is no function " + name.text().toLowerCase(Locale.ROOT) + " of " + arguments
                        + " arguments; a lock is about a bigint, or about two integers");
    }
}
