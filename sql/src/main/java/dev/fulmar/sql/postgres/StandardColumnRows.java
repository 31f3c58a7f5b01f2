package dev.fulmar.sql.postgres;

import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.MirroredName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.IntervalShape;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.postgres.ShownObjects.ShownColumn;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Rows of INFORMATION_SCHEMA in PostgreSQL's form about columns. */
final class StandardColumnRows {
    private static final String DATABASE = StandardRows.DATABASE;
    private static final int BYTES_OF_CHARACTER = 4;
    private static final int MOST_BYTES = 1 << 30;
    private static final int MICROSECONDS = 6;
    private static final int DECIMAL_RADIX = 10;
    private static final int BINARY_RADIX = 2;

    private final ShownObjects objects;

    StandardColumnRows(ShownObjects objects) {
        this.objects = objects;
    }

    void addTo(Map<String, Consumer<SystemRows>> makers) {
        makers.put("columns", this::columns);
        makers.put("key_column_usage", this::keys);
        makers.put("constraint_column_usage", this::columnsOfConstraints);
    }

    private void columns(SystemRows rows) {
        for (Table table : objects.tables()) {
            if (!table.isSequence() && !table.isAggregation()) {
                columns(rows, table.name(), ShownObjects.columns(table), true);
            }
        }
        for (View view : objects.views()) {
            columns(rows, view.name(), ShownObjects.columns(view), false);
        }
    }

    private static void columns(SystemRows rows, String table, List<ShownColumn> columns, boolean isUpdatable) {
        for (int i = 0; i < columns.size(); i++) {
            ShownColumn column = columns.get(i);
            ColumnType type = column.type();
            SystemType known = SystemType.of(type);
            boolean isIdentity = !column.identity().isEmpty();
            boolean isOwn = type.kind() == TypeKind.ENUM;
            rows.add(
                    "table_catalog", DATABASE,
                    "table_schema", ObjectTexts.schema(table),
                    "table_name", ObjectTexts.name(table),
                    "column_name", MirroredName.of(column.name()),
                    "ordinal_position", i + 1,
                    "column_default", column.defaultText(),
                    "is_nullable", StandardRows.yes(column.nullable()),
                    "data_type", isOwn ? "USER-DEFINED" : type.isArray() ? "ARRAY" : known.sqlName(),
                    "character_maximum_length", length(known, type),
                    "character_octet_length", bytes(known, type),
                    "numeric_precision", precision(type),
                    "numeric_precision_radix", radix(type),
                    "numeric_scale", scale(type),
                    "datetime_precision", timePrecision(type),
                    "interval_type", intervalFields(type),
                    "interval_precision", null,
                    "udt_catalog", DATABASE,
                    "udt_schema", isOwn ? ObjectTexts.schema(type.labels().name()) : "pg_catalog",
                    "udt_name", known.name(),
                    "maximum_cardinality", null,
                    "dtd_identifier", Integer.toString(i + 1),
                    "is_self_referencing", "NO",
                    "is_identity", StandardRows.yes(isIdentity),
                    "identity_generation",
                            isIdentity ? (column.identity().equals("a") ? "ALWAYS" : "BY DEFAULT") : null,
                    "identity_cycle", "NO",
                    "is_generated", column.generation() == null ? "NEVER" : "ALWAYS",
                    "generation_expression", column.generation() == null ? null : "(" + column.generation() + ")",
                    "is_updatable", StandardRows.yes(isUpdatable));
        }
    }

    private static @Nullable Integer length(SystemType known, ColumnType type) {
        boolean hasLength = known.name().equals("varchar") || known.name().equals("bpchar");
        return hasLength ? Integer.valueOf(type.precision()) : null;
    }

    private static @Nullable Integer bytes(SystemType known, ColumnType type) {
        if (known.name().equals("text")) {
            return MOST_BYTES;
        }
        Integer length = length(known, type);
        return length == null ? null : Integer.valueOf(length * BYTES_OF_CHARACTER);
    }

    private static @Nullable Integer precision(ColumnType type) {
        return switch (type.kind()) {
            case TINYINT, SMALLINT -> 16;
            case INTEGER -> 32;
            case BIGINT -> 64;
            case REAL -> 24;
            case DOUBLE -> 53;
            case DECIMAL -> type.precision();
            case BOOLEAN,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    ENUM -> null;
            case NUMERIC -> type.precision() == 0 ? null : Integer.valueOf(type.numericDigits());
        };
    }

