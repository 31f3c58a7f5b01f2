package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.type.PostgresType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes statements of PostgreSQL's dialect as Fulmar's: names are mirrored, parameters have no numbers, texts have
 * single quotes and comments are gone.
 */
public final class Translator {
    private static final int WORDS = 6;
    private static final int MOST_PARAMETERS = 65_535;

    /** Of a script; each object of DROP or TRUNCATE and each change of ALTER TABLE is one. */
    private static final int MOST_STATEMENTS = 150_000;

    /** Of a translated statement. */
    private static final int MOST_CHARACTERS = 64 << 20;

    private static final Set<String> NUMERIC_WORDS = Set.of("NUMERIC", "DECIMAL", "DEC");

    /** The type of a column that says no precision. */
    private static final String NUMERIC = "NUMERIC(38, 12)";

    private final String source;
    private final int start;
    private final StringBuilder sql = new StringBuilder();
    private final List<Integer> parameters = new ArrayList<>();
    private final List<Translation.Mark> marks = new ArrayList<>();

    /** Parameters that are arrays, by their places in the source, with the types of their elements. */
    private final Map<Integer, String> arrays = new TreeMap<>();

    private final List<Translation.Elements> lists = new ArrayList<>();

    /** Types of the first parameters, as the client gives them. */
    private final List<Integer> types;

    /** Whether each parameter is cast to the type that the client gives it. */
    private final boolean castsParameters;

    /** Items of WITH whose rows the statement is given, by their names. */
    private final Map<String, PassedItem> passed;

    private Translator(
            String source, int start, List<Integer> types, boolean castsParameters, Map<String, PassedItem> passed) {
        this.passed = passed;
        this.source = source;
        this.start = start;
        this.types = List.copyOf(types);
        this.castsParameters = castsParameters;
    }

    /**
     * A statement of a script, or one of several that stand for it.
     *
     * @param head the same text in all of those
     * @param own its own text
     * @param behind the same text in all of those
     * @param start where it begins in the script
     */
    public record Part(String head, String own, String behind, int start) {
        /** A statement that stands for itself. */
        public Part(String text, int start) {
            this("", text, "", start);
        }

        public String text() {
            return head.isEmpty() && behind.isEmpty() ? own : head + own + behind;
        }

        /** Characters of the text. */
        public int length() {
            return head.length() + own.length() + behind.length();
        }

        Part at(int place) {
            return new Part(head, own, behind, place);
        }
    }

    /**
     * The statements of a script, without the semicolons. Those of blanks and comments alone are left out.
     *
     * @throws FulmarException {@link ErrorCode#STATEMENT_TOO_COMPLEX} for a script of too many, or for one that is too
     *     long
     */
    public static List<Part> statements(String script) {
        List<Part> statements = new ArrayList<>();
        Lexer lexer = new Lexer(script);
        int start = 0;
        int words = 0;
        int parts = 0;
        Lexeme lexeme;
        do {
            lexeme = lexer.next();
            Lexer.checkCount(script, lexeme, words);
            if (lexeme.kind() != Lexeme.Kind.END && !lexeme.isSymbol(";")) {
                words++;
                continue;
            }
            if (words > 0) {
                Part statement = new Part(script.substring(start, lexeme.start()), start);
                parts += ObjectLists.parts(script, statement).size();
                checkParts(script, start, parts);
                statements.add(statement);
            }
            start = lexeme.end();
            words = 0;
        } while (lexeme.kind() != Lexeme.Kind.END);
        return statements;
    }

    private static void checkParts(String script, int start, int parts) {
        if (parts > MOST_STATEMENTS) {
            throw Place.error(
                    ErrorCode.STATEMENT_TOO_COMPLEX,
                    script,
                    start,
                    "a script has at most " + MOST_STATEMENTS + " statements; send it in parts");
        }
    }

    /** One statement; an error names the place in it. */
    public static Translation translate(Part statement, SessionFacts facts) {
        return translate(statement, facts, List.of());
    }

    /**
     * The same of a statement with parameters.
     *
     * @param types OIDs of the first parameters as the client gives them; 0 for none
     */
    public static Translation translate(Part statement, SessionFacts facts, List<Integer> types) {
        return new Translator(statement.text(), statement.start(), types, false, Map.of()).translate(facts);
    }

