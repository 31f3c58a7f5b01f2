package dev.fulmar.sql.postgres;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.KeyExpression;
import dev.fulmar.engine.catalog.MirroredName;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.postgres.ShownObjects.ShownColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** Rows about tables, views, indexes and sequences, and about their columns. */
final class RelationRows {
    /** The mark of a generated column whose values are stored. */
    private static final String STORED = "s";

    private static final int HEAP = 2;
    private static final int BTREE = 403;
    private static final int HASH = 405;
    private static final int BIGINT = 20;
    private static final int SMALLINT = 21;
    private static final int INTEGER = 23;

    /** Options of a key: descending, and nulls first, which come first there. */
    private static final int DESCENDING = 3;

    /** PostgreSQL's number of a statistics target that is not set, or of rows that are not counted. */
    private static final int UNKNOWN = -1;

    private final ShownObjects objects;
    private final AccessLists access;

    RelationRows(ShownObjects objects) {
        this.objects = objects;
        this.access = new AccessLists(objects.catalog().access());
    }

    void addTo(Map<String, Consumer<SystemRows>> makers) {
        makers.put("pg_class", this::classes);
        makers.put("pg_attribute", this::attributes);
        makers.put("pg_attrdef", this::defaults);
        makers.put("pg_index", this::indexes);
        makers.put("pg_sequence", this::sequences);
    }

    private void classes(SystemRows rows) {
        for (Table table : objects.tables()) {
            String kind = ShownObjects.kind(table);
            List<Index> indexes = ShownObjects.indexes(table);
            relation(
                    rows,
                    ObjectNumbers.ofId(table.id()),
                    table.name(),
                    kind,
                    kind.equals("S") ? 0 : HEAP,
                    table.isSequence() ? 3 : ShownObjects.columns(table).size(),
                    table.checks().size(),
                    !indexes.isEmpty(),
                    !table.foreignKeys().isEmpty() || objects.isReferredTo(table));
            for (Index index : indexes) {
                boolean isOrdered = ObjectTexts.accessMethod(table, index).equals("btree");
                relation(
                        rows,
                        ObjectNumbers.ofId(index.id()),
                        inSchemaOf(table, index),
                        "i",
                        isOrdered ? BTREE : HASH,
                        index.columns().size(),
                        0,
                        false,
                        false);
            }
        }
        views(rows);
        for (SystemTable table : SystemTables.ALL) {
            rows.add(
                    "oid",
                    table.oid(),
                    "relname",
                    table.name(),
                    "relnamespace",
                    objects.numbers().ofSchema(table.schema()),
                    "relowner",
                    ObjectNumbers.OWNER,
                    "relam",
                    table.isView() ? 0 : HEAP,
                    "relpersistence",
                    "p",
                    "relkind",
                    table.isView() ? "v" : "r",
                    "relnatts",
                    table.columns().size(),
                    "reltuples",
                    (double) UNKNOWN,
                    "relispopulated",
                    true,
                    "relreplident",
                    "n");
        }
    }

    private void views(SystemRows rows) {
        for (View view : objects.views()) {
            int number = objects.numbers().ofView(view.name());
            relation(rows, number, view.name(), "v", 0, view.columns().size(), 0, false, false);
            if (!view.options().isEmpty()) {
                rows.set("reloptions", "{" + String.join(",", view.options()) + "}");
            }
        }
    }

    /** The name of an index has its table's schema, also where the catalog has it without. */
    static String inSchemaOf(Table table, Index index) {
        String local = SchemaName.local(index.name());
        return SchemaName.qualified(SchemaName.of(table.name()), local);
    }

    private void relation(
            SystemRows rows,
            int oid,
            String name,
            String kind,
            int accessMethod,
            int columns,
            int checks,
            boolean hasIndex,
            boolean hasForeignKey) {
        boolean isIndex = kind.equals("i");
        rows.add(
                "oid",
                oid,
                "relname",
                ObjectTexts.name(name),
                "relnamespace",
                objects.schemaOf(name),
                "relowner",
                ObjectNumbers.OWNER,
                "relam",
                accessMethod,
                "relfilenode",
                kind.equals("v") ? 0 : oid,
                "reltuples",
                (double) UNKNOWN,
                "relhasindex",
                hasIndex,
                "relpersistence",
                SchemaName.isInTemporary(name) ? "t" : "p",
                "relkind",
                kind,
                "relnatts",
                columns,
                "relchecks",
                checks,
                "relhasrules",
                kind.equals("v"),
                "relhastriggers",
                hasForeignKey, // clients look for foreign keys where there are triggers only
                "relispopulated",
                true,
                "relreplident",
                kind.equals("r") ? "d" : "n",
                "relacl",
                isIndex ? null : access.ofTable(name));
    }

    private void attributes(SystemRows rows) {
        for (Table table : objects.tables()) {
            int oid = ObjectNumbers.ofId(table.id());
            if (table.isSequence()) {
                sequenceColumns(rows, oid);
                continue;
            }
            columns(rows, oid, ShownObjects.columns(table));
            for (Index index : ShownObjects.indexes(table)) {
                columns(rows, ObjectNumbers.ofId(index.id()), keys(table, index));
            }
        }
        for (View view : objects.views()) {
            columns(rows, objects.numbers().ofView(view.name()), ShownObjects.columns(view));
        }
    }

