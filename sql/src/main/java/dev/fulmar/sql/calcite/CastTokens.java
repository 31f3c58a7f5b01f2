package dev.fulmar.sql.calcite;

import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParserImplFactory;
import org.apache.calcite.sql.parser.babel.SimpleCharStream;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImpl;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImplTokenManager;
import org.apache.calcite.sql.parser.babel.Token;
import org.apache.calcite.util.SourceStringReader;
import org.jspecify.annotations.Nullable;

/**
 * The words that Calcite's parser reads, where some of them are {@code ::}. Its grammar casts all that stands before in
 * the expression, so {@code a + b::INTEGER} would be the cast of a sum. The operand of each gets the parentheses that
 * it lacks. These have the positions of the words beside them, so errors are told of the text as it was written.
 */
final class CastTokens extends SqlBabelParserImplTokenManager {
    /** Makes the parsers of the dialect. */
    static final SqlParserImplFactory FACTORY = CastTokens::parser;

    private final SqlBabelParserImplTokenManager source;
    private @Nullable Iterator<Token> tokens;

    private CastTokens(SqlBabelParserImplTokenManager source) {
        super(new SimpleCharStream(new StringReader("")));
        this.source = source;
    }

    private static SqlAbstractParserImpl parser(Reader text) {
        SqlAbstractParserImpl parser = SqlBabelParserImpl.FACTORY.getParser(text);
        if (parser instanceof SqlBabelParserImpl babel
                && text instanceof SourceStringReader known
                && known.getSourceString().contains("::")) {
            babel.token_source = new CastTokens(babel.token_source);
        }
        return parser;
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
        List<Token> all = new ArrayList<>();
        do {
            all.add(source.getNextToken());
        } while (all.getLast().kind != EOF);
        CastOperands operands =
                CastOperands.of(all.stream().map(token -> token.image).toList());
        List<Token> whole = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Token token = all.get(i);
            for (int n = 0; n < operands.opened(i); n++) {
                whole.add(parenthesis(LPAREN, "(", token.beginLine, token.beginColumn));
            }
            whole.add(token);
            for (int n = 0; n < operands.closed(i); n++) {
                whole.add(parenthesis(RPAREN, ")", token.endLine, token.endColumn));
            }
        }
        return whole;
    }

    private static Token parenthesis(int kind, String image, int line, int column) {
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
