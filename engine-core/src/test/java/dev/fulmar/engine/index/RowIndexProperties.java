package dev.fulmar.engine.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Indexes alone under many random insertions and removals, against a sorted map. */
class RowIndexProperties {
    private static final int ROWS = 30_000;
    private static final int STEPS = 160_000;

    /** Kinds of keys; all are made from one integer and keep its order. */
    enum Keys {
        LONG,
        THREE_INTS,
        DESCENDING,
        WIDE_FIXED,
        TEXT
    }

    private final MemoryBudget budget = new MemoryBudget(1L << 30, "memory.limit");
    private final BlockHeap heap = new BlockHeap(new ChunkSource(budget));
    private final Random random = new Random(3);
    private final TreeMap<Integer, Long> model = new TreeMap<>();

    private static ColumnType[] columns(Keys keys) {
        return switch (keys) {
            case LONG, DESCENDING -> new ColumnType[] {ColumnType.of(TypeKind.BIGINT)};
            case THREE_INTS -> {
                ColumnType[] ints = new ColumnType[3];
                Arrays.fill(ints, ColumnType.of(TypeKind.INTEGER));
                yield ints;
            }
            case WIDE_FIXED ->
                new ColumnType[] {
                    ColumnType.of(TypeKind.UUID), ColumnType.of(TypeKind.DOUBLE), ColumnType.decimal(30, 2)
                };
            case TEXT -> new ColumnType[] {ColumnType.varchar(200)};
        };
    }

    private static RowLayout layout(Keys keys) {
        ColumnType[] types = columns(keys);
        List<Column> columns = IntStream.range(0, types.length)
                .mapToObj(i -> new Column("C" + i, types[i], false, null))
                .toList();
        return new RowLayout(new Table(
                1,
                "T",
                columns,
                OptionalInt.empty(),
                IntStream.range(0, types.length).boxed().toList(),
                List.of()));
    }

    private static void fill(Keys keys, RowImage image, int number) {
        image.clear();
        switch (keys) {
            case LONG -> image.setLong(0, number * 1_000_003L);
            case DESCENDING -> image.setLong(0, -number * 1_000_003L);
            case THREE_INTS -> {
                image.setLong(0, number / 10_000 - 3);
                image.setLong(1, number / 100 % 100 - 50);
                image.setLong(2, number % 100 - 50);
            }
            case WIDE_FIXED -> {
                image.setWide(0, number / 10_000, -1);
                image.setDouble(1, number / 100 % 100 - 50.5);
                image.setWide(2, number % 100 < 50 ? -1 : 0, number % 100);
            }
            case TEXT -> {
                String common = number / 100 % 3 == 0 ? "x".repeat(50) : "";
                String text = String.format(Locale.ROOT, "%05d%s%02d", number / 100, common, number % 100);
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                image.setBytes(0, bytes, 0, bytes.length);
            }
        }
    }

    /** Copies the image into native memory of its own, as a row. */
    private static long[] rows(Keys keys, RowLayout layout, BlockHeap rowHeap) {
        long[] rows = new long[ROWS];
        RowImage image = new RowImage(layout);
        for (int i = 0; i < ROWS; i++) {
            fill(keys, image, i);
            rows[i] = rowHeap.allocate(layout.slotBytes());
            OffHeap.copy(image.address(), rows[i], layout.slotBytes());
            if (layout.hasVariableColumns()) {
                long block = rowHeap.allocate(image.blockUsed());
                layout.packVariable(image.address(), rows[i], block);
                layout.setBlock(rows[i], block, image.blockUsed());
            }
        }
        return rows;
    }

    private static KeyFormat format(RowLayout layout, IndexKind kind, boolean descending) {
        List<IndexColumn> key = IntStream.range(0, layout.columnCount())
                .mapToObj(column -> new IndexColumn(column, descending))
                .toList();
        return new KeyFormat(layout, new Index(1, "I", kind, true, true, key));
    }

    @ParameterizedTest
    @EnumSource(Keys.class)
    void aTreeBehavesLikeASortedMap(Keys keys) {
        RowLayout layout = layout(keys);
        KeyFormat format = format(layout, IndexKind.ORDERED, keys == Keys.DESCENDING);
        OrderedIndex tree = new OrderedIndex(format, heap);
        try (BlockHeap rowHeap = new BlockHeap(new ChunkSource(budget))) {
            long[] rows = rows(keys, layout, rowHeap);
            change(tree, format, rows, () -> {
                tree.verify();
                walk(tree, format);
            });
            tree.clear();
        }
        finish();
    }

    @ParameterizedTest
    @EnumSource(Keys.class)
    void aHashIndexFindsWhatAMapFinds(Keys keys) {
        RowLayout layout = layout(keys);
        KeyFormat format = format(layout, IndexKind.HASH, false);
        HashIndex index = new HashIndex(format, heap);
        try (BlockHeap rowHeap = new BlockHeap(new ChunkSource(budget))) {
            long[] rows = rows(keys, layout, rowHeap);
            change(index, format, rows, () -> {});
            index.clear();
        }
        finish();
    }

