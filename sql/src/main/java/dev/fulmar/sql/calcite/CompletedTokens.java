package dev.fulmar.sql.calcite;

import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParserImplFactory;
import org.apache.calcite.sql.parser.babel.SimpleCharStream;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImpl;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImplTokenManager;
import org.apache.calcite.sql.parser.babel.Token;
import org.apache.calcite.util.SourceStringReader;
import org.jspecify.annotations.Nullable;

/**
 * The words that Calcite's parser reads, with some that its grammar lacks. It casts all that stands before {@code ::}
 * in the expression, so {@code a + b::INTEGER} would be the cast of a sum. The operand of each gets the parentheses
 * that it lacks. {@code SELECT DISTINCT ON (a, b) c} becomes {@code SELECT "#ON" (a, b), c}, which {@link DistinctOn}
 * knows. {@link SetLists} are taken apart, {@link GroupFrames} become frames of rows, and {@link RowFunctionWords}
 * tables. Added words have the positions of those beside them, so errors are told of the text as it was written.
 */
final class CompletedTokens extends SqlBabelParserImplTokenManager {
    /** Makes the parsers of the dialect. */
    static final SqlParserImplFactory FACTORY = CompletedTokens::parser;

    private static final Pattern KEYS = Pattern.compile("\\bDISTINCT\\s+ON\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern GROUPS_WORD = Pattern.compile("\\bGROUPS\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern SET_WORD = Pattern.compile("\\bSET\\b", Pattern.CASE_INSENSITIVE);

    private final SqlBabelParserImplTokenManager source;
    private @Nullable Iterator<Token> tokens;

    private CompletedTokens(SqlBabelParserImplTokenManager source) {
        super(new SimpleCharStream(new StringReader("")));
        this.source = source;
    }

    private static SqlAbstractParserImpl parser(Reader text) {
        SqlAbstractParserImpl parser = SqlBabelParserImpl.FACTORY.getParser(text);
        if (parser instanceof SqlBabelParserImpl babel
                && text instanceof SourceStringReader known
                && lacksWords(known.getSourceString())) {
            babel.token_source = new CompletedTokens(babel.token_source);
        }
        return parser;
    }

    private static boolean lacksWords(String text) {
        return text.contains("::")
                || text.indexOf('[') >= 0
                || JsonWords.mayBeIn(text)
                || OrderedCalls.mayBeIn(text)
                || IntervalWords.mayBeIn(text)
                || RowFunctionWords.mayBeIn(text)
                || QueryWords.mayBeIn(text)
                || JoinWords.mayBeIn(text)
                || NumberWords.mayBeIn(text)
                || KEYS.matcher(text).find()
                || GROUPS_WORD.matcher(text).find()
                || maySetLists(text);
    }

    private static boolean maySetLists(String text) {
        Matcher set = SET_WORD.matcher(text);
        return set.find() && text.indexOf('(', set.end()) >= 0;
    }

    @Override
    public void SwitchTo(int lexicalState) {
        source.SwitchTo(lexicalState);
    }

    @Override
    public Token getNextToken() {
        Iterator<Token> known = tokens;
        if (known == null) {
            known = read().iterator();
            tokens = known;
        }
        // The parser may ask again behind the end.
        return known.hasNext() ? known.next() : source.getNextToken();
    }

    private List<Token> read() {
        List<Token> written = new ArrayList<>();
        do {
            written.add(source.getNextToken());
        } while (written.getLast().kind != EOF);
        List<Token> queries =
                JoinWords.spread(RowFunctionWords.spread(QueryWords.spread(NumberWords.spread(arrays(written)))));
        List<Token> all = GroupFrames.spread(
                SetLists.spread(OrderedCalls.spread(JsonWords.spread(IntervalWords.spread(queries)))));
        List<String> words = all.stream().map(token -> token.image).toList();
        CastOperands operands = CastOperands.of(words);
        JsonRanks ranks = JsonRanks.of(words);
        BitSet behindKeys = new BitSet();
        List<Token> whole = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Token token = all.get(i);
            if (isDistinctOn(all, i)) {
                Token on = all.get(i + 1);
                on.kind = QUOTED_IDENTIFIER;
                on.image = '"' + DistinctOn.MARK + '"';
                behindKeys.set(closing(all, i + 2));
                continue;
            }
            for (int n = 0; n < operands.opened(i) + ranks.opened(i); n++) {
                whole.add(added(LPAREN, "(", token.beginLine, token.beginColumn));
            }
            whole.add(token);
            for (int n = 0; n < operands.closed(i) + ranks.closed(i); n++) {
                whole.add(added(RPAREN, ")", token.endLine, token.endColumn));
            }
            if (behindKeys.get(i)) {
                whole.add(added(COMMA, ",", token.endLine, token.endColumn));
            }
        }
        return whole;
    }

    /** Brackets without anything between them make an array of the type before them. */
    private static List<Token> arrays(List<Token> written) {
        List<Token> all = new ArrayList<>(written.size());
        for (int i = 0; i < written.size(); i++) {
            Token token = written.get(i);
            boolean isOfType = token.kind == LBRACKET
                    && written.get(Math.min(i + 1, written.size() - 1)).kind == RBRACKET
                    && i > 0
                    && written.get(i - 1).kind != ARRAY;
            if (isOfType) {
                i++;
            }
            all.add(isOfType ? added(ARRAY, "ARRAY", token.beginLine, token.beginColumn) : token);
        }
        return all;
    }

    private static boolean isDistinctOn(List<Token> all, int place) {
        return all.get(place).kind == DISTINCT
                && place + 2 < all.size()
                && all.get(place + 1).kind == ON
                && all.get(place + 2).kind == LPAREN;
    }

    /** The place of the parenthesis or bracket that closes the one at the place; the last place if there is none. */
    static int closing(List<Token> all, int place) {
        int depth = 0;
        for (int i = place; i < all.size(); i++) {
            int kind = all.get(i).kind;
            depth += kind == LPAREN || kind == LBRACKET ? 1 : kind == RPAREN || kind == RBRACKET ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return all.size() - 1;
    }

    /** A word that the statement does not have. */
    static Token added(int kind, String image, int line, int column) {
        Token token = Token.newToken(kind);
        token.kind = kind;
        token.image = image;
        token.beginLine = line;
        token.endLine = line;
        token.beginColumn = column;
        token.endColumn = column;
        return token;
    }
}