    private static List<ShownColumn> keys(Table table, Index index) {
        List<ShownColumn> columns = new ArrayList<>();
        for (IndexColumn key : index.columns()) {
            String name = key.isComputed() ? "EXPR" : key.text(table);
            columns.add(new ShownColumn(name, key.type(table), true, null, ""));
        }
        return columns;
    }

    private static void sequenceColumns(SystemRows rows, int sequence) {
        ColumnType number = ColumnType.of(TypeKind.BIGINT);
        ColumnType truth = ColumnType.of(TypeKind.BOOLEAN);
        columns(
                rows,
                sequence,
                List.of(
                        new ShownColumn("LAST_VALUE", number, false, null, ""),
                        new ShownColumn("LOG_CNT", number, false, null, ""),
                        new ShownColumn("IS_CALLED", truth, false, null, "")));
    }

    private static void columns(SystemRows rows, int relation, List<ShownColumn> columns) {
        for (int i = 0; i < columns.size(); i++) {
            ShownColumn column = columns.get(i);
            SystemType type = SystemType.of(column.type());
            rows.add(
                    "attrelid",
                    relation,
                    "attname",
                    MirroredName.of(column.name()),
                    "atttypid",
                    type.oid(),
                    "attstattarget",
                    UNKNOWN,
                    "attlen",
                    type.length(),
                    "attnum",
                    i + 1,
                    "attndims",
                    column.type().isArray() ? 1 : 0,
                    "attcacheoff",
                    UNKNOWN,
                    "atttypmod",
                    SystemType.modifier(column.type()),
                    "attbyval",
                    type.isByValue(),
                    "attalign",
                    type.alignment(),
                    "attstorage",
                    type.storage(),
                    "attcompression",
                    "",
                    "attnotnull",
                    !column.nullable(),
                    "atthasdef",
                    column.expression() != null,
                    "attidentity",
                    column.identity(),
                    "attgenerated",
                    column.generation() == null ? "" : STORED,
                    "attislocal",
                    true,
                    "attcollation",
                    type.collation());
        }
    }

    private void defaults(SystemRows rows) {
        for (Table table : objects.tables()) {
            List<ShownColumn> columns = ShownObjects.columns(table);
            for (int i = 0; i < columns.size(); i++) {
                if (columns.get(i).expression() != null) {
                    rows.add(
                            "oid",
                                    objects.numbers()
                                            .ofDefault(table, columns.get(i).name()),
                            "adrelid", ObjectNumbers.ofId(table.id()),
                            "adnum", i + 1,
                            "adbin", columns.get(i).expression());
                }
            }
        }
    }

    private void indexes(SystemRows rows) {
        for (Table table : objects.tables()) {
            for (Index index : ShownObjects.indexes(table)) {
                List<IndexColumn> keys = index.columns();
                Optional<String> expressions = index.isComputed()
                        ? Optional.of(keys.stream()
                                .flatMap(key -> key.expression().stream())
                                .map(KeyExpression::text)
                                .collect(Collectors.joining(", ")))
                        : Optional.empty();
                rows.add(
                        "indexrelid", ObjectNumbers.ofId(index.id()),
                        "indrelid", ObjectNumbers.ofId(table.id()),
                        "indnatts", keys.size(),
                        "indnkeyatts", keys.size(),
                        "indisunique", index.unique(),
                        "indisprimary", index.primary(),
                        "indimmediate", true,
                        "indisvalid", index.isValidated(),
                        "indisready", true,
                        "indislive", true,
                        "indkey", vector(keys, key -> key.column() + 1),
                        "indcollation",
                                vector(
                                        keys,
                                        key -> SystemType.of(key.type(table)).collation()),
                        "indclass", vector(keys, key -> 0),
                        "indoption", vector(keys, key -> key.descending() ? DESCENDING : 0),
                        "indexprs", expressions.orElse(null),
                        "indpred", index.condition().map(check -> check.text()).orElse(null));
            }
        }
    }

    private static String vector(List<IndexColumn> keys, ToIntFunction<IndexColumn> number) {
        return keys.stream()
                .map(key -> Integer.toString(number.applyAsInt(key)))
                .collect(Collectors.joining(" "));
    }

    private void sequences(SystemRows rows) {
        for (Table table : objects.tables()) {
            table.sequence()
                    .ifPresent(rule -> rows.add(
                            "seqrelid", ObjectNumbers.ofId(table.id()),
                            "seqtypid", type(rule),
                            "seqstart", rule.bounds().first(),
                            "seqincrement", rule.increment(),
                            "seqmax", largest(rule),
                            "seqmin", least(rule),
                            "seqcache", (long) Math.max(1, rule.cache()),
                            "seqcycle", rule.bounds().cycles()));
        }
    }

    private static int type(SequenceRule rule) {
        return switch (rule.bounds().type()) {
            case SMALLINT -> SMALLINT;
            case INTEGER -> INTEGER;
            default -> BIGINT;
        };
    }

    static long largest(SequenceRule rule) {
        return !rule.bounds().areAll()
                ? rule.bounds().greatest()
                : rule.increment() > 0 ? Long.MAX_VALUE : rule.start();
    }

    static long least(SequenceRule rule) {
        return !rule.bounds().areAll() ? rule.bounds().least() : rule.increment() > 0 ? rule.start() : Long.MIN_VALUE;
    }
}
