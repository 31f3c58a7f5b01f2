package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.index.SearchRange;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random transactions on a table with every kind of index, against a model in plain Java. */
class TableStoreProperties {
    private static final int TABLE = 3;
    private static final int PK_HASH = 1;
    private static final int PK_TREE = 2;
    private static final int BY_TEXT = 3;
    private static final int UNIQUE_HASH = 4;
    private static final int UNIQUE_TREE = 5;
    private static final int BY_AMOUNT_HASH = 6;

    /** A row of the model. */
    private record Row(
            int w,
            int i,
            @Nullable String text,
            @Nullable Long amount,
            double price,
            @Nullable String blob) {
        String key() {
            return w + "/" + i;
        }
    }

    private static Table table() {
        return new TableFixture(TABLE, "T")
                .column("W", TypeKind.INTEGER)
                .column("I", TypeKind.INTEGER)
                .nullable("TEXT", ColumnType.varchar(120))
                .nullable("AMOUNT", ColumnType.of(TypeKind.BIGINT))
                .column("PRICE", TypeKind.DOUBLE)
                .nullable("BLOB", new ColumnType(TypeKind.VARBINARY, 600, 0))
                .partitionedOn(0)
                .primaryKey(0, 1)
                .index("BY_TEXT", IndexKind.ORDERED, false, false, ~2, 3)
                .index("UNIQUE_HASH", IndexKind.HASH, true, false, 0, 3)
                .index("UNIQUE_TREE", IndexKind.ORDERED, true, false, 0, 2)
                .index("BY_AMOUNT_HASH", IndexKind.HASH, false, false, 3)
                .build();
    }

    private final MemoryBudget budget = new MemoryBudget(1L << 30, "memory.limit");
    private TreeMap<String, Row> model = new TreeMap<>();
    private Random random = new Random(0);
    private PartitionStorage storage = storage(1);
    private TableStore store = storage.table(TABLE);
    private RowImage image = new RowImage(store.layout());

    private PartitionStorage storage(int buckets) {
        PartitionStorage made = new PartitionStorage(
                new ChunkSource(budget), PartitionPlan.hash(1).bucketsOf(0, buckets), 64 << 20);
        made.createTable(table());
        return made;
    }

    private void begin(int buckets, long seed) {
        storage = storage(buckets);
        store = storage.table(TABLE);
        image = new RowImage(store.layout());
        model = new TreeMap<>();
        random = new Random(seed);
    }

    @ParameterizedTest
    @CsvSource({"1, 11", "1, 12", "4, 13", "3, 14"})
    void behavesLikeTheModel(int buckets, long seed) {
        begin(buckets, seed);
        UndoLog undo = storage.undoLog();
        for (int transaction = 0; transaction < 1500; transaction++) {
            TreeMap<String, Row> before = new TreeMap<>(model);
            List<String> contents = transaction % 25 == 0 ? slotOrder() : List.of();
            int statements = 1 + random.nextInt(random.nextInt(20) == 0 ? 300 : 12);
            for (int statement = 0; statement < statements; statement++) {
                statement(undo, transaction);
            }
            if (random.nextInt(4) == 0) {
                undo.rollback();
                model = before;
                if (transaction % 25 == 0) {
                    assertThat(slotOrder()).isEqualTo(contents);
                }
            } else {
                undo.commit(transaction + 1);
            }
            if (transaction % 20 == 0) {
                checkEverything();
            }
            if (transaction % 100 == 50) {
                store.compact(random.nextInt(200));
                checkEverything();
            }
        }
        checkEverything();
        long rows = store.rowCount();
        assertThat(store.index(PK_HASH).entryCount()).isEqualTo(rows);
        assertThat(store.index(PK_TREE).entryCount()).isEqualTo(rows);
        assertThat(store.index(BY_TEXT).entryCount()).isEqualTo(rows);
        long withAmount =
                model.values().stream().filter(row -> row.amount() != null).count();
        assertThat(store.index(UNIQUE_HASH).entryCount()).isEqualTo(withAmount);
        storage.dropTable(TABLE);
        storage.undoLog().close();
        assertThat(storage.usedBytes()).isZero();
        storage.close();
    }