    /** The same, where each parameter is cast to its type: in {@code -$1} nothing else tells it. */
    public static Translation translateTyped(Part statement, SessionFacts facts, List<Integer> types) {
        return new Translator(statement.text(), statement.start(), types, true, Map.of()).translate(facts);
    }

    /**
     * The same of one that is given the rows of items of WITH.
     *
     * @param casts whether each parameter is cast to its type
     * @param passed the items by their names
     */
    public static Translation translate(
            Part statement, SessionFacts facts, List<Integer> types, boolean casts, Map<String, PassedItem> passed) {
        return new Translator(statement.text(), statement.start(), types, casts, passed).translate(facts);
    }

    private Translation translate(SessionFacts facts) {
        List<Lexeme> written = Lexer.lexemes(source);
        Parentheses.check(source, written);
        List<Lexeme> lexemes = ChangingWith.ordered(source, written);
        List<String> words = new ArrayList<>();
        int highest = 0;
        for (Lexeme lexeme : lexemes) {
            if (words.size() < WORDS && lexeme.kind() == Lexeme.Kind.WORD && !isOfTemporary(words, lexeme.word())) {
                words.add(lexeme.word());
            }
            if (lexeme.kind() == Lexeme.Kind.PARAMETER) {
                highest = Math.max(highest, number(source, lexeme));
            }
        }
        Words replaced = new Words(lexemes);
        PassedItem.replace(replaced, passed);
        List<SessionCall> calls = replace(replaced, facts);
        List<Lexeme> known = replaced.all();
        for (int i = 0; i < known.size(); i++) {
            write(known, i);
        }
        return new Translation(
                source,
                start,
                sql.toString(),
                parameters,
                highest,
                words,
                OutputNames.of(lexemes),
                marks,
                lists,
                calls);
    }

    /** Writes PostgreSQL's words as Fulmar's, in an order that the steps need. */
    private List<SessionCall> replace(Words replaced, SessionFacts facts) {
        ExplainWords.replace(source, replaced);
        UnicodeTexts.replace(source, replaced);
        RecordTables.replace(source, replaced);
        RowCounts.replace(replaced);
        ChildTables.replace(replaced);
        CollationWords.replace(replaced);
        Casts.replace(source, replaced);
        SequenceWords.plainNames(source, replaced);
        ByteLiterals.replace(source, replaced);
        ColumnTypes.replace(source, replaced);
        NumericWords.replaceTypes(source, replaced);
        TypedTexts.replace(source, replaced, facts);
        WordsAsNames.replace(replaced);
        DatetimeFields.replace(source, replaced);
        NamedArguments.replace(source, replaced);
        FunctionForms.replace(replaced);
        FunctionWords.replace(replaced);
        NumericWords.replaceOperators(source, replaced);
        SubstringForms.replace(replaced);
        PatternWords.replace(source, replaced);
        PartTables.replace(replaced);
        ExpressionWords.replace(source, replaced);
        if (!CatalogWords.isAboutCatalog(replaced)) {
            TextCasts.replace(replaced);
        }
        List<SessionCall> calls = SessionCallWords.replace(source, replaced);
        SessionWords.replace(source, replaced, facts);
        Keywords.replace(source, replaced);
        arrays.putAll(ArrayOperators.replace(source, replaced));
        DocumentOperators.replace(replaced);
        SequenceWords.replace(source, replaced, facts);
        TemporaryWords.replace(source, replaced);
        StorageWords.replace(source, replaced);
        TruncateWords.replace(source, replaced);
        CatalogWords.replace(source, replaced, facts);
        return calls;
    }

    /** Whether the word is one of those that a temporary table has behind CREATE: its kind is that of any other. */
    private static boolean isOfTemporary(List<String> words, String word) {
        return words.size() == 1
                && words.getFirst().equals("CREATE")
                && (TemporaryWords.isScope(word) || TemporaryWords.isTemporary(word));
    }

