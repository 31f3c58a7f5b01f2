package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Comments.Kind;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.calcite.InformationTable.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows of INFORMATION_SCHEMA. */
final class InformationRows {
    private static final Field TABLE = Field.text("TABLE_NAME");
    private static final Field COLUMN = Field.text("COLUMN_NAME");
    private static final Field POSITION = Field.number("ORDINAL_POSITION");
    private static final Field REMARKS = Field.text("REMARKS");

    private final Catalog catalog;

    InformationRows(Catalog catalog) {
        this.catalog = catalog;
    }

    List<InformationTable> tables() {
        List<InformationTable> tables = new ArrayList<>(tablesOfColumns());
        tables.addAll(tablesOfConstraints());
        tables.addAll(tablesOfOthers());
        return tables;
    }

    private List<InformationTable> tablesOfColumns() {
        return List.of(
                new InformationTable(
                        "TABLES",
                        List.of(TABLE, Field.text("TABLE_TYPE"), Field.text("PARTITIONING_COLUMN"), REMARKS),
                        this::tableRows),
                new InformationTable(
                        "COLUMNS",
                        List.of(
                                TABLE,
                                COLUMN,
                                POSITION,
                                Field.text("COLUMN_DEFAULT"),
                                Field.text("IS_NULLABLE"),
                                Field.text("DATA_TYPE"),
                                Field.number("CHARACTER_MAXIMUM_LENGTH"),
                                Field.number("NUMERIC_PRECISION"),
                                Field.number("NUMERIC_SCALE"),
                                REMARKS),
                        this::columnRows));
    }

    private List<InformationTable> tablesOfConstraints() {
        return List.of(
                new InformationTable(
                        "TABLE_CONSTRAINTS",
                        List.of(
                                Field.text("CONSTRAINT_NAME"),
                                TABLE,
                                Field.text("CONSTRAINT_TYPE"),
                                Field.text("CHECK_CLAUSE")),
                        this::constraintRows),
                new InformationTable(
                        "KEY_COLUMN_USAGE",
                        List.of(Field.text("CONSTRAINT_NAME"), TABLE, COLUMN, POSITION),
                        this::keyRows),
                new InformationTable(
                        "REFERENTIAL_CONSTRAINTS",
                        List.of(
                                Field.text("CONSTRAINT_NAME"),
                                TABLE,
                                COLUMN,
                                POSITION,
                                Field.text("REFERENCED_TABLE_NAME"),
                                Field.text("REFERENCED_COLUMN_NAME"),
                                Field.text("UPDATE_RULE"),
                                Field.text("DELETE_RULE")),
                        this::referenceRows),
                new InformationTable(
                        "SEQUENCES",
                        List.of(
                                Field.text("SEQUENCE_NAME"),
                                Field.text("START_VALUE"),
                                Field.text("INCREMENT"),
                                Field.number("APART")),
                        this::sequenceRows),
                new InformationTable(
                        "DEFINITIONS",
                        List.of(
                                POSITION,
                                Field.text("OBJECT_TYPE"),
                                Field.text("OBJECT_NAME"),
                                Field.text("STATEMENT")),
                        this::definitionRows));
    }

    private List<InformationTable> tablesOfOthers() {
        return List.of(
                new InformationTable("VIEWS", List.of(TABLE, Field.text("VIEW_DEFINITION")), this::viewRows),
                new InformationTable(
                        "INDEXES",
                        List.of(
                                TABLE,
                                Field.text("INDEX_NAME"),
                                Field.text("INDEX_TYPE"),
                                Field.text("IS_UNIQUE"),
                                COLUMN,
                                POSITION,
                                Field.text("IS_DESCENDING"),
                                Field.text("FILTER_CONDITION"),
                                REMARKS),
                        this::indexRows),
                new InformationTable(
                        "ROUTINES",
                        List.of(
                                Field.text("ROUTINE_NAME"),
                                Field.text("ROUTINE_TYPE"),
                                Field.text("EXTERNAL_LANGUAGE"),
                                Field.text("ROUTINE_DEFINITION"),
                                REMARKS),
                        this::routineRows));
    }

    private static List<@Nullable Object> row(@Nullable Object... values) {
        return Arrays.asList(values);
    }

    private @Nullable String remarks(Kind kind, String name) {
        return catalog.comments().text(kind, name);
    }

    private static String yes(boolean truth) {
        return truth ? "YES" : "NO";
    }

