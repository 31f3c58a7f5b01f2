package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.SqlErrors;
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
        Table sequence = sequence(reader, expressions);
        if (sequence != null) {
            return new Default(Column.nextValue(sequence.id()), reader.textSince(first));
        }
        int depth = 0;
        boolean begun = false;
        while (!reader.isAtEnd()) {
            Token token = reader.peek();
            if (depth == 0 && (isElementEnd(token) || (begun && (isColumnOption(token) || isTime(reader))))) {
                break;
            }
            begun = true;
            depth += token.nesting();
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

    /** The sequence of {@code nextval('s')} or {@code NEXT VALUE FOR s}, if that is all; null for another default. */
    private static @Nullable Table sequence(TokenReader reader, DdlExpressions expressions) {
        Token first = reader.peek();
        String name;
        if (first.isWord("NEXTVAL") && reader.peek(1).isSymbol("(")) {
            reader.take();
            reader.take();
            name = reader.nameText("the name of a sequence in quotes");
            reader.expectSymbol(")");
        } else if (reader.accept("NEXT", "VALUE", "FOR")) {
            name = reader.objectName("a sequence name");
        } else {
            return null;
        }
        Table sequence = expressions.table(name).filter(Table::isSequence).orElse(null);
        if (sequence == null) {
            throw SqlErrors.at(ErrorCode.UNKNOWN_OBJECT, first.position(), "there is no sequence " + name);
        }
        if (sequence.sequence().orElseThrow().owned() || SchemaName.isInTemporary(sequence.name())) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    first.position(),
                    name + " goes with an identity column or a session, and others do not draw from it; CREATE SEQUENCE"
                            + " makes one");
        }
        if (!sequence.sequence().orElseThrow().isDense()) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    first.position(),
                    "partitions draw the numbers of " + name
                            + " by themselves; CREATE SEQUENCE ... CACHE n makes one for" + " a DEFAULT");
        }
        return sequence;
    }

    /** Whether the time of the default comes, as the texts have it that the log keeps. */
    static boolean isTime(TokenReader reader) {
        return reader.peek().isWord("AS") && reader.peek(1).isWord("OF");
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
