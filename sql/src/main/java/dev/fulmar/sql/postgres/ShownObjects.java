package dev.fulmar.sql.postgres;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The objects of a catalog that clients see, with their OIDs. */
final class ShownObjects {
    private final Catalog catalog;
    private final ObjectNumbers numbers;
    private final String temporary;
    private final List<String> path;

    /**
     * A column of a table or view.
     *
     * @param defaultText as its author wrote it; null for none, and for identity columns
     * @param identity {@code a} for one that is always drawn, {@code d} by default, else empty
     * @param generation the expression that it is computed from, without parentheses; null for none
     */
    record ShownColumn(
            String name,
            ColumnType type,
            boolean nullable,
            @Nullable String defaultText,
            String identity,
            @Nullable String generation) {
        ShownColumn(String name, ColumnType type, boolean nullable, @Nullable String defaultText, String identity) {
            this(name, type, nullable, defaultText, identity, null);
        }

        /** The expression that PostgreSQL keeps for it: of its default, or of its value. */
        @Nullable String expression() {
            return generation == null ? defaultText : generation;
        }
    }

    /**
     * @param catalog as clients are shown it
     * @param temporary schema of the session's temporary tables; empty for none
     * @param path schemas of the session's plain names; none for PUBLIC
     */
    ShownObjects(Catalog catalog, String temporary, List<String> path) {
        this.temporary = temporary;
        this.path = path.isEmpty() ? List.of(SchemaName.PUBLIC) : path;
        this.catalog = catalog;
        this.numbers = new ObjectNumbers(this.catalog);
    }

    Catalog catalog() {
        return catalog;
    }

    ObjectNumbers numbers() {
        return numbers;
    }

    Collection<Table> tables() {
        return catalog.tables().values();
    }

    Collection<View> views() {
        return catalog.views().values();
    }

    /** The schemas by the catalog's names. */
    List<String> schemas() {
        TreeSet<String> schemas = new TreeSet<>(catalog.schemas());
        schemas.add(SchemaName.PUBLIC);
        schemas.add(SystemTable.CATALOG);
        schemas.add(SystemTable.INFORMATION);
        schemas.addAll(catalog.temporarySchemas());
        return List.copyOf(schemas);
    }

    /** The client's name of a schema. */
    static String schemaName(String schema) {
        return switch (schema) {
            case SystemTable.INFORMATION -> "information_schema";
            case SystemTable.CATALOG -> "pg_catalog";
            default -> ObjectTexts.nameOfSchema(schema);
        };
    }

    int schemaOf(String object) {
        return numbers.ofSchema(SchemaName.of(object));
    }

    /** Whether the plain name of an object finds it, and no temporary table or one of another schema first. */
    boolean isVisible(String object) {
        String schema = SchemaName.of(object);
        String plain = SchemaName.local(object);
        if (!temporary.isEmpty() && (schema.equals(temporary) || isThere(temporary, plain))) {
            return schema.equals(temporary);
        }
        for (String each : path) {
            if (each.equals(schema)) {
                return true;
            }
            if (isThere(each, plain)) {
                return false;
            }
        }
        return false;
    }

    private boolean isThere(String schema, String plain) {
        String name = SchemaName.qualified(schema, plain);
        return catalog.tables().containsKey(name) || catalog.views().containsKey(name);
    }

    /** The object's name as statements of the session may write it. */
    String shortName(String object) {
        return isVisible(object) ? ObjectTexts.quotedName(object) : ObjectTexts.fullName(object);
    }

    static List<ShownColumn> columns(Table table) {
        List<ShownColumn> columns = new ArrayList<>();
        Aggregation aggregation = table.aggregation().orElse(null);
        if (aggregation != null) {
            for (Aggregation.Output output : aggregation.outputs()) {
                columns.add(new ShownColumn(output.name(), output.type(), output.nullable(), null, ""));
            }
            return columns;
        }
        for (Column column : table.visibleColumns()) {
            boolean isIdentity = column.isIdentity();
            String identity = column.isAlwaysDrawn() ? "a" : "d";
            columns.add(new ShownColumn(
                    column.name(),
                    column.type(),
                    column.nullable(),
                    isIdentity ? null : column.defaultText(),
                    isIdentity ? identity : "",
                    column.generation() == null ? null : column.generation().bareText()));
        }
        return columns;
    }

    static List<ShownColumn> columns(View view) {
        List<ShownColumn> columns = new ArrayList<>();
        for (ResultColumn column : view.columns()) {
            columns.add(new ShownColumn(column.name(), column.type(), column.nullable(), null, ""));
        }
        return columns;
    }

    static String kind(Table table) {
        String kept = table.isAggregation() ? "m" : "r";
        return table.isSequence() ? "S" : kept;
    }

    /** The indexes of a table; one of the pair that a primary key has stands for both. */
    static List<Index> indexes(Table table) {
        List<Index> shown = new ArrayList<>();
        if (table.isSequence()) {
            return shown;
        }
        for (Index index : table.indexes()) {
            boolean isSecond = index.primary() && shown.stream().anyMatch(Index::primary);
            if (!isSecond && !(table.isAggregation() && index.primary())) {
                shown.add(index);
            }
        }
        return shown;
    }

    /** The indexes that stand for constraints. */
    static List<Index> keys(Table table) {
        return table.isAggregation()
                ? List.of()
                : indexes(table).stream().filter(Index::isConstraint).toList();
    }

    /** The key that a foreign key refers to. */
    Index referenced(ForeignKey key) {
        Table parent = catalog.table(key.parent());
        return keys(parent).stream()
                .filter(index -> index.columns().size() == key.parentColumns().size()
                        && index.columns().stream()
                                .map(IndexColumn::column)
                                .map(place -> parent.columns().get(place).name())
                                .allMatch(key.parentColumns()::contains))
                .findFirst()
                .orElseThrow(() -> Invariants.breach("a foreign key refers to a key"));
    }

    boolean isReferredTo(Table table) {
        return tables().stream()
                .flatMap(other -> other.foreignKeys().stream())
                .anyMatch(key -> key.parent().equals(table.name()));
    }

    /** The column that draws from a sequence, and its table. */
    record Drawing(Table table, int column) {}

    Optional<Drawing> drawing(Table sequence) {
        for (Table table : tables()) {
            for (int i = 0; i < table.columns().size(); i++) {
                Column column = table.columns().get(i);
                if (column.isIdentity() && column.drawsFrom().orElseThrow() == sequence.id()) {
                    return Optional.of(new Drawing(table, i));
                }
            }
        }
        return Optional.empty();
    }
}