    private List<List<@Nullable Object>> tableRows() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            boolean isHidden = table.aggregation().map(Aggregation::isRegrouped).orElse(false);
            String partitioning = table.isReplicated() || isHidden
                    ? null
                    : table.columns()
                            .get(table.partitioningColumn().orElseThrow())
                            .name();
            rows.add(row(table.name(), type(table), partitioning, remarks(Kind.TABLE, table.name())));
        }
        for (View view : catalog.views().values()) {
            rows.add(row(view.name(), "VIEW", null, remarks(Kind.VIEW, view.name())));
        }
        return rows;
    }

    private static String type(Table table) {
        String kept = table.isAggregation() ? "MATERIALIZED VIEW" : "BASE TABLE";
        return table.isSequence() ? "SEQUENCE" : kept;
    }

    private List<List<@Nullable Object>> columnRows() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            if (table.aggregation().isPresent()) {
                rows.addAll(outputRows(table.name(), table.aggregation().get()));
                continue;
            }
            for (int i = 0; i < table.columns().size(); i++) {
                Column column = table.columns().get(i);
                String remark = catalog.comments().ofColumn(table.name(), column.name());
                rows.add(columnRow(
                        table.name(),
                        column.name(),
                        i + 1,
                        column.defaultText(),
                        column.nullable(),
                        column.type(),
                        remark));
            }
        }
        for (View view : catalog.views().values()) {
            for (int i = 0; i < view.columns().size(); i++) {
                ResultColumn column = view.columns().get(i);
                rows.add(columnRow(view.name(), column.name(), i + 1, null, column.nullable(), column.type(), null));
            }
        }
        return rows;
    }

    private List<List<@Nullable Object>> outputRows(String name, Aggregation aggregation) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Aggregation.Output output : aggregation.outputs()) {
            String remark = catalog.comments().ofColumn(name, output.name());
            rows.add(columnRow(name, output.name(), rows.size() + 1, null, output.nullable(), output.type(), remark));
        }
        return rows;
    }

    private static List<@Nullable Object> columnRow(
            String table,
            String column,
            int position,
            @Nullable String defaultText,
            boolean nullable,
            ColumnType type,
            @Nullable String remark) {
        boolean hasLength =
                type.kind() == TypeKind.CHAR || type.kind() == TypeKind.VARCHAR || type.kind() == TypeKind.VARBINARY;
        boolean isDecimal = type.kind() == TypeKind.DECIMAL;
        return row(
                table,
                column,
                position,
                defaultText,
                yes(nullable),
                type.kind().toString(),
                hasLength ? type.precision() : null,
                isDecimal ? type.precision() : null,
                isDecimal ? type.scale() : null,
                remark);
    }

    /** An index of the pair that a primary key has stands for both. */
    private static List<Index> keys(Table table) {
        List<Index> keys = new ArrayList<>();
        if (table.isAggregation()) {
            return keys; // its key is how it is kept, and no constraint of anybody's
        }
        for (Index index : table.indexes()) {
            boolean isSecond = index.primary() && keys.stream().anyMatch(Index::primary);
            if (index.isConstraint() && !isSecond) {
                keys.add(index);
            }
        }
        return keys;
    }

    private List<List<@Nullable Object>> constraintRows() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            for (Index key : keys(table)) {
                rows.add(row(key.name(), table.name(), key.primary() ? "PRIMARY KEY" : "UNIQUE", null));
            }
            for (ForeignKey key : table.foreignKeys()) {
                rows.add(row(key.name(), table.name(), "FOREIGN KEY", null));
            }
            for (Check check : table.checks()) {
                rows.add(row(check.name(), table.name(), "CHECK", check.text()));
            }
        }
        return rows;
    }

    private List<List<@Nullable Object>> keyRows() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            for (Index key : keys(table)) {
                for (int i = 0; i < key.columns().size(); i++) {
                    Column column = table.columns().get(key.columns().get(i).column());
                    rows.add(row(key.name(), table.name(), column.name(), i + 1));
                }
            }
        }
        return rows;
    }

    private List<List<@Nullable Object>> referenceRows() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            for (ForeignKey key : table.foreignKeys()) {
                for (int i = 0; i < key.columns().size(); i++) {
                    rows.add(row(
                            key.name(),
                            table.name(),
                            key.columns().get(i),
                            i + 1,
                            key.parent(),
                            key.parentColumns().get(i),
                            key.onUpdate().name().replace('_', ' '),
                            key.onDelete().name().replace('_', ' ')));
                }
            }
        }
        return rows;
    }

    private List<List<@Nullable Object>> viewRows() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (View view : catalog.views().values()) {
            rows.add(row(view.name(), view.text().strip()));
        }
        for (Table table : catalog.tables().values()) {
            table.aggregation()
                    .ifPresent(kept -> rows.add(row(table.name(), kept.text().strip())));
        }
        return rows;
    }

    private List<List<@Nullable Object>> indexRows() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            for (Index index : table.indexes()) {
                for (int i = 0; i < index.columns().size(); i++) {
                    IndexColumn key = index.columns().get(i);
                    rows.add(row(
                            table.name(),
                            index.name(),
                            index.kind().toString(),
                            yes(index.unique()),
                            table.columns().get(key.column()).name(),
                            i + 1,
                            yes(key.descending()),
                            index.condition().map(Check::text).orElse(null),
                            remarks(Kind.INDEX, index.name())));
                }
            }
        }
        return rows;
    }

    private List<List<@Nullable Object>> sequenceRows() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            table.sequence()
                    .ifPresent(rule -> rows.add(row(
                            table.name(),
                            Long.toString(rule.start()),
                            Long.toString(rule.increment()),
                            table.isReplicated() ? 1 : SequenceRule.PLACES)));
        }
        return rows;
    }

    private List<List<@Nullable Object>> definitionRows() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (DefinitionText.Definition definition : DefinitionText.of(catalog)) {
            rows.add(row(rows.size() + 1, definition.type(), definition.name(), definition.statement()));
        }
        return rows;
    }

    private List<List<@Nullable Object>> routineRows() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (ProcedureDefinition procedure : catalog.procedures().values()) {
            boolean isJava = procedure.body() instanceof ProcedureDefinition.JavaClass;
            rows.add(row(
                    procedure.name(),
                    "PROCEDURE",
                    isJava ? "JAVA" : "SQL",
                    definition(procedure.body()),
                    remarks(Kind.PROCEDURE, procedure.name().toUpperCase(Locale.ROOT))));
        }
        return rows;
    }

    private static String definition(ProcedureDefinition.Body body) {
        return switch (body) {
            case ProcedureDefinition.JavaClass java -> java.className();
            case ProcedureDefinition.Sql sql ->
                sql.statements().stream().map(String::strip).collect(Collectors.joining("; "));
            case ProcedureDefinition.RowAccess access -> access.operation() + " " + access.table();
        };
    }
}
