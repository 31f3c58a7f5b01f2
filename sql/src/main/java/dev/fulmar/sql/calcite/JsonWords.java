package dev.fulmar.sql.calcite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants;
import org.apache.calcite.sql.parser.babel.Token;

/**
 * Writes operators of documents as the name of a function between two {@code ||}, where {@link JsonOperators} finds
 * them. The words have the place of the operator. Aggregates of documents become STRING_AGG.
 */
final class JsonWords implements SqlBabelParserImplConstants {
    private static final Pattern AGGREGATE = Pattern.compile("JSONB?_(?:OBJECT_)?AGG", Pattern.CASE_INSENSITIVE);

    /** Functions whose argument may be a row. */
    private static final Pattern OF_ROWS =
            Pattern.compile("ROW_TO_JSON|TO_JSONB?|JSONB?_AGG|ARRAY_AGG", Pattern.CASE_INSENSITIVE);

    private static final Pattern ROW_ARGUMENT = Pattern.compile("\\(\\s*ROW\\s*\\(", Pattern.CASE_INSENSITIVE);

    private JsonWords() {}

    /** Whether a statement may have such an operator. */
    static boolean mayBeIn(String text) {
        return text.contains("->")
                || text.contains("||")
                || text.indexOf('^') >= 0
                || AGGREGATE.matcher(text).find()
                || ROW_ARGUMENT.matcher(text).find();
    }

    static List<Token> spread(List<Token> written) {
        List<Token> all = new ArrayList<>(written.size());
        for (int i = 0; i < written.size(); i++) {
            int count = count(written, i);
            if (isRow(written, i)) {
                Token row = written.get(i);
                all.add(CompletedTokens.added(
                        QUOTED_IDENTIFIER, '"' + JsonOperators.TUPLE + '"', row.beginLine, row.beginColumn));
            } else if (isAggregate(written, i)) {
                i = addAggregate(written, i, all);
            } else if (count == 0) {
                all.add(written.get(i));
            } else {
                add(written.subList(i, i + count), all);
                i += count - 1;
            }
        }
        return all;
    }

    /** Whether this is ROW as the first argument of a function that makes a document. */
    private static boolean isRow(List<Token> tokens, int place) {
        return place > 1
                && place + 1 < tokens.size()
                && tokens.get(place).kind == ROW
                && tokens.get(place + 1).kind == LPAREN
                && tokens.get(place - 1).kind == LPAREN
                && OF_ROWS.matcher(tokens.get(place - 2).image).matches();
    }

    private static boolean isAggregate(List<Token> tokens, int place) {
        return place + 1 < tokens.size()
                && tokens.get(place + 1).kind == LPAREN
                && AGGREGATE.matcher(tokens.get(place).image).matches();
    }

    /**
     * Writes an aggregate as STRING_AGG, which may have an order, with its name before its arguments.
     *
     * @return the place of the last token that was written
     */
    private static int addAggregate(List<Token> tokens, int place, List<Token> all) {
        Token name = tokens.get(place);
        String image = "\"#" + name.image.toUpperCase(Locale.ROOT) + '"';
        all.add(CompletedTokens.added(STRING_AGG, "STRING_AGG", name.beginLine, name.beginColumn));
        int last = place + 1;
        all.add(tokens.get(last));
        int next = tokens.get(last + 1).kind;
        if (next == DISTINCT || next == ALL) {
            all.add(tokens.get(++last));
        }
        all.add(CompletedTokens.added(QUOTED_IDENTIFIER, image, name.beginLine, name.beginColumn));
        if (tokens.get(last + 1).kind != RPAREN) {
            all.add(CompletedTokens.added(COMMA, ",", name.beginLine, name.beginColumn));
        }
        return last;
    }

    /** How many tokens from the place on are an operator; 0 for none. */
    private static int count(List<Token> tokens, int place) {
        int kind = tokens.get(place).kind;
        if (kind == LAMBDA) {
            return isBeside(tokens, place, GT) ? 2 : 1;
        }
        if (kind == CARET) {
            if (isBeside(tokens, place, GT)) {
                return isBeside(tokens, place + 1, GT) ? 3 : 2;
            }
            return isBeside(tokens, place, LT) || isBeside(tokens, place, EQ) || isBeside(tokens, place, CARET) ? 2 : 0;
        }
        return kind == LT && isBeside(tokens, place, CARET) ? 2 : 0;
    }

    private static boolean isBeside(List<Token> tokens, int place, int kind) {
        Token token = tokens.get(place);
        return place + 1 < tokens.size()
                && tokens.get(place + 1).kind == kind
                && tokens.get(place + 1).beginLine == token.endLine
                && tokens.get(place + 1).beginColumn == token.endColumn + 1;
    }

    private static void add(List<Token> operator, List<Token> all) {
        Token first = operator.getFirst();
        StringBuilder image = new StringBuilder("\"#");
        operator.forEach(token -> image.append(token.image));
        all.add(CompletedTokens.added(CONCAT, "||", first.beginLine, first.beginColumn));
        all.add(CompletedTokens.added(
                QUOTED_IDENTIFIER, image.append('"').toString(), first.beginLine, first.beginColumn));
        all.add(CompletedTokens.added(CONCAT, "||", first.beginLine, first.beginColumn));
    }
}