    @Test
    void memoryIsZeroAfterClose() {
        begin(2, 5);
        for (int i = 0; i < 3000; i++) {
            statement(storage.undoLog(), i);
        }
        storage.close();
        assertThat(budget.usedBytes()).isEqualTo(0);
    }

    private void statement(UndoLog undo, int transaction) {
        TreeMap<String, Row> before = random.nextInt(10) == 0 ? new TreeMap<>(model) : null;
        long mark = undo.mark();
        try {
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> insert(undo);
                case 4, 5, 6 -> update(undo);
                case 7 -> {
                    update(undo);
                    update(undo);
                }
                default -> delete(undo);
            }
        } catch (FulmarException failure) {
            fail("transaction " + transaction, failure);
        }
        if (before != null && random.nextInt(2) == 0) {
            undo.rollbackTo(mark);
            model = before;
        }
    }

    private Row randomRow() {
        String text = random.nextInt(5) == 0 ? null : text();
        Long amount = random.nextInt(5) == 0 ? null : random.nextInt(40) - 20L;
        String blob = random.nextInt(3) == 0 ? null : blob(random.nextInt(random.nextInt(9) == 0 ? 600 : 30));
        return new Row(random.nextInt(12), random.nextInt(60), text, amount, random.nextInt(5) - 2, blob);
    }

    private String blob(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private String text() {
        String common =
                random.nextInt(3) == 0 ? "a common beginning of more than forty bytes, so that it spills, " : "";
        return common + Integer.toString(random.nextInt(60), 3) + (random.nextInt(6) == 0 ? "\0\1é" : "");
    }

    private boolean conflicts(Row row, @Nullable Row except) {
        return model.values().stream().anyMatch(other -> !other.equals(except) && conflict(row, other));
    }

    private static boolean conflict(Row row, Row other) {
        boolean sameText = row.text() != null && row.text().equals(other.text());
        boolean sameAmount = row.amount() != null && row.amount().equals(other.amount());
        return row.w() == other.w() && (row.i() == other.i() || sameText || sameAmount);
    }

    private void fill(Row row) {
        image.clear();
        image.setLong(0, row.w());
        image.setLong(1, row.i());
        if (row.text() != null) {
            byte[] text = row.text().getBytes(StandardCharsets.UTF_8);
            image.setBytes(2, text, 0, text.length);
        }
        if (row.amount() != null) {
            image.setLong(3, row.amount());
        }
        image.setDouble(4, row.price());
        if (row.blob() != null) {
            byte[] blob = row.blob().getBytes(StandardCharsets.ISO_8859_1);
            image.setBytes(5, blob, 0, blob.length);
        }
    }

    private void insert(UndoLog undo) {
        Row row = randomRow();
        fill(row);
        if (expectViolation(conflicts(row, null), () -> store.insert(image, undo))) {
            model.put(row.key(), row);
        }
    }

    private boolean expectViolation(boolean expected, Runnable change) {
        try {
            change.run();
        } catch (FulmarException failure) {
            assertThat(failure.code()).isEqualTo(ErrorCode.UNIQUE_VIOLATION);
            assertThat(expected).as(failure.getMessage()).isTrue();
            return false;
        }
        assertThat(expected).isFalse();
        return true;
    }

    private void update(UndoLog undo) {
        Row old = anyRow();
        if (old == null) {
            return;
        }
        Row other = randomRow();
        boolean key = random.nextInt(4) == 0;
        Row row = switch (random.nextInt(4)) {
            case 0 -> new Row(old.w(), old.i(), old.text(), old.amount(), other.price(), other.blob());
            case 1 -> new Row(old.w(), old.i(), other.text(), other.amount(), old.price(), old.blob());
            case 2 ->
                new Row(old.w(), key ? other.i() : old.i(), other.text(), old.amount(), old.price(), other.blob());
            default -> key ? other : new Row(old.w(), old.i(), old.text(), other.amount(), old.price(), old.blob());
        };
        int[] columns = changedColumns(old, row);
        fill(row);
        UpdateShape shape = store.updateShape(columns);
        if (expectViolation(conflicts(row, old), () -> store.update(find(old), image, shape, undo))) {
            model.remove(old.key());
            model.put(row.key(), row);
        }
    }

    private static int[] changedColumns(Row old, Row row) {
        List<Integer> columns = new ArrayList<>();
        addIf(columns, 0, old.w() != row.w());
        addIf(columns, 1, old.i() != row.i());
        addIf(columns, 2, !Objects.equals(old.text(), row.text()));
        addIf(columns, 3, !Objects.equals(old.amount(), row.amount()));
        addIf(columns, 4, old.price() != row.price());
        addIf(columns, 5, !Objects.equals(old.blob(), row.blob()));
        return columns.stream().mapToInt(Integer::intValue).toArray();
    }

    private static void addIf(List<Integer> columns, int column, boolean changed) {
        if (changed) {
            columns.add(column);
        }
    }

    private void delete(UndoLog undo) {
        Row old = anyRow();
        if (old != null) {
            store.delete(find(old), undo);
            model.remove(old.key());
        }
    }

    private @Nullable Row anyRow() {
        if (model.isEmpty()) {
            return null;
        }
        String key = model.ceilingKey(random.nextInt(12) + "/" + random.nextInt(60));
        return model.get(key == null ? model.firstKey() : key);
    }

    private long find(Row row) {
        TableIndex index = store.index(random.nextBoolean() ? PK_HASH : PK_TREE);
        long found = index.find(index.newKey().reset().addLong(row.w()).addLong(row.i()));
        assertThat(found).as("row " + row.key()).isNotZero();
        return found;
    }

    private Row read(long row) {
        RowLayout layout = store.layout();
        return new Row(
                (int) layout.getLong(row, 0),
                (int) layout.getLong(row, 1),
                RowLayout.isNull(row, 2) ? null : new String(bytes(row, 2), StandardCharsets.UTF_8),
                RowLayout.isNull(row, 3) ? null : layout.getLong(row, 3),
                layout.getDouble(row, 4),
                RowLayout.isNull(row, 5) ? null : new String(bytes(row, 5), StandardCharsets.ISO_8859_1));
    }

    private byte[] bytes(long row, int column) {
        byte[] bytes = new byte[store.layout().bytesLength(row, column)];
        OffHeap.copy(store.layout().bytesAddress(row, column), bytes, 0, bytes.length);
        return bytes;
    }

    private static String show(Row row) {
        return row.toString();
    }

    private List<String> slotOrder() {
        List<String> rows = new ArrayList<>();
        ScanCursor scan = store.newScan();
        store.open(scan);
        for (long row = scan.next(); row != 0; row = scan.next()) {
            rows.add(show(read(row)));
        }
        return rows;
    }

    private void checkEverything() {
        assertThat(store.rowCount()).isEqualTo(model.size());
        assertThat(slotOrder())
                .containsExactlyInAnyOrderElementsOf(
                        model.values().stream().map(TableStoreProperties::show).toList());
        for (Row row : model.values()) {
            assertThat(show(read(find(row)))).isEqualTo(show(row));
        }
        checkOrder(PK_TREE, Comparator.comparing(Row::w).thenComparing(Row::i));
        checkOrder(
                BY_TEXT,
                Comparator.comparing(Row::text, Comparator.nullsLast(utf8()))
                        .reversed()
                        .thenComparing(Row::amount, Comparator.nullsLast(Comparator.naturalOrder()))
                        .thenComparing(Row::w)
                        .thenComparing(Row::i));
        checkOrder(
                UNIQUE_TREE,
                Comparator.comparing(Row::w)
                        .thenComparing(Row::text, Comparator.nullsLast(utf8()))
                        .thenComparing(Row::i));
        checkRanges();
    }

    private static Comparator<String> utf8() {
        return Comparator.comparing(text -> text.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);
    }

    private void checkOrder(int index, Comparator<Row> order) {
        TableIndex tree = store.index(index);
        check(tree, tree.newRange().reset(), model.values().stream().sorted(order));
    }

    private void check(TableIndex tree, SearchRange range, Stream<Row> expected) {
        List<String> rows = expected.map(TableStoreProperties::show).toList();
        assertThat(walk(tree, range, false)).isEqualTo(rows);
        assertThat(walk(tree, range, true)).isEqualTo(rows.reversed());
    }

    private List<String> walk(TableIndex tree, SearchRange range, boolean backwards) {
        IndexCursor cursor = tree.newCursor();
        tree.open(cursor, range, backwards);
        List<String> found = new ArrayList<>();
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            found.add(show(read(row)));
        }
        return found;
    }

    private void checkRanges() {
        TableIndex tree = store.index(PK_TREE);
        Comparator<Row> byKey = Comparator.comparing(Row::w).thenComparing(Row::i);
        int w = random.nextInt(12);
        int from = random.nextInt(60);
        int to = random.nextInt(60);
        boolean fromInclusive = random.nextBoolean();
        boolean toInclusive = random.nextBoolean();
        SearchRange range = tree.newRange();
        range.reset().prefix().addLong(w);
        range.beginLower(fromInclusive).addLong(from);
        range.beginUpper(toInclusive).addLong(to);
        check(
                tree,
                range,
                model.values().stream()
                        .filter(row -> row.w() == w
                                && (fromInclusive ? row.i() >= from : row.i() > from)
                                && (toInclusive ? row.i() <= to : row.i() < to))
                        .sorted(byKey));
        range.reset().beginLower(fromInclusive).addLong(w);
        check(
                tree,
                range,
                model.values().stream()
                        .filter(row -> fromInclusive ? row.w() >= w : row.w() > w)
                        .sorted(byKey));
        range.reset().prefix().addLong(w);
        range.beginUpper(true).addLong(Long.MAX_VALUE);
        check(tree, range, model.values().stream().filter(row -> row.w() == w).sorted(byKey));
        range.reset().prefix().addLong(w);
        range.beginLower(true).addLong(Long.MAX_VALUE);
        check(tree, range, Stream.of());
        range.reset().prefix().addLong(w + (1L << 40));
        check(tree, range, Stream.of());

        TableIndex hash = store.index(BY_AMOUNT_HASH);
        SearchRange equal = hash.newRange();
        equal.reset().prefix().addLong(w - 5);
        check(
                hash,
                equal,
                model.values().stream()
                        .filter(row -> row.amount() != null && row.amount() == w - 5)
                        .sorted(byKey));
        checkTextRanges();
    }

    private void checkTextRanges() {
        TableIndex tree = store.index(UNIQUE_TREE);
        int w = random.nextInt(12);
        byte[] bound = text().getBytes(StandardCharsets.UTF_8);
        Comparator<Row> order = Comparator.comparing(Row::text, utf8());
        SearchRange range = tree.newRange();
        range.reset().prefix().addLong(w);
        range.beginLower(false).addBytes(bound, 0, bound.length);
        check(
                tree,
                range,
                model.values().stream()
                        .filter(row -> row.w() == w && row.text() != null && order(row, bound) > 0)
                        .sorted(order));
        range.reset().prefix().addLong(w);
        range.beginUpper(true).addBytes(bound, 0, bound.length);
        check(
                tree,
                range,
                model.values().stream()
                        .filter(row -> row.w() == w && row.text() != null && order(row, bound) <= 0)
                        .sorted(order));
    }

    private static int order(Row row, byte[] bound) {
        byte[] text = Objects.requireNonNull(row.text()).getBytes(StandardCharsets.UTF_8);
        return Arrays.compareUnsigned(text, bound);
    }
}
