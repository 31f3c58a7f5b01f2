package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Makes the expression that DEFAULT stands for where an UPDATE, or the update of a MERGE, assigns it to a column. */
final class ColumnDefault {
    private ColumnDefault() {}

    /** The expression that the column's DEFAULT is, or NULL; a number of a sequence is drawn for new rows only. */
    static SqlNode of(Column column, Position place, SqlParser.Config parser) throws SqlParseException {
        if (column.drawsFrom().isPresent()) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    place,
                    "an UPDATE draws no number for " + column.name() + "; insert the row anew");
        }
        if (column.isGenerated()) {
            return new SqlIdentifier(column.name(), new SqlParserPos(place.line(), place.column())); // computed anyway
        }
        String text = column.defaultText();
        return text == null
                ? SqlLiteral.createNull(new SqlParserPos(place.line(), place.column()))
                : SqlParser.create(new StatementReader("CAST((" + text + ") AS " + column.type() + ")"), parser)
                        .parseExpression();
    }
}
