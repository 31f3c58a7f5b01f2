package dev.fulmar.sql.postgres;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Rows of the views of pg_catalog that list objects for people: pg_tables and its kind. */
final class ListingRows {
    private final ShownObjects objects;

    ListingRows(ShownObjects objects) {
        this.objects = objects;
    }

    void addTo(Map<String, Consumer<SystemRows>> makers) {
        makers.put("pg_tables", this::tables);
        makers.put("pg_views", this::views);
        makers.put("pg_matviews", this::materializedViews);
        makers.put("pg_indexes", this::indexes);
        makers.put("pg_sequences", this::sequences);
    }

    private void tables(SystemRows rows) {
        for (Table table : objects.tables()) {
            if (ShownObjects.kind(table).equals("r")) {
                rows.add(
                        "schemaname",
                        ObjectTexts.schema(table.name()),
                        "tablename",
                        ObjectTexts.name(table.name()),
                        "tableowner",
                        AccessLists.OWNER,
                        "hasindexes",
                        !ShownObjects.indexes(table).isEmpty());
            }
        }
        for (SystemTable table : SystemTables.ALL) {
            if (!table.isView()) {
                rows.add(
                        "schemaname", ShownObjects.schemaName(table.schema()),
                        "tablename", table.name(),
                        "tableowner", AccessLists.OWNER);
            }
        }
    }

    private void views(SystemRows rows) {
        for (View view : objects.views()) {
            rows.add(
                    "schemaname", ObjectTexts.schema(view.name()),
                    "viewname", ObjectTexts.name(view.name()),
                    "viewowner", AccessLists.OWNER,
                    "definition", view.text().strip());
        }
        for (SystemTable table : SystemTables.ALL) {
            if (table.isView()) {
                rows.add(
                        "schemaname", ShownObjects.schemaName(table.schema()),
                        "viewname", table.name(),
                        "viewowner", AccessLists.OWNER);
            }
        }
    }

    private void materializedViews(SystemRows rows) {
        for (Table table : objects.tables()) {
            Aggregation aggregation = table.aggregation().orElse(null);
            if (aggregation != null) {
                rows.add(
                        "schemaname",
                        ObjectTexts.schema(table.name()),
                        "matviewname",
                        ObjectTexts.name(table.name()),
                        "matviewowner",
                        AccessLists.OWNER,
                        "hasindexes",
                        !ShownObjects.indexes(table).isEmpty(),
                        "ispopulated",
                        true,
                        "definition",
                        aggregation.text().strip());
            }
        }
    }

    private void indexes(SystemRows rows) {
        for (Table table : objects.tables()) {
            for (Index index : ShownObjects.indexes(table)) {
                rows.add(
                        "schemaname", ObjectTexts.schema(table.name()),
                        "tablename", ObjectTexts.name(table.name()),
                        "indexname", ObjectTexts.name(index.name()),
                        "indexdef", ObjectTexts.index(table, index));
            }
        }
    }

    /** The last value is the partitions' to know, and null here. */
    private void sequences(SystemRows rows) {
        for (Table table : objects.tables()) {
            SequenceRule rule = table.sequence().orElse(null);
            if (rule != null) {
                rows.add(
                        "schemaname", ObjectTexts.schema(table.name()),
                        "sequencename", ObjectTexts.name(table.name()),
                        "sequenceowner", AccessLists.OWNER,
                        "data_type", rule.bounds().type().name().toLowerCase(Locale.ROOT),
                        "start_value", rule.bounds().first(),
                        "min_value", RelationRows.least(rule),
                        "max_value", RelationRows.largest(rule),
                        "increment_by", rule.increment(),
                        "cycle", rule.bounds().cycles(),
                        "cache_size", (long) Math.max(1, rule.cache()),
                        "last_value", null);
            }
        }
    }
}
