package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.SimilarNames;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.LibraryWords;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import dev.fulmar.sql.text.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;

/**
 * Words the error of a text that the grammar does not know, at the word where it goes wrong. A hint is given only where
 * it fits: the keyword that was probably meant, what Fulmar has instead of another database's clause, or that a
 * reserved word stands where a name belongs.
 */
final class ParserErrors {
    /** Words that begin a statement. */
    private static final List<String> BEGINNINGS = List.of(
            "SELECT",
            "INSERT",
            "UPSERT",
            "UPDATE",
            "DELETE",
            "MERGE",
            "VALUES",
            "WITH",
            "CREATE",
            "DROP",
            "ALTER",
            "TRUNCATE",
            "EXPLAIN",
            "PARTITION",
            "COMMENT",
            "GRANT",
            "REVOKE");

    /** Words that may follow what a word that is misspelled was taken for: the name of a column or table. */
    private static final List<String> CLAUSES = List.of(
            "FROM",
            "WHERE",
            "GROUP",
            "HAVING",
            "ORDER",
            "LIMIT",
            "OFFSET",
            "FETCH",
            "JOIN",
            "LEFT",
            "RIGHT",
            "INNER",
            "FULL",
            "CROSS",
            "NATURAL",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "VALUES",
            "SELECT",
            "USING",
            "BETWEEN",
            "LIKE",
            "WINDOW",
            "WHEN",
            "THEN",
            "ELSE",
            "RETURNING");

    /** Reserved words that stand for values, and so are where a name may be without being meant as one. */
    private static final Set<String> VALUES = Set.of("NULL", "TRUE", "FALSE", "UNKNOWN", "DEFAULT");

    private static final Set<String> BEHIND_NAME_SYMBOLS =
            Set.of(",", ".", ")", "=", "<", ">", "<=", ">=", "<>", "!=", "+", "-", "*", "/", "||");
    private static final Set<String> BEHIND_NAME_WORDS =
            Set.of("FROM", "AS", "WHERE", "GROUP", "ORDER", "LIMIT", "IS", "IN", "LIKE", "ASC", "DESC", "VALUES");

    /** The grammar's own list of words; it is made once, by running the grammar over nothing. */
    private static final class Words {
        private static final SqlAbstractParserImpl.Metadata ALL =
                SqlParser.create("", QueryParser.PARSER).getMetadata();

        private Words() {}
    }

    private final List<Token> tokens;
    private final SqlParseException error;

    private ParserErrors(List<Token> tokens, SqlParseException error) {
        this.tokens = tokens;
        this.error = error;
    }

    static FulmarException of(String sql, SqlParseException error) {
        List<Token> tokens = Tokenizer.tokens(sql);
        Optional<FulmarException> foreign =
                ForeignStatements.refusal(tokens).or(() -> ForeignClauses.refusal(tokens, error.getPos()));
        return foreign.orElseGet(() -> new ParserErrors(tokens, error).made());
    }

    private FulmarException made() {
        String message =
                CalciteErrors.firstLine(error.getMessage()).replaceFirst("(?i) at line \\d+, column \\d+.*$", "");
        if (message.startsWith("Encountered \"<EOF>\"")) {
            return at(tokens.getLast().position(), "the statement ends too early");
        }
        if (error.getPos() == null) {
            return new FulmarException(ErrorCode.SYNTAX, shown(message), error);
        }
        Position position =
                new Position(error.getPos().getLineNum(), error.getPos().getColumnNum());
        if (message.startsWith("Non-query expression")) {
            return noBeginning();
        }
        if (message.startsWith("Lexical error")) {
            return at(position, "this character belongs to no word, number or operator");
        }
        int[][] sequences = error.getExpectedTokenSequences();
        boolean isUnexpected = message.startsWith("Encountered ") || message.startsWith("Incorrect syntax near");
        int first = isUnexpected ? tokenAt(position) : -1;
        if (first < 0 || sequences == null) {
            return at(position, isUnexpected ? "this is not expected here" : shown(message));
        }
        return unexpected(first, sequences);
    }

    private static String shown(String message) {
        return LibraryWords.shown(
                message, "the statement is not understood; check its syntax, or write it differently");
    }

    private FulmarException noBeginning() {
        Token first = tokens.getFirst();
        String hint = first.kind() == Token.Kind.WORD
                ? SimilarNames.hint(first.text(), BEGINNINGS, "; check the first word, as SELECT, INSERT or CREATE")
                : "; check the first word, as SELECT, INSERT or CREATE";
        return at(first.position(), "no statement begins with " + first.shown() + hint);
    }

