package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/** Which statements of Calcite's grammar are Fulmar's. */
final class StatementKinds {
    private StatementKinds() {}

    /** Refuses what the grammar knows and Fulmar does not. */
    static void check(SqlNode statement) {
        SqlKind kind = statement.getKind();
        if (!kind.belongsTo(SqlKind.QUERY)
                && kind != SqlKind.INSERT
                && kind != SqlKind.UPDATE
                && kind != SqlKind.DELETE) {
            Position position = new Position(
                    statement.getParserPosition().getLineNum(),
                    statement.getParserPosition().getColumnNum());
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    position,
                    kind + " is not a statement of Fulmar; it knows SELECT, VALUES, INSERT, UPSERT, UPDATE, DELETE,"
                            + " EXPLAIN and DDL");
        }
    }
}