    private static @Nullable Integer radix(ColumnType type) {
        if (precision(type) == null) {
            return null;
        }
        return type.kind() == TypeKind.DECIMAL || type.kind() == TypeKind.NUMERIC ? DECIMAL_RADIX : BINARY_RADIX;
    }

    private static @Nullable Integer scale(ColumnType type) {
        return switch (type.kind()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT -> 0;
            case DECIMAL -> type.scale();
            case REAL,
                    DOUBLE,
                    BOOLEAN,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    ENUM -> null;
            case NUMERIC -> type.precision() == 0 ? null : Integer.valueOf(type.numericScale());
        };
    }

    private static @Nullable Integer timePrecision(ColumnType type) {
        return switch (type.kind()) {
            case DATE -> 0;
            case TIME, TIMESTAMP, TIMESTAMP_TZ -> MICROSECONDS;
            case INTERVAL -> intervalDigits(IntervalShape.of(type));
            default -> null;
        };
    }

    private static @Nullable Integer intervalDigits(IntervalShape shape) {
        if (!shape.fields().haveSeconds()) {
            return 0;
        }
        return shape.digits() == IntervalShape.ALL_DIGITS ? MICROSECONDS : shape.digits();
    }

    /** The fields of an interval that has not all of them. */
    private static @Nullable String intervalFields(ColumnType type) {
        String fields = type.kind() == TypeKind.INTERVAL
                ? IntervalShape.of(type).fields().toString()
                : "";
        return fields.isEmpty() ? null : fields;
    }

    private void keys(SystemRows rows) {
        for (Table table : objects.tables()) {
            if (table.isSequence()) {
                continue;
            }
            for (Index key : ShownObjects.keys(table)) {
                for (int i = 0; i < key.columns().size(); i++) {
                    key(rows, table, key.name(), key.columns().get(i).text(table), i + 1, null);
                }
            }
            for (ForeignKey key : table.foreignKeys()) {
                Table parent = objects.catalog().table(key.parent());
                List<Integer> unique = objects.referenced(key).columns().stream()
                        .map(IndexColumn::column)
                        .toList();
                int[] places = key.parentPlaces(parent);
                for (int i = 0; i < places.length; i++) {
                    key(rows, table, key.name(), key.columns().get(i), i + 1, unique.indexOf(places[i]) + 1);
                }
            }
        }
    }

    private static void key(
            SystemRows rows, Table table, String constraint, String column, int position, @Nullable Integer there) {
        String schema = ObjectTexts.schema(table.name());
        rows.add(
                "constraint_catalog", DATABASE,
                "constraint_schema", schema,
                "constraint_name", ObjectTexts.name(constraint),
                "table_catalog", DATABASE,
                "table_schema", schema,
                "table_name", ObjectTexts.name(table.name()),
                "column_name", MirroredName.of(column),
                "ordinal_position", position,
                "position_in_unique_constraint", there);
    }

    /** The columns that constraints use; a foreign key uses those referred to. */
    private void columnsOfConstraints(SystemRows rows) {
        for (Table table : objects.tables()) {
            if (table.isSequence()) {
                continue;
            }
            for (Index key : ShownObjects.keys(table)) {
                key.columns().forEach(column -> use(rows, table.name(), column.text(table), table, key.name()));
            }
            for (ForeignKey key : table.foreignKeys()) {
                key.parentColumns().forEach(column -> use(rows, key.parent(), column, table, key.name()));
            }
            table.checks().forEach(check -> {
                for (int i = 0; i < table.columns().size(); i++) {
                    if (check.reads(i)) {
                        use(rows, table.name(), table.columns().get(i).name(), table, check.name());
                    }
                }
            });
        }
    }

    private static void use(SystemRows rows, String used, String column, Table table, String constraint) {
        rows.add(
                "table_catalog", DATABASE,
                "table_schema", ObjectTexts.schema(used),
                "table_name", ObjectTexts.name(used),
                "column_name", MirroredName.of(column),
                "constraint_catalog", DATABASE,
                "constraint_schema", ObjectTexts.schema(table.name()),
                "constraint_name", ObjectTexts.name(constraint));
    }
}
