package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.Optional;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUpdate;

/** The statements of Calcite's grammar that are Fulmar's. */
final class StatementKinds {
    private StatementKinds() {}

    /** The alias that a write gives its table, if it has one. */
    static Optional<String> alias(SqlNode statement) {
        SqlIdentifier alias = switch (statement) {
            case SqlUpdate update -> update.getAlias();
            case SqlDelete delete -> delete.getAlias();
            default -> null;
        };
        return Optional.ofNullable(alias).map(SqlIdentifier::getSimple);
    }

    /** Refuses changes of what is no table. */
    static void checkTarget(SqlNode statement, Catalog catalog) {
        SqlNode target = switch (statement) {
            case SqlInsert insert -> insert.getTargetTable();
            case SqlUpdate update -> update.getTargetTable();
            case SqlDelete delete -> delete.getTargetTable();
            default -> null;
        };
        if (!(target instanceof SqlIdentifier name)) {
            return;
        }
        String object =
                name.isSimple() ? name.getSimple() : SchemaName.qualified(name.names.getFirst(), name.names.get(1));
        if (catalog.tables().containsKey(object) && catalog.table(object).isSequence()) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    new Position(
                            name.getParserPosition().getLineNum(),
                            name.getParserPosition().getColumnNum()),
                    name + " is a sequence; NEXT VALUE FOR " + name + " is all that changes it");
        }
        Table written = catalog.tables().get(object);
        if (written != null) {
            checkWritten(
                    written,
                    new Position(
                            name.getParserPosition().getLineNum(),
                            name.getParserPosition().getColumnNum()));
        }
        boolean isInformation = name.names.size() > 1 && SchemaName.showsCatalog(name.names.getFirst());
        if (isInformation || catalog.views().containsKey(object)) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    new Position(
                            name.getParserPosition().getLineNum(),
                            name.getParserPosition().getColumnNum()),
                    name + " is a view and cannot be changed; change the tables that it shows");
        }
    }

    /** Refuses to change a materialized view. */
    static void checkWritten(Table table, Position position) {
        Aggregation aggregation = table.aggregation().orElse(null);
        if (aggregation != null) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    position,
                    table.name() + " is a materialized view, which changes with its table; change "
                            + aggregation.source()
                            + aggregation
                                    .join()
                                    .map(join -> " or " + join.source())
                                    .orElse(""));
        }
    }

    /** Refuses what the grammar knows and Fulmar does not. */
    static void check(SqlNode statement, String sql) {
        SqlKind kind = statement.getKind();
        if (!kind.belongsTo(SqlKind.QUERY)
                && kind != SqlKind.INSERT
                && kind != SqlKind.UPDATE
                && kind != SqlKind.DELETE) {
            throw ForeignStatements.refusal(sql)
                    .orElseGet(() -> SqlErrors.at(
                            ErrorCode.NOT_SUPPORTED,
                            new Position(1, 1),
                            kind
                                    + " is not a statement of Fulmar; it knows SELECT, VALUES, INSERT, UPSERT, UPDATE, DELETE,"
                                    + " MERGE, EXPLAIN and DDL"));
        }
    }
}
