package dev.fulmar.sql;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.spi.CreateTableAsPlan;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.ddl.TableAsParser.TableAs;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Derives the new table of a CREATE TABLE AS statement, its columns and their types, from the plan of the statement's
 * query.
 */
final class CreatedTable {
    private final TableAs made;
    private final StatementPlan query;
    private final Position position;

    /** @param query plan of the query */
    CreatedTable(TableAs made, StatementPlan query) {
        this.made = made;
        this.query = query;
        this.position = made.query().getFirst().position();
    }

    /** @param text of the query */
    CreateTableAsPlan of(String text, Catalog catalog) {
        boolean exists =
                catalog.tables().containsKey(made.name()) || catalog.views().containsKey(made.name());
        if (exists && !made.lenient()) {
            throw SqlErrors.at(
                    ErrorCode.OBJECT_EXISTS,
                    made.position(),
                    "there is a table or view " + made.name() + " already; drop it first or choose another name");
        }
        return new CreateTableAsPlan(
                made.name(),
                exists,
                made.lenient(),
                exists ? "" : elements(),
                made.placement(),
                made.withRows() ? Optional.of(text) : Optional.empty(),
                query);
    }

    private String elements() {
        if (!query.isReadOnly() || query.columns().isEmpty()) {
            throw SqlErrors.at(ErrorCode.NOT_SUPPORTED, position, "a table is made of a query, which changes nothing");
        }
        if (!query.parameters().isEmpty()) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    position,
                    "the query of a table has no parameters; create the table, and INSERT ... SELECT");
        }
        int count = query.columns().size();
        if (!made.columns().isEmpty() && made.columns().size() != count) {
            throw SqlErrors.syntax(
                    position,
                    "the query has " + count + " columns, and table " + made.name() + " names "
                            + made.columns().size());
        }
        List<String> elements = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        for (ResultColumn column : query.columns()) {
            String name =
                    made.columns().isEmpty() ? column.name() : made.columns().get(elements.size());
            if (!names.add(name)) {
                throw SqlErrors.syntax(
                        position,
                        "table " + made.name() + " would have two columns " + name
                                + "; name its columns: CREATE TABLE t (a, b) AS ...");
            }
            boolean isNotNull = made.keepsNotNull() && !column.nullable();
            elements.add(quoted(name) + " " + stored(column.type()) + (isNotNull ? " NOT NULL" : ""));
        }
        if (!made.primaryKey().isEmpty()) {
            elements.add("PRIMARY KEY ("
                    + made.primaryKey().stream().map(CreatedTable::quoted).collect(Collectors.joining(", ")) + ")");
        }
        return String.join(", ", elements);
    }

    /** No column is of texts that are all empty. */
    private static ColumnType stored(ColumnType type) {
        boolean hasLength = type.kind().isCharacter() || type.kind() == TypeKind.VARBINARY;
        return hasLength ? new ColumnType(type.kind(), Math.max(1, type.precision()), 0) : type;
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
