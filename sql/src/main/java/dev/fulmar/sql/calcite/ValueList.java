package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;

/** The list of a query that stands for values of a statement: each item is one value. */
final class ValueList {
    private ValueList() {}

    /** Refuses a star, which would be several values, and a name, which no value has. */
    static void check(SqlNode query) {
        if (!(query instanceof SqlSelect select)) {
            return; // a query of another form is no list of values, which its reader sees
        }
        for (SqlNode item : select.getSelectList()) {
            if (item instanceof SqlIdentifier identifier && identifier.isStar()) {
                throw SqlErrors.at(
                        ErrorCode.TYPE_MISMATCH,
                        position(item),
                        "a star is all columns of a row, and one value is to be here; name a column");
            }
            if (item.getKind() == SqlKind.AS) {
                throw SqlErrors.syntax(position(item), "a value that is set has no name of its own; leave out AS");
            }
        }
    }

    private static Position position(SqlNode node) {
        return new Position(
                node.getParserPosition().getLineNum(), node.getParserPosition().getColumnNum());
    }
}