    private void finish() {
        assertThat(heap.usedBytes()).isZero();
        heap.close();
        assertThat(budget.usedBytes()).isZero();
    }

    /** Grows in random order, shrinks, grows in key order and so on. */
    private void change(RowIndex index, KeyFormat format, long[] rows, Runnable check) {
        SearchKey key = format.newKey(null);
        int next = 0;
        for (int step = 0; step < STEPS; step++) {
            int phase = step / (STEPS / 8);
            boolean ascending = phase % 4 == 2;
            boolean insert = phase % 4 == 0 ? random.nextInt(10) < 9 : ascending || random.nextInt(10) < 2;
            int number = ascending ? next++ % ROWS : random.nextInt(ROWS);
            format.keyOf(rows[number], key);
            if (insert) {
                expect(index.insert(key, rows[number]) == !model.containsKey(number));
                model.put(number, rows[number]);
            } else {
                expect(index.remove(key, rows[number]) == (model.remove(number) != null));
            }
            int probed = random.nextInt(ROWS);
            format.keyOf(rows[probed], key);
            expect(index.find(key) == model.getOrDefault(probed, 0L));
            if (step % (STEPS / 16) == 0) {
                check.run();
            }
        }
        assertThat(index.entryCount()).isEqualTo(model.size());
        for (int number : List.copyOf(model.keySet())) {
            format.keyOf(rows[number], key);
            expect(index.remove(key, rows[number]));
        }
        assertThat(index.entryCount()).isZero();
        model.clear();
    }

    /** Cheap, for the many. */
    private static void expect(boolean condition) {
        if (!condition) {
            throw new AssertionError("the index differs from the model");
        }
    }

    private void walk(OrderedIndex tree, KeyFormat format) {
        SearchRange range = new SearchRange(format, null);
        TreeCursor.complete(range.reset());
        TreeCursor cursor = new TreeCursor(tree, range, null);
        cursor.open(tree, range, false);
        for (long expected : model.values()) {
            expect(cursor.next() == expected);
        }
        assertThat(cursor.next()).isZero();
        cursor.open(tree, range, true);
        for (long expected : model.descendingMap().values()) {
            expect(cursor.next() == expected);
        }
        assertThat(cursor.next()).isZero();
    }

    @Test
    void aCursorGoesOnWhereItWasWhenTheTreeChanges() {
        RowLayout layout = layout(Keys.LONG);
        KeyFormat format = format(layout, IndexKind.ORDERED, false);
        OrderedIndex tree = new OrderedIndex(format, heap);
        long[] rows = rows(Keys.LONG, layout, heap);
        SearchKey key = format.newKey(null);
        for (int i = 0; i < 2000; i += 2) {
            format.keyOf(rows[i], key);
            tree.insert(key, rows[i]);
        }
        SearchRange range = new SearchRange(format, null);
        TreeCursor.complete(range.reset());
        TreeCursor cursor = new TreeCursor(tree, range, null);
        cursor.open(tree, range, false);
        for (int i = 0; i < 2000; i += 2) {
            assertThat(cursor.next()).isEqualTo(rows[i]);
            // What was just seen goes, something behind the cursor comes.
            format.keyOf(rows[i], key);
            tree.remove(key, rows[i]);
            if (i > 0) {
                format.keyOf(rows[i - 1], key);
                tree.insert(key, rows[i - 1]);
            }
        }
        assertThat(cursor.next()).isZero();
        tree.verify();
    }

    @Test
    void manyGhostsOfOneKeyFindRoom() {
        RowLayout layout = layout(Keys.LONG);
        KeyFormat format = format(layout, IndexKind.HASH, false);
        HashIndex index = new HashIndex(format, heap);
        RowImage image = new RowImage(layout);
        fill(Keys.LONG, image, 5);
        SearchKey key = format.newKey(null);
        long[] ghosts = new long[3000];
        for (int i = 0; i < ghosts.length; i++) {
            ghosts[i] = heap.allocate(layout.slotBytes());
            OffHeap.copy(image.address(), ghosts[i], layout.slotBytes());
            RowLayout.setFlags(ghosts[i], RowLayout.USED | (i == 1234 ? 0 : RowLayout.DELETED));
            format.keyOf(ghosts[i], key);
            assertThat(index.insert(key, ghosts[i])).isTrue();
        }
        assertThat(index.find(key)).isEqualTo(ghosts[1234]);
        assertThat(index.findOther(key, ghosts[1234])).isZero();
        for (long ghost : ghosts) {
            assertThat(index.remove(key, ghost)).isTrue();
        }
        assertThat(index.entryCount()).isZero();
    }
}
