package dev.fulmar.postgres.dialect;

import dev.fulmar.coordinator.session.StatementGuess;
import dev.fulmar.engine.spi.NamesMark;
import dev.fulmar.engine.spi.StatementStyle;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.engine.spi.ZoneMark;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.CursorCommand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A statement as the engine takes it.
 *
 * @param source as the client sent it
 * @param start where it begins in the script that the client sent
 * @param sql the statement in Fulmar's dialect
 * @param parameters for each question mark in it, the number of the client's parameter, from 0
 * @param parameterCount parameters of the client: one more than the highest number
 * @param words its first words in upper case, by which its kind is known; six at most
 * @param names for the columns of its result that it has not named, as PostgreSQL names them; empty for others
 * @param marks places that belong to each other, in their order
 * @param arrays parameters of the translated statement that stand for the elements of arrays, in their order
 * @param calls of functions of the session, whose arguments the items of the translated query are; none for others
 */
public record Translation(
        String source,
        int start,
        String sql,
        List<Integer> parameters,
        int parameterCount,
        List<String> words,
        List<String> names,
        List<Mark> marks,
        List<Elements> arrays,
        List<SessionCall> calls) {
    /** Items of a list in the engine's statements. */
    public static final int MOST_ELEMENTS = 1_000;

    /**
     * The elements of an array in a list of values.
     *
     * @param place of the parameter among those of the translated statement
     * @param start characters before the only item in the translated text
     * @param item the text of an item, with a question mark
     */
    public record Elements(int place, int start, String item) {}

    /**
     * A place in both texts.
     *
     * @param sql characters before it in the translated text
     * @param source characters before it in the client's text
     */
    public record Mark(int sql, int source) {
        private Mark moved(int by) {
            return by == 0 ? this : new Mark(sql + by, source);
        }
    }

    /**
     * An error as its client hears of it.
     *
     * @param text without a place
     * @param position of the error in the client's text in characters, from 1; 0 for none
     */
    public record Message(String text, int position) {}

    public Translation {
        parameters = List.copyOf(parameters);
        words = List.copyOf(words);
        names = List.copyOf(names);
        marks = List.copyOf(marks);
        arrays = List.copyOf(arrays);
        calls = List.copyOf(calls);
    }

    /** Statements in which dates and times may be read or shown in a time zone. */
    static final Set<String> IN_ZONE = Set.of(
            "SELECT", "WITH", "VALUES", "INSERT", "UPDATE", "DELETE", "MERGE", "EXPLAIN", "TABLE", "DECLARE", "CALL");

    /** Tables whose rows are in the text of a translated statement. */
    private static final Set<String> OF_THE_MOMENT =
            Set.of("pg_stat_activity", "pg_cursors", "pg_prepared_statements", "pg_settings");

    /** Other statements that name tables. */
    private static final Set<String> OF_TABLES = Set.of("ALTER", "DROP", "TRUNCATE", "COMMENT", "GRANT", "REVOKE");

    /** Words of a table's constraints. */
    private static final Pattern OF_CONSTRAINTS =
            Pattern.compile("\\b(PRIMARY|UNIQUE|CHECK|REFERENCES|FOREIGN)\\b", Pattern.CASE_INSENSITIVE);

    /** Objects that are not in a schema, and whose statements are kept as they are. */
    private static final Set<String> ELSEWHERE = Set.of("USER", "ROLE", "PROCEDURE", "FUNCTION", "SCHEMA");

    /**
     * The statement of a session, as far as it can have what others have not.
     *
     * @param temporary schema of the session's temporary tables; empty for none
     */
    public Translation inSession(StatementStyle style, String temporary) {
        boolean isOfZone = IN_ZONE.contains(firstWord())
                || (firstWord().equals("CREATE")
                        && words.subList(0, Math.min(words.size(), 3)).contains("TABLE"));
        boolean isOfTables = IN_ZONE.contains(firstWord())
                || ((firstWord().equals("CREATE") || OF_TABLES.contains(firstWord())) && !ELSEWHERE.contains(kind()));
        String named = mayMakeNames() ? NamesMark.added(sql) : sql;
        String marked = TemporaryMark.added(named, isOfTables ? temporary : "");
        String whole = isOfZone
                ? ZoneMark.added(marked, style)
                : isOfTables ? ZoneMark.added(marked, style.ofNames()) : marked;
        return whole.equals(sql) ? this : with(whole);
    }

    /** Whether it may make constraints that have no names, or indexes of tables that are in a schema. */
    private boolean mayMakeNames() {
        return (firstWord().equals("CREATE") || firstWord().equals("ALTER"))
                && switch (kind()) {
                    case "TABLE" -> OF_CONSTRAINTS.matcher(sql).find();
                    case "INDEX", "UNIQUE" -> true;
                    default -> false;
                };
    }

    /** Fails for a statement whose plain names would be of other schemas later than those of the path. */
    public void checkPath(StatementStyle style) {
        if (!style.path().isEmpty() && firstWord().equals("CREATE") && kind().equals("PROCEDURE")) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "plain names in a procedure are those of public, whoever calls it; SET search_path = public before"
                            + " CREATE PROCEDURE, and name other schemas in its statement");
        }
    }

    /** The word for the kind of object that the statement makes, changes or drops; empty if it ends before. */
    private String kind() {
        int place = words.size() > 1 && words.get(1).equals("OR") ? 3 : 1; // OR REPLACE
        return words.size() > place ? words.get(place) : "";
    }

    /** Whether its text has facts of the moment in it, as the sessions that there are. */
    public boolean isOfTheMoment() {
        String names = source.toLowerCase(Locale.ROOT);
        return OF_THE_MOMENT.stream().anyMatch(names::contains);
    }

    /** Whether it shows a plan, and runs nothing: no transaction has a part in it. */
    public boolean showsPlan() {
        return firstWord().equals("EXPLAIN")
                && !(words.size() > 1
                        && (words.get(1).equals("ANALYZE") || words.get(1).equals("ANALYSE")));
    }

    private Translation with(String text) {
        return new Translation(source, start, text, parameters, parameterCount, words, names, marks, arrays, calls);
    }

    /** Whether the parameter of the translated statement stands for the elements of an array. */
    public boolean isArray(int place) {
        int low = 0;
        int high = arrays.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (arrays.get(middle).place() < place) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < arrays.size() && arrays.get(low).place() == place;
    }

    /**
     * The statement with a parameter for each element of its arrays.
     *
     * @param counts elements of each of the arrays
     * @param types of the elements, as the engine calls them
     */
    public Translation expanded(List<Integer> counts, List<String> types) {
        checkElements(counts);
        StringBuilder text = new StringBuilder();
        List<Integer> numbers = new ArrayList<>();
        List<Mark> places = new ArrayList<>();
        int copied = 0; // of the text
        int taken = 0; // of the parameters
        int marked = 0;
        for (int i = 0; i < arrays.size(); i++) {
            Elements array = arrays.get(i);
            int count = counts.get(i);
            text.append(sql, copied, array.start());
            int longer = text.length() - array.start();
            copied = array.start() + array.item().length();
            while (marked < marks.size() && marks.get(marked).sql() < copied) {
                places.add(marks.get(marked++).moved(longer));
            }
            text.append(
                    count == 0
                            ? ArrayOperators.none(types.get(i))
                            : String.join(", ", Collections.nCopies(count, array.item())));
            numbers.addAll(parameters.subList(taken, array.place()));
            numbers.addAll(Collections.nCopies(count, parameters.get(array.place())));
            taken = array.place() + 1;
        }
        numbers.addAll(parameters.subList(taken, parameters.size()));
        int longer = text.length() - copied;
        marks.subList(marked, marks.size()).forEach(mark -> places.add(mark.moved(longer)));
        text.append(sql, copied, sql.length());
        return new Translation(
                source, start, text.toString(), numbers, parameterCount, words, names, places, List.of(), calls);
    }

    /** Each is a word of the engine's statement at least. */
    private static void checkElements(List<Integer> counts) {
        long elements = counts.stream().mapToLong(Integer::longValue).sum();
        if (elements > Lexer.MOST_WORDS) {
            throw new FulmarException(
                    ErrorCode.STATEMENT_TOO_COMPLEX,
                    "the arrays of the statement have " + elements + " elements, and may have " + Lexer.MOST_WORDS
                            + "; ask for them in parts, or join with a table of them");
        }
    }

    /** A statement that no client has written: its errors have no place in a client's text. */
    public static Translation generated(String sql) {
        return new Translation(
                "",
                0,
                sql,
                List.of(),
                0,
                List.of(sql.substring(0, sql.indexOf(' '))),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** The same text without parameters, which are of a statement within. */
    public Translation withoutParameters() {
        return new Translation(source, start, sql, List.of(), 0, words, names, marks, List.of(), List.of());
    }

    /** The same of a statement that its client wrote so, of which it is a part. */
    public Translation writtenAs(String whole) {
        return new Translation(whole, start, sql, parameters, parameterCount, words, names, marks, arrays, calls);
    }

    /** An error that the engine has found in the translated text. */
    public Message message(String error) {
        Place.Message found = Place.message(error, sql);
        if (found.offset() < 0 || marks.isEmpty()) {
            return new Message(found.text(), 0);
        }
        int place = 0;
        for (Mark mark : marks) {
            if (mark.sql() > found.offset()) {
                break;
            }
            place = Math.min(mark.source() + found.offset() - mark.sql(), source.length());
        }
        return new Message(found.text(), start + place + 1);
    }

    /** An error that was found in a text of the client, before there was a translation. */
    public static Message message(String error, Translator.Part source) {
        Place.Message found = Place.message(error, source.text());
        return new Message(found.text(), found.offset() < 0 ? 0 : source.start() + found.offset() + 1);
    }

    /** Whether the statement only yields rows. */
    public boolean isQuery() {
        return CursorCommand.QUERIES.contains(firstWord()) && !StatementGuess.readsProcedure(sql);
    }

    public String firstWord() {
        return words.isEmpty() ? "" : words.getFirst();
    }
}