    private void write(List<Lexeme> lexemes, int place) {
        Lexeme lexeme = lexemes.get(place);
        if (place > 0) {
            Lexeme before = lexemes.get(place - 1);
            boolean isMade = before.kind() == Lexeme.Kind.MADE || lexeme.kind() == Lexeme.Kind.MADE;
            if (isMade) {
                sql.append(' ');
            } else {
                gap(before.end(), lexeme.start());
            }
        }
        marks.add(new Translation.Mark(sql.length(), lexeme.start()));
        if (sql.length() + (long) lexeme.text().length() > MOST_CHARACTERS) {
            throw new FulmarException(
                    ErrorCode.STATEMENT_TOO_COMPLEX,
                    "the statement becomes more than " + MOST_CHARACTERS + " characters in the engine's SQL; split it");
        }
        switch (lexeme.kind()) {
            case WORD -> sql.append(isPlainNumeric(lexemes, place) ? NUMERIC : lexeme.text());
            case NUMBER, SYMBOL, MADE, END -> sql.append(lexeme.text());
            case QUOTED ->
                sql.append('"')
                        .append(NameFolding.mirrored(lexeme.name()).replace("\"", "\"\""))
                        .append('"');
            case STRING, ESCAPED, UNICODE, DOLLAR -> sql.append(TextLiteral.plain(source, lexeme));
            case PARAMETER -> {
                String type = arrays.get(lexeme.start());
                if (type == null) {
                    sql.append(parameter(number(source, lexeme)));
                } else {
                    String item = ArrayOperators.cast("?", type);
                    lists.add(new Translation.Elements(parameters.size(), sql.length(), item));
                    sql.append(item);
                }
                parameters.add(number(source, lexeme) - 1);
            }
            case BITS ->
                throw Place.error(
                        ErrorCode.NOT_SUPPORTED,
                        source,
                        lexeme.start(),
                        "strings of bits are not supported; write bytes as text, '\\x00ff'");
        }
    }

    /** A parameter; one that is an interval beside a moment is told from another moment by its type alone. */
    private String parameter(int number) {
        int oid = number <= types.size() ? types.get(number - 1) : 0;
        if (castsParameters || oid == PostgresType.INTERVAL.oid()) {
            return PostgresType.of(oid)
                    .map(Translator::castName)
                    .map(name -> "CAST(? AS " + name + ")")
                    .orElse("?");
        }
        return "?";
    }

    /** The engine's name of a type to which a parameter is cast; null for texts, which parameters are anyway. */
    private static @Nullable String castName(PostgresType type) {
        return switch (type) {
            case BOOL -> "BOOLEAN";
            case INT2 -> "SMALLINT";
            case INT4 -> "INTEGER";
            case INT8 -> "BIGINT";
            case FLOAT4 -> "REAL";
            case FLOAT8 -> "DOUBLE";
            case NUMERIC -> "NUMBER";
            case DATE -> "DATE";
            case TIME -> "TIME";
            case TIMESTAMP -> "TIMESTAMP";
            case TIMESTAMPTZ -> "TIMESTAMP WITH TIME ZONE";
            case INTERVAL -> "INTERVAL";
            case UUID -> "UUID";
            default -> null;
        };
    }

    /** Whether a value is cast to numeric without a precision, which would cut its fraction. */
    private static boolean isPlainNumeric(List<Lexeme> lexemes, int place) {
        String word = lexemes.get(place).word();
        if (!NUMERIC_WORDS.contains(word) || place == 0 || place + 1 == lexemes.size()) {
            return false;
        }
        Lexeme before = lexemes.get(place - 1);
        Lexeme after = lexemes.get(place + 1);
        return before.isWord("AS") && after.isSymbol(")");
    }

    /** Keeps words apart that were, and lines as they were, so that a reader finds his way. */
    private void gap(int start, int end) {
        int length = sql.length();
        for (int i = start; i < end; i++) {
            if (source.charAt(i) == '\n') {
                sql.append('\n');
            }
        }
        if (length == sql.length() && start < end) {
            sql.append(' ');
        }
    }

    /** The number of a parameter, from 1. */
    static int number(String source, Lexeme parameter) {
        String digits = parameter.text().substring(1);
        int number = digits.length() > 5 ? 0 : Integer.parseInt(digits);
        if (number < 1 || number > MOST_PARAMETERS) {
            throw Place.error(
                    ErrorCode.SYNTAX,
                    source,
                    parameter.start(),
                    "there is no parameter " + parameter.text() + "; they" + " are $1 to $" + MOST_PARAMETERS);
        }
        return number;
    }
}
