package dev.fulmar.sql.ddl;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.sql.text.Token;
import org.jspecify.annotations.Nullable;

/** Reads what follows DEFAULT, up to the next option of the column. */
final class DefaultParser {
    private DefaultParser() {}

    /**
     * A default; a default of NULL is none.
     *
     * @param text as it is written, null if there is none
     */
    record Default(@Nullable Expression value, @Nullable String text) {
        static final Default NONE = new Default(null, null);
    }

    static Default parse(TokenReader reader, ColumnType type, DdlExpressions expressions) {
        Token first = reader.peek();
        int depth = 0;
        boolean begun = false;
        while (!reader.isAtEnd()) {
            Token token = reader.peek();
            if (depth == 0 && (isElementEnd(token) || (begun && isColumnOption(token)))) {
                break;
            }
            begun = true;
            depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
            reader.take();
        }
        if (!begun) {
            throw reader.unexpected("a default value");
        }
        String text = reader.textSince(first);
        Expression value = expressions.defaultValue(text, type, first.position());
        return value instanceof Expression.Literal literal && literal.value() == null
                ? Default.NONE
                : new Default(value, text);
    }

    private static boolean isElementEnd(Token token) {
        return token.isSymbol(",") || token.isSymbol(")");
    }

    private static boolean isColumnOption(Token token) {
        return token.isWord("NOT")
                || token.isWord("NULL")
                || token.isWord("PRIMARY")
                || token.isWord("REFERENCES")
                || token.isWord("GENERATED")
                || token.isWord("UNIQUE")
                || token.isWord("CHECK")
                || token.isWord("CONSTRAINT");
    }
}
