package dev.fulmar.node.admin;

import static dev.fulmar.node.admin.SystemTable.number;
import static dev.fulmar.node.admin.SystemTable.text;
import static dev.fulmar.node.admin.SystemTable.truth;

import dev.fulmar.coordinator.access.AccessControl;
import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.spi.Statistics;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The system procedures {@code @Catalog(kind)} and {@code @Catalog(kind, table)}: the catalog as tables. */
final class CatalogTables {
    static final String USAGE =
            "@Catalog('TABLES'), 'COLUMNS', 'INDEXES', 'PROCEDURES', 'CENSUS', 'PLAN', 'USERS' or 'GRANTS'; of one table with its name behind";

    private CatalogTables() {}

    /**
     * Rows of what the caller may know of.
     *
     * @param name of the only table that is asked for, as the catalog has it; empty for all
     */
    static byte[] block(String kind, String name, NodeControl control, Caller caller) {
        Catalog catalog = control.catalog();
        List<Table> tables = catalog.shown().tables().values().stream()
                .filter(table -> name.isEmpty() || table.name().equals(name))
                .filter(table -> AccessControl.sees(caller, catalog, table.name()))
                .toList();
        // Who may not see a table is told the same as if there were none.
        if (!name.isEmpty() && tables.isEmpty()) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_OBJECT, "there is no table " + name + "; @Catalog('TABLES') lists them");
        }
        return switch (kind.toUpperCase(Locale.ROOT)) {
            case "TABLES" -> tables(tables);
            case "COLUMNS" -> columns(tables);
            case "INDEXES" -> indexes(tables);
            case "PROCEDURES" -> procedures(control, catalog, caller);
            case "CENSUS" -> census(tables, control.statistics());
            case "PLAN" -> plan(control.plan());
            case "USERS" -> AccessTables.users(catalog, caller);
            case "GRANTS" -> AccessTables.grants(catalog, caller);
            default ->
                throw new FulmarException(
                        ErrorCode.WRONG_PARAMETERS, "the catalog has no '" + kind + "'; call " + USAGE);
        };
    }

    private static byte[] tables(List<Table> tables) {
        SystemTable result = new SystemTable(List.of(
                text("TABLE_NAME"),
                text("PARTITIONING_COLUMN"),
                text("PRIMARY_KEY"),
                number("COLUMNS"),
                number("INDEXES"),
                text("PLACEMENT")));
        for (Table table : tables) {
            String partitioning = table.isReplicated() || table.hasRowId()
                    ? null
                    : table.columns().get(table.partitioningColumn().getAsInt()).name();
            String key = table.primaryKey().stream()
                    .map(column -> table.columns().get(column).name())
                    .collect(Collectors.joining(", "));
            result.row(
                    table.name(),
                    partitioning,
                    key.isEmpty() ? null : key,
                    table.visibleColumns().size(),
                    table.indexes().size(),
                    table.placement());
        }
        return result.toBlock();
    }

    /**
     * The planner's statistics: for each table its rows, and the number of values of its columns and of the prefixes of
     * its indexes.
     */
    private static byte[] census(List<Table> tables, Statistics statistics) {
        SystemTable result = new SystemTable(
                List.of(text("TABLE_NAME"), number("TABLE_ROWS"), text("COLUMN_NAMES"), number("DISTINCT_VALUES")));
        for (Table table : tables) {
            Statistics.TableFigures figures = statistics.of(table.id());
            if (figures != null) {
                result.row(table.name(), figures.rows(), null, null);
                for (Statistics.KeyValues key : figures.keys()) {
                    if (key.columns().stream()
                            .anyMatch(column -> table.columns().get(column).isRowId())) {
                        continue; // no statement asks for it
                    }
                    String columns = key.columns().stream()
                            .map(column -> table.columns().get(column).name())
                            .collect(Collectors.joining(", "));
                    result.row(table.name(), figures.rows(), columns, key.values());
                }
            }
        }
        return result.toBlock();
    }

    /**
     * The ranges of the partition plan, with both ends; a partition that has none has a row without a range. Positions
     * of hashes are in signed order, as the plan has them.
     */
    private static byte[] plan(PartitionPlan plan) {
        SystemTable result = new SystemTable(List.of(
                number("PLAN_VERSION"),
                number("PARTITION"),
                text("KEYS"),
                number("FIRST_POSITION"),
                number("LAST_POSITION")));
        int partition = 0;
        for (List<KeyRange> ranges : plan.rangesByPartition()) {
            for (KeyRange range : ranges) {
                result.row(plan.version(), partition, range.space(), range.first(), range.last());
            }
            if (ranges.isEmpty()) {
                result.row(plan.version(), partition, null, null, null);
            }
            partition++;
        }
        return result.toBlock();
    }

    private static byte[] columns(List<Table> tables) {
        SystemTable result = new SystemTable(List.of(
                text("TABLE_NAME"),
                text("COLUMN_NAME"),
                number("POSITION"),
                text("TYPE"),
                truth("NULLABLE"),
                number("PRIMARY_KEY_POSITION"),
                truth("PARTITIONING")));
        for (Table table : tables) {
            for (int i = 0; i < table.visibleColumns().size(); i++) {
                Column column = table.columns().get(i);
                int keyPosition = table.primaryKey().indexOf(i);
                result.row(
                        table.name(),
                        column.name(),
                        i + 1,
                        column.type(),
                        column.nullable(),
                        keyPosition < 0 ? null : keyPosition + 1,
                        table.partitioningColumn().orElse(-1) == i);
            }
        }
        return result.toBlock();
    }

    private static byte[] indexes(List<Table> tables) {
        SystemTable result = new SystemTable(List.of(
                text("TABLE_NAME"),
                text("INDEX_NAME"),
                text("KIND"),
                truth("IS_UNIQUE"),
                truth("IS_PRIMARY"),
                text("COLUMNS")));
        for (Table table : tables) {
            for (Index index : table.indexes()) {
                String columns = index.columns().stream()
                        .map(column -> column.text(table) + (column.descending() ? " DESC" : ""))
                        .collect(Collectors.joining(", "));
                result.row(table.name(), index.name(), index.kind(), index.unique(), index.primary(), columns);
            }
        }
        return result.toBlock();
    }

    private static byte[] procedures(NodeControl control, Catalog catalog, Caller caller) {
        SystemTable result = new SystemTable(List.of(
                text("PROCEDURE_NAME"),
                text("KIND"),
                text("PARTITIONING_TABLE"),
                text("PARTITIONING_COLUMN"),
                number("PARTITIONING_PARAMETER"),
                text("DEFINITION"),
                text("WHY_BY_VALUE")));
        for (ProcedureDefinition procedure : catalog.procedures().values()) {
            if (!AccessControl.sees(caller, catalog, procedure)) {
                continue;
            }
            String reasons = String.join("\n", control.valueReasons(procedure.name()));
            ProcedureDefinition.Partitioning partitioning =
                    procedure.partitioning().orElse(null);
            result.row(
                    procedure.name(),
                    kindOf(procedure.body()),
                    partitioning == null ? null : partitioning.table(),
                    partitioning == null ? null : partitioning.column(),
                    partitioning == null ? null : partitioning.parameter(),
                    definitionOf(procedure.body()),
                    reasons.isEmpty() ? null : reasons);
        }
        for (UserFunction function : catalog.functions().values()) {
            if (AccessControl.sees(caller, catalog, function)) {
                result.row(function.name(), function.kind(), null, null, null, definitionOf(function.body()), null);
            }
        }
        return result.toBlock();
    }

    private static String definitionOf(UserFunction.Body body) {
        return switch (body) {
            case UserFunction.JavaMethod java ->
                java.className() + (java.method().isEmpty() ? "" : "." + java.method());
            case UserFunction.Formula formula -> formula.text();
            case UserFunction.Aggregate aggregate -> aggregate.step();
        };
    }

    private static String kindOf(ProcedureDefinition.Body body) {
        return switch (body) {
            case ProcedureDefinition.JavaClass ignored -> "JAVA";
            case ProcedureDefinition.Sql ignored -> "SQL";
            case ProcedureDefinition.RowAccess ignored -> "AUTOMATIC";
        };
    }

    private static String definitionOf(ProcedureDefinition.Body body) {
        return switch (body) {
            case ProcedureDefinition.JavaClass java -> java.className();
            case ProcedureDefinition.Sql sql -> String.join("; ", sql.statements());
            case ProcedureDefinition.RowAccess access -> access.operation() + " " + access.table();
        };
    }
}
