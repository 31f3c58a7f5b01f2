package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Statements about several objects, or with several changes of one, as one statement for each: {@code DROP TABLE a, b},
 * {@code TRUNCATE a, b}, {@code ALTER TABLE a ADD COLUMN b int, DROP COLUMN c}.
 */
public final class ObjectLists {
    /** A word of the engine before the tables that are emptied together. */
    static final String BESIDE = "BESIDE";

    /** As many as a table has columns. */
    private static final int MOST_PARTS = 1_600;

    /** Characters before the objects of all parts. A change of tables is kept until its transaction ends. */
    private static final long MOST_BEFORE = 4 << 20;

    /** Characters behind the objects of all parts, as the names of all tables that are emptied. */
    private static final long MOST_BEHIND = 64 << 20;

    /** Kinds of objects of which one DROP names several. */
    private static final Set<String> DROPPED = Set.of(
            "TABLE",
            "VIEW",
            "INDEX",
            "SEQUENCE",
            "TYPE",
            "DOMAIN",
            "SCHEMA",
            "FUNCTION",
            "PROCEDURE",
            "AGGREGATE",
            "ROUTINE",
            "USER",
            "ROLE",
            "GROUP",
            "COLLATION",
            "CONVERSION",
            "EXTENSION",
            "STATISTICS");

    /** The text in which an error names its place. */
    private final String script;

    private final Translator.Part statement;
    private final String text;
    private final Words words;

    private ObjectLists(String script, Translator.Part statement) {
        this.script = script;
        this.statement = statement;
        this.text = statement.text();
        this.words = new Words(Lexer.lexemes(text));
    }

    /** The statements; the one that came if it is about one object. */
    public static List<Translator.Part> parts(Translator.Part statement) {
        return parts(statement.text(), new Translator.Part(statement.text(), 0)).stream()
                .map(part -> part.at(statement.start()))
                .toList();
    }

    /**
     * The statements of one in a script.
     *
     * @throws FulmarException with a place in the script, for a list that PostgreSQL's grammar does not have
     */
    static List<Translator.Part> parts(String script, Translator.Part statement) {
        Lexeme word = Lexer.first(statement.text());
        boolean isOne = !word.isWord("ALTER") && !word.isWord("DROP") && !word.isWord("TRUNCATE");
        if (isOne) {
            return List.of(statement);
        }
        ObjectLists lists = new ObjectLists(script, statement);
        List<Translator.Part> parts = word.isWord("ALTER") ? lists.changes() : lists.objects(word.isWord("TRUNCATE"));
        if (parts.size() > 1) {
            lists.checkNoParameter();
        }
        return parts;
    }

    /** The changes of a table, in their order. */
    private List<Translator.Part> changes() {
        if (!words.areAt(1, "TABLE")) {
            return List.of(statement);
        }
        int name = words.areAt(2, "IF", "EXISTS") ? 4 : 2;
        boolean isLenient = name == 4;
        name += words.areAt(name, "ONLY") ? 1 : 0;
        int first = words.areAt(name + 1, ".") ? name + 3 : name + 1;
        StringBuilder written = new StringBuilder("ALTER TABLE ").append(isLenient ? "IF EXISTS " : "");
        for (int i = name; i < first; i++) {
            written.append(words.at(i).text());
        }
        String head = written.append(' ').toString();
        List<Translator.Part> parts = new ArrayList<>();
        int start = 0;
        for (int i = first; i < words.count(); i = next(i)) {
            if (words.at(i).isSymbol(",")) {
                String before = parts.isEmpty() ? "" : head; // the first one has it
                add(parts, before, text.substring(start, words.at(i).start()), "");
                start = words.at(i).end();
            }
        }
        if (parts.isEmpty()) {
            return List.of(statement);
        }
        add(parts, head, text.substring(start), "");
        return parts;
    }

    private void add(List<Translator.Part> parts, String head, String own, String behind) {
        boolean areTooLong = parts.size() * (long) head.length() > MOST_BEFORE
                || parts.size() * (long) behind.length() > MOST_BEHIND;
        if (parts.size() >= MOST_PARTS || areTooLong) {
            throw new FulmarException(
                    ErrorCode.STATEMENT_TOO_COMPLEX,
                    "a statement is about at most " + MOST_PARTS
                            + " objects or changes of a table, and their names are not too long together; use several"
                            + " statements");
        }
        parts.add(new Translator.Part(head, own, behind, statement.start()));
    }

