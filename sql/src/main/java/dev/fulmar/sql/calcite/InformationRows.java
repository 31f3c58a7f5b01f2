package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Comments.Kind;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Generation;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.KeyExpression;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.calcite.InformationTable.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows of INFORMATION_SCHEMA. */
final class InformationRows {
    private static final Field SCHEMA = Field.text("TABLE_SCHEMA");
    private static final Field TABLE = Field.text("TABLE_NAME");
    private static final Field CONSTRAINT = Field.text("CONSTRAINT_NAME");
    private static final Field COLUMN = Field.text("COLUMN_NAME");
    private static final Field POSITION = Field.number("ORDINAL_POSITION");
    private static final Field REMARKS = Field.text("REMARKS");

    private final Catalog catalog;

    /** @param catalog as users are shown it */
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
                        List.of(
                                SCHEMA,
                                TABLE,
                                Field.text("TABLE_TYPE"),
                                Field.text("PARTITIONING_COLUMN"),
                                Field.text("PLACEMENT"),
                                REMARKS),
                        this::tableRows),
                new InformationTable(
                        "COLUMNS",
                        List.of(
                                SCHEMA,
                                TABLE,
                                COLUMN,
                                POSITION,
                                Field.text("COLUMN_DEFAULT"),
                                Field.text("IS_NULLABLE"),
                                Field.text("DATA_TYPE"),
                                Field.number("CHARACTER_MAXIMUM_LENGTH"),
                                Field.number("NUMERIC_PRECISION"),
                                Field.number("NUMERIC_SCALE"),
                                Field.text("IS_IDENTITY"),
                                Field.text("IDENTITY_GENERATION"),
                                Field.text("IS_GENERATED"),
                                Field.text("GENERATION_EXPRESSION"),
                                REMARKS),
                        this::columnRows));
    }

    private List<InformationTable> tablesOfConstraints() {
        return List.of(
                new InformationTable(
                        "TABLE_CONSTRAINTS",
                        List.of(CONSTRAINT, SCHEMA, TABLE, Field.text("CONSTRAINT_TYPE"), Field.text("CHECK_CLAUSE")),
                        this::constraintRows),
                new InformationTable(
                        "KEY_COLUMN_USAGE",
                        List.of(
                                CONSTRAINT,
                                SCHEMA,
                                TABLE,
                                COLUMN,
                                POSITION,
                                Field.number("POSITION_IN_UNIQUE_CONSTRAINT")),
                        this::keyRows),
                new InformationTable(
                        "REFERENTIAL_CONSTRAINTS",
                        List.of(
                                CONSTRAINT,
                                SCHEMA,
                                TABLE,
                                COLUMN,
                                POSITION,
                                Field.text("REFERENCED_TABLE_SCHEMA"),
                                Field.text("REFERENCED_TABLE_NAME"),
                                Field.text("REFERENCED_COLUMN_NAME"),
                                Field.text("UNIQUE_CONSTRAINT_NAME"),
                                Field.text("MATCH_OPTION"),
                                Field.text("UPDATE_RULE"),
                                Field.text("DELETE_RULE")),
                        this::referenceRows),
                new InformationTable(
                        "CHECK_CONSTRAINTS",
                        List.of(CONSTRAINT, SCHEMA, TABLE, Field.text("CHECK_CLAUSE")),
                        this::checkRows),
                new InformationTable(
                        "SEQUENCES",
                        List.of(
                                Field.text("SEQUENCE_SCHEMA"),
                                Field.text("SEQUENCE_NAME"),
                                Field.text("START_VALUE"),
                                Field.text("INCREMENT"),
                                Field.number("APART"),
                                Field.text("IS_OWNED"),
                                Field.number("CACHE_SIZE")),
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
                new InformationTable("SCHEMATA", List.of(Field.text("SCHEMA_NAME")), this::schemaRows),
                new InformationTable("VIEWS", List.of(SCHEMA, TABLE, Field.text("VIEW_DEFINITION")), this::viewRows),
                new InformationTable(
                        "INDEXES",
                        List.of(
                                SCHEMA,
                                TABLE,
                                Field.text("INDEX_NAME"),
                                Field.text("INDEX_TYPE"),
                                Field.text("IS_UNIQUE"),
                                COLUMN,
                                POSITION,
                                Field.text("IS_DESCENDING"),
                                Field.text("FILTER_CONDITION"),
                                Field.text("EXPRESSION"),
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

    /** A row about what is in a schema. */
    private static List<@Nullable Object> rowOf(String object, @Nullable Object... values) {
        List<@Nullable Object> row = new ArrayList<>();
        row.add(SchemaName.of(object));
        row.add(SchemaName.local(object));
        row.addAll(Arrays.asList(values));
        return row;
    }

    /** A row about a constraint of a table. */
    private static List<@Nullable Object> rowOf(String constraint, Table table, @Nullable Object... values) {
        List<@Nullable Object> row = new ArrayList<>();
        row.add(constraint);
        row.addAll(rowOf(table.name(), values));
        return row;
    }

    private List<List<@Nullable Object>> schemaRows() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        TreeSet<String> schemas = new TreeSet<>(catalog.schemas());
        schemas.addAll(catalog.temporarySchemas());
        schemas.add(SchemaName.PUBLIC);
        schemas.add(SchemaName.INFORMATION);
        schemas.forEach(schema -> rows.add(row(schema)));
        return rows;
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
            String partitioning = table.isReplicated() || table.hasRowId() || isHidden
                    ? null
                    : table.columns()
                            .get(table.partitioningColumn().orElseThrow())
                            .name();
            String remark = remarks(Kind.TABLE, table.name());
            rows.add(rowOf(table.name(), type(table), partitioning, table.placement(), remark));
        }
        for (View view : catalog.views().values()) {
            rows.add(rowOf(view.name(), "VIEW", null, null, remarks(Kind.VIEW, view.name())));
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
            for (int i = 0; i < table.visibleColumns().size(); i++) {
                Column column = table.columns().get(i);
                String remark = catalog.comments().ofColumn(table.name(), column.name());
                rows.add(columnRow(
                        table.name(),
                        column.name(),
                        i + 1,
                        column.defaultText(),
                        column.nullable(),
                        column.type(),
                        drawn(column),
                        column.generation(),
                        remark));
            }
        }
        for (View view : catalog.views().values()) {
            for (int i = 0; i < view.columns().size(); i++) {
                ResultColumn column = view.columns().get(i);
                rows.add(columnRow(
                        view.name(), column.name(), i + 1, null, column.nullable(), column.type(), null, null, null));
            }
        }
        return rows;
    }

    private List<List<@Nullable Object>> outputRows(String name, Aggregation aggregation) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Aggregation.Output output : aggregation.outputs()) {
            String remark = catalog.comments().ofColumn(name, output.name());
            rows.add(columnRow(
                    name, output.name(), rows.size() + 1, null, output.nullable(), output.type(), null, null, remark));
        }
        return rows;
    }

    /** The way in which an identity column comes to its values; null of any other column. */
    private static @Nullable String drawn(Column column) {
        if (!column.isIdentity()) {
            return null;
        }
        return column.isAlwaysDrawn() ? "ALWAYS" : "BY DEFAULT";
    }

    private static List<@Nullable Object> columnRow(
            String table,
            String column,
            int position,
            @Nullable String defaultText,
            boolean nullable,
            ColumnType type,
            @Nullable String drawn,
            @Nullable Generation generation,
            @Nullable String remark) {
        boolean hasLength =
                type.kind() == TypeKind.CHAR || type.kind() == TypeKind.VARCHAR || type.kind() == TypeKind.VARBINARY;
        boolean isDecimal = type.kind() == TypeKind.DECIMAL;
        return rowOf(
                table,
                column,
                position,
                defaultText,
                yes(nullable),
                type.kind() == TypeKind.TIMESTAMP_TZ
                        ? type.toString()
                        : type.kind().toString(),
                hasLength ? type.precision() : null,
                isDecimal ? type.precision() : null,
                isDecimal ? type.scale() : null,
                yes(drawn != null),
                drawn,
                generation == null ? "NEVER" : "ALWAYS",
                generation == null ? null : generation.text(),
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
                rows.add(rowOf(key.name(), table, key.primary() ? "PRIMARY KEY" : "UNIQUE", null));
            }
            for (ForeignKey key : table.foreignKeys()) {
                rows.add(rowOf(key.name(), table, "FOREIGN KEY", null));
            }
            for (Check check : table.checks()) {
                rows.add(rowOf(check.name(), table, "CHECK", check.text()));
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
                    rows.add(rowOf(key.name(), table, column.name(), i + 1, null));
                }
            }
            for (ForeignKey key : table.foreignKeys()) {
                Index unique = referenced(key);
                for (int i = 0; i < key.columns().size(); i++) {
                    int place = catalog.table(key.parent())
                            .columnIndex(key.parentColumns().get(i));
                    int there = unique.columns().stream()
                            .map(IndexColumn::column)
                            .toList()
                            .indexOf(place);
                    rows.add(rowOf(key.name(), table, key.columns().get(i), i + 1, there + 1));
                }
            }
        }
        return rows;
    }

    private List<List<@Nullable Object>> checkRows() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            table.checks().forEach(check -> rows.add(rowOf(check.name(), table, check.text())));
        }
        return rows;
    }

    /** The key that a foreign key refers to. */
    private Index referenced(ForeignKey key) {
        Table parent = catalog.table(key.parent());
        return keys(parent).stream()
                .filter(index -> index.columns().size() == key.parentColumns().size()
                        && index.columns().stream()
                                .allMatch(column -> key.parentColumns()
                                        .contains(parent.columns()
                                                .get(column.column())
                                                .name())))
                .findFirst()
                .orElseThrow(() -> Invariants.breach("a foreign key refers to a key"));
    }

    private List<List<@Nullable Object>> referenceRows() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            for (ForeignKey key : table.foreignKeys()) {
                for (int i = 0; i < key.columns().size(); i++) {
                    rows.add(rowOf(
                            key.name(),
                            table,
                            key.columns().get(i),
                            i + 1,
                            SchemaName.of(key.parent()),
                            SchemaName.local(key.parent()),
                            key.parentColumns().get(i),
                            referenced(key).name(),
                            "NONE",
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
            rows.add(rowOf(view.name(), view.text().strip()));
        }
        for (Table table : catalog.tables().values()) {
            table.aggregation()
                    .ifPresent(kept -> rows.add(rowOf(table.name(), kept.text().strip())));
        }
        return rows;
    }

    private List<List<@Nullable Object>> indexRows() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            for (Index index : table.indexes()) {
                for (int i = 0; i < index.columns().size(); i++) {
                    IndexColumn key = index.columns().get(i);
                    rows.add(rowOf(
                            table.name(),
                            index.name(),
                            index.kind().toString(),
                            yes(index.unique()),
                            key.isComputed() ? null : key.text(table),
                            i + 1,
                            yes(key.descending()),
                            index.condition().map(Check::text).orElse(null),
                            key.expression().map(KeyExpression::text).orElse(null),
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
                    .ifPresent(rule -> rows.add(rowOf(
                            table.name(),
                            Long.toString(rule.start()),
                            Long.toString(rule.increment()),
                            table.isReplicated() || rule.isDense() ? 1 : SequenceRule.PLACES,
                            yes(rule.owned()),
                            rule.isDense() ? rule.cache() : null)));
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
        for (UserFunction function : catalog.functions().values()) {
            boolean isJava = function.body() instanceof UserFunction.JavaMethod;
            rows.add(row(function.name(), function.kind(), isJava ? "JAVA" : "SQL", definition(function.body()), null));
        }
        return rows;
    }

    private static String definition(UserFunction.Body body) {
        return switch (body) {
            case UserFunction.JavaMethod java ->
                java.className() + (java.method().isEmpty() ? "" : "." + java.method());
            case UserFunction.Formula formula -> formula.text();
            case UserFunction.Aggregate aggregate -> aggregate.step();
        };
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
