package dev.fulmar.node.admin;

import static dev.fulmar.node.admin.SystemTable.number;
import static dev.fulmar.node.admin.SystemTable.text;
import static dev.fulmar.node.admin.SystemTable.truth;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** {@code @Catalog(kind)}: what exists, as a table. */
final class CatalogTables {
    static final String USAGE = "@Catalog('TABLES'), 'COLUMNS', 'INDEXES' or 'PROCEDURES'";

    private CatalogTables() {}

    static byte[] block(String kind, NodeControl control) {
        Catalog catalog = control.catalog();
        return switch (kind.toUpperCase(Locale.ROOT)) {
            case "TABLES" -> tables(catalog);
            case "COLUMNS" -> columns(catalog);
            case "INDEXES" -> indexes(catalog);
            case "PROCEDURES" -> procedures(control);
            default ->
                throw new FulmarException(
                        ErrorCode.WRONG_PARAMETERS, "the catalog has no '" + kind + "'; call " + USAGE);
        };
    }

    private static byte[] tables(Catalog catalog) {
        SystemTable result = new SystemTable(List.of(
                text("TABLE_NAME"),
                text("PARTITIONING_COLUMN"),
                text("PRIMARY_KEY"),
                number("COLUMNS"),
                number("INDEXES")));
        for (Table table : catalog.tables().values()) {
            String partitioning = table.partitioningColumn().isEmpty()
                    ? null
                    : table.columns().get(table.partitioningColumn().getAsInt()).name();
            String key = table.primaryKey().stream()
                    .map(column -> table.columns().get(column).name())
                    .collect(Collectors.joining(", "));
            result.row(
                    table.name(),
                    partitioning,
                    key.isEmpty() ? null : key,
                    table.columns().size(),
                    table.indexes().size());
        }
        return result.toBlock();
    }

    private static byte[] columns(Catalog catalog) {
        SystemTable result = new SystemTable(List.of(
                text("TABLE_NAME"),
                text("COLUMN_NAME"),
                number("POSITION"),
                text("TYPE"),
                truth("NULLABLE"),
                number("PRIMARY_KEY_POSITION"),
                truth("PARTITIONING")));
        for (Table table : catalog.tables().values()) {
            for (int i = 0; i < table.columns().size(); i++) {
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

    private static byte[] indexes(Catalog catalog) {
        SystemTable result = new SystemTable(List.of(
                text("TABLE_NAME"),
                text("INDEX_NAME"),
                text("KIND"),
                truth("IS_UNIQUE"),
                truth("IS_PRIMARY"),
                text("COLUMNS")));
        for (Table table : catalog.tables().values()) {
            for (Index index : table.indexes()) {
                String columns = index.columns().stream()
                        .map(column ->
                                table.columns().get(column.column()).name() + (column.descending() ? " DESC" : ""))
                        .collect(Collectors.joining(", "));
                result.row(table.name(), index.name(), index.kind(), index.unique(), index.primary(), columns);
            }
        }
        return result.toBlock();
    }

    private static byte[] procedures(NodeControl control) {
        SystemTable result = new SystemTable(List.of(
                text("PROCEDURE_NAME"),
                text("KIND"),
                text("PARTITIONING_TABLE"),
                text("PARTITIONING_COLUMN"),
                number("PARTITIONING_PARAMETER"),
                text("DEFINITION"),
                text("WHY_BY_VALUE")));
        for (ProcedureDefinition procedure : control.catalog().procedures().values()) {
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
        return result.toBlock();
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