    /** Whether parts of the statement may be executed in another order, as what depends on others goes first. */
    public static boolean mayChangePlaces(Translator.Part statement) {
        return !Lexer.first(statement.text()).isWord("ALTER");
    }

    private int next(int place) {
        boolean opens = words.at(place).isSymbol("(") || words.at(place).isSymbol("[");
        return opens ? words.closing(place) + 1 : place + 1;
    }

    // Lists of objects.

    /** The parts of DROP or TRUNCATE. One with parentheses has types of arguments in them, and is taken as it is. */
    private List<Translator.Part> objects(boolean empties) {
        boolean isList = false;
        for (int i = 0; i < words.count(); i++) {
            if (words.at(i).isSymbol("(")) {
                return List.of(statement);
            }
            isList |= words.at(i).isSymbol(",");
        }
        int first = empties ? firstEmptied() : firstDropped();
        return isList && first > 0 ? objects(first, empties) : List.of(statement);
    }

    private int firstEmptied() {
        return words.areAt(1, "TABLE") ? 2 : 1;
    }

    /** The place of the first object; 0 for a kind of which there are no lists. */
    private int firstDropped() {
        int kind = words.areAt(1, "MATERIALIZED", "VIEW") || words.areAt(1, "FOREIGN", "TABLE") ? 2 : 1;
        if (!DROPPED.contains(words.at(kind).word())) {
            return 0;
        }
        int first = words.areAt(kind + 1, "CONCURRENTLY") ? kind + 2 : kind + 1;
        return words.areAt(first, "IF", "EXISTS") ? first + 2 : first;
    }

    private List<Translator.Part> objects(int first, boolean empties) {
        List<String> objects = new ArrayList<>();
        StringBuilder names = new StringBuilder();
        int place = first;
        boolean isLast = false;
        while (!isLast) {
            int name = empties && words.areAt(place, "ONLY") ? place + 1 : place;
            int end = behindName(name);
            String own = between(name, end);
            objects.add(name == place ? own : "ONLY " + own);
            names.append(names.isEmpty() ? "" : ", ").append(own);
            isLast = !words.at(end).isSymbol(",");
            place = isLast ? end : end + 1;
        }
        checkEnd(behindOptions(place, empties));
        String options = "\n" + between(place, words.count() - 1);
        String behind = empties ? options + "\n" + BESIDE + " " + names : options;
        String head = text.substring(0, words.at(first).start());
        List<Translator.Part> parts = new ArrayList<>();
        for (String object : objects) {
            add(parts, head, object, behind);
        }
        return parts;
    }

    private int behindName(int name) {
        checkName(name);
        int place = name + 1;
        while (words.at(place).isSymbol(".")) {
            checkName(place + 1);
            place += 2;
        }
        return place;
    }

    private void checkName(int place) {
        if (!words.at(place).isName()) {
            throw unexpected(place);
        }
    }

    /** The place behind the words that say what becomes of others; they are behind the last object alone. */
    private int behindOptions(int from, boolean empties) {
        boolean hasNumbers =
                empties && (words.areAt(from, "RESTART", "IDENTITY") || words.areAt(from, "CONTINUE", "IDENTITY"));
        int place = hasNumbers ? from + 2 : from;
        return words.areAt(place, "CASCADE") || words.areAt(place, "RESTRICT") ? place + 1 : place;
    }

    private void checkEnd(int place) {
        if (words.at(place).kind() != Lexeme.Kind.END) {
            throw unexpected(place);
        }
    }

    private void checkNoParameter() {
        for (int i = 0; i < words.count(); i++) {
            if (words.at(i).kind() == Lexeme.Kind.PARAMETER) {
                throw unexpected(i);
            }
        }
    }

    private FulmarException unexpected(int place) {
        Lexeme word = words.at(place);
        String what = word.kind() == Lexeme.Kind.END ? "end of input" : "or near \"" + word.text() + "\"";
        return Place.error(ErrorCode.SYNTAX, script, statement.start() + word.start(), "syntax error at " + what);
    }

    private String between(int from, int to) {
        return from == to
                ? ""
                : text.substring(words.at(from).start(), words.at(to - 1).end());
    }
}