    private int tokenAt(Position position) {
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.get(i).position().equals(position)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * The grammar names the first word of a sequence that it does not know; the others of the sequence may be right.
     */
    private FulmarException unexpected(int first, int[][] sequences) {
        String[] images = error.getTokenImages();
        List<int[]> matching = List.of(sequences);
        int place = 0;
        while (true) {
            int at = place;
            Token token = tokens.get(Math.min(first + at, tokens.size() - 1));
            List<int[]> longer = matching.stream()
                    .filter(sequence -> sequence.length > at + 1 && isImage(token, images[sequence[at]]))
                    .toList();
            if (longer.isEmpty() || first + at >= tokens.size() - 1) {
                break;
            }
            matching = longer;
            place++;
        }
        Set<String> expected = new TreeSet<>();
        for (int[] sequence : matching) {
            if (sequence.length > place) {
                expected.add(images[sequence[place]]);
            }
        }
        return unexpected(Math.min(first + place, tokens.size() - 1), expected);
    }

    private FulmarException unexpected(int place, Set<String> expected) {
        Token token = tokens.get(place);
        if (token.kind() == Token.Kind.END) {
            return at(token.position(), "the statement ends too early" + only(expected));
        }
        if (token.kind() == Token.Kind.WORD && !isReserved(token)) {
            Optional<String> meant = SimilarNames.nearest(token.text(), keywords(expected));
            if (meant.isPresent()) {
                return meant(token, meant.get());
            }
        }
        Token before = place > 1 ? tokens.get(place - 1) : token;
        if (place > 1 && before.kind() == Token.Kind.WORD && !isReserved(before)) {
            Optional<String> meant = SimilarNames.nearest(before.text(), CLAUSES);
            if (meant.isPresent()) {
                return meant(before, meant.get());
            }
        }
        String hint = isReservedName(place, expected)
                ? "; a reserved word used as a name needs double quotes"
                : only(expected);
        return at(token.position(), token.shown() + " is not expected here" + hint);
    }

    private static FulmarException meant(Token token, String word) {
        return at(token.position(), token.shown() + " is not expected here; did you mean " + word + "?");
    }

    /** The word that must come, where there is only one. */
    private static String only(Set<String> expected) {
        List<String> words = keywords(expected);
        return expected.size() == 1 && words.size() == 1 ? "; " + words.getFirst() + " comes here" : "";
    }

    private static List<String> keywords(Set<String> images) {
        List<String> words = new ArrayList<>();
        for (String image : images) {
            if (image.matches("\"[A-Z_]+\"")) {
                words.add(image.substring(1, image.length() - 1));
            }
        }
        return words;
    }

    private static boolean isImage(Token token, String image) {
        return switch (token.kind()) {
            case WORD ->
                image.equalsIgnoreCase("\"" + token.text() + "\"")
                        || (image.equals("<IDENTIFIER>") && !isReserved(token));
            case QUOTED_NAME -> image.equals("<QUOTED_IDENTIFIER>");
            case STRING -> image.equals("<QUOTED_STRING>");
            case NUMBER -> image.contains("INTEGER_LITERAL") || image.contains("DECIMAL_NUMERIC");
            case SYMBOL -> image.equals("\"" + token.text() + "\"");
            case END -> image.equals("<EOF>");
        };
    }

    private static boolean isReserved(Token token) {
        return Words.ALL.isReservedWord(token.text().toUpperCase(Locale.ROOT));
    }

    /** Whether a name belongs there, the word is reserved, and what follows would follow a name. */
    private boolean isReservedName(int place, Set<String> expected) {
        Token token = tokens.get(place);
        boolean isWord = token.kind() == Token.Kind.WORD
                && !VALUES.contains(token.text().toUpperCase(Locale.ROOT))
                && isReserved(token);
        if (!isWord || !expected.contains("<IDENTIFIER>")) {
            return false;
        }
        Token next = tokens.get(Math.min(place + 1, tokens.size() - 1));
        return switch (next.kind()) {
            case END -> true;
            case SYMBOL -> BEHIND_NAME_SYMBOLS.contains(next.text());
            case WORD -> BEHIND_NAME_WORDS.contains(next.text().toUpperCase(Locale.ROOT));
            case NUMBER, STRING, QUOTED_NAME -> false;
        };
    }

    private static FulmarException at(Position position, String message) {
        return SqlErrors.syntax(position, message);
    }
}
