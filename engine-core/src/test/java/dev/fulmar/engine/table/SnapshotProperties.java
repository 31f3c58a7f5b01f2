package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Readers of snapshots beside random transactions, against a copy of a plain map per commit: every access path, in
 * steps between which transactions run, commit and roll back.
 */
class SnapshotProperties {
    private static final int TABLE = 3;
    private static final int PK_HASH = 1;
    private static final int PK_TREE = 2;
    private static final int BY_AMOUNT = 3;
    private static final int UNIQUE_TEXT = 4;
    private static final int UNIQUE_HASH = 5;
    private static final int KEYS = 150;
    private static final int PHASE_ROUNDS = 60;

    private record Row(
            int key,
            int group,
            @Nullable String text,
            @Nullable Long amount,
            String filling) {}

    /** A reader that has chosen, and what it must see. */
    private record Reading(VersionReader reader, TreeMap<Integer, Row> expected) {}

    /** A walk under way. */
    private static final class Walk {
        final Reading reading;
        final boolean backwards;
        final int index;
        final @Nullable IndexCursor cursor;
        final @Nullable ScanCursor scan;
        final List<Row> seen = new ArrayList<>();

        Walk(Reading reading, int index, boolean backwards, @Nullable IndexCursor cursor, @Nullable ScanCursor scan) {
            this.reading = reading;
            this.index = index;
            this.backwards = backwards;
            this.cursor = cursor;
            this.scan = scan;
        }
    }

    private final Random random = new Random();
    private PartitionStorage storage = storage(1);
    private TableStore store = storage.table(TABLE);
    private UndoLog undo = storage.undoLog();
    private RowImage image = new RowImage(store.layout());
    private TreeMap<Integer, Row> model = new TreeMap<>();
    private final Map<Long, TreeMap<Integer, Row>> commits = new HashMap<>();
    private final List<VersionReader> waiting = new ArrayList<>();
    private final List<Reading> readings = new ArrayList<>();
    private final List<Walk> walks = new ArrayList<>();
    private int mostReaders;
    private long clock;
    private long compared;

    private static Table table() {
        return new TableFixture(TABLE, "T")
                .column("K", TypeKind.INTEGER)
                .column("G", TypeKind.INTEGER)
                .nullable("TEXT", ColumnType.varchar(120))
                .nullable("AMOUNT", ColumnType.of(TypeKind.BIGINT))
                .column("FILLING", ColumnType.varchar(300))
                .partitionedOn(0)
                .primaryKey(0)
                .index("BY_AMOUNT", IndexKind.ORDERED, false, false, ~3)
                .index("UNIQUE_TEXT", IndexKind.ORDERED, true, false, 0, 2)
                .index("UNIQUE_HASH", IndexKind.HASH, true, false, 0, 3)
                .build();
    }

    private static PartitionStorage storage(int buckets) {
        PartitionStorage made = new PartitionStorage(
                new ChunkSource(new MemoryBudget(1L << 30, "memory.limit")),
                PartitionPlan.hash(1).bucketsOf(0, buckets),
                64 << 20);
        made.createTable(table());
        return made;
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "3, 3", "4, 4"})
    void readersSeeTheCommitsUpToTheirTimestamp(int buckets, long seed) {
        random.setSeed(seed);
        storage = storage(buckets);
        store = storage.table(TABLE);
        undo = storage.undoLog();
        image = new RowImage(store.layout());
        for (int round = 0; round < 900; round++) {
            // With few readers and with many; then all leave, and after a while the next one comes amid a transaction.
            int phase = round % PHASE_ROUNDS;
            mostReaders = phase < PHASE_ROUNDS / 4 ? 1 : phase < PHASE_ROUNDS * 3 / 4 ? 5 : 0;
            transaction();
            turnOfReaders();
            if (phase == PHASE_ROUNDS * 3 / 4) {
                allLeave();
            }
            if (round % 5 == 0) {
                checkNewest();
            }
        }
        allLeave();
        assertThat(compared).isGreaterThan(120);
        nothingIsLeft();
    }

    /** A row comes and is changed, and before that is decided, is changed again by the next transaction. */
    @Test
    void aVersionKnowsSinceWhenItIsInForceThoughTheOneBeforeIsGivenBack() {
        VersionReader reader = storage.openReader(clock, 0);
        Row first = new Row(1, 1, "first", null, "");
        insert(first);
        update(first, new Row(1, 2, "second", null, ""), 1, 2);
        long mark = undo.mark();
        Row second = Objects.requireNonNull(model.get(1));
        update(second, new Row(1, 3, "third", null, ""), 1, 2);
        undo.commitTo(mark, 1);
        undo.commitTo(undo.mark(), 2);
        long row = find(1);
        reader.readAt(1);
        undo.reclaim(Long.MAX_VALUE);
        long version = reader.snapshot().versionOf(row);
        assertThat(version).isNotZero();
        assertThat(read(version)).isEqualTo(second);
        reader.close();
        storage.close();
    }

    private void allLeave() {
        walks.clear();
        readings.forEach(reading -> reading.reader().close());
        readings.clear();
        waiting.forEach(VersionReader::close);
        waiting.clear();
        undo.reclaim(Long.MAX_VALUE);
        assertThat(undo.isRetaining()).isFalse();
        assertThat(undo.heldBytes()).isZero();
        checkNewest();
    }

    /** Readers of the newest versions meet neither ghosts nor old keys. */
    private void checkNewest() {
        for (int index : new int[] {PK_TREE, BY_AMOUNT, UNIQUE_TEXT}) {
            TableIndex tree = store.index(index);
            IndexCursor cursor = tree.newCursor();
            tree.open(cursor, tree.newRange().reset(), false);
            List<Row> seen = new ArrayList<>();
            for (long row = cursor.next(); row != 0; row = cursor.next()) {
                seen.add(read(row));
            }
            assertThat(seen).isEqualTo(inOrder(model, index));
        }
    }

    private void nothingIsLeft() {
        ScanCursor scan = store.newScan();
        store.open(scan);
        int rows = 0;
        for (long row = scan.next(); row != 0; row = scan.next()) {
            assertThat(RowLayout.versionLink(row)).isZero();
            assertThat(RowLayout.flags(row) & RowLayout.NATURE).isEqualTo(RowLayout.USED);
            rows++;
        }
        assertThat(rows).isEqualTo(model.size());
        for (TableIndex index : store.indexes()) {
            boolean skipsNulls = index.definition().id() == UNIQUE_HASH;
            long entries = model.values().stream()
                    .filter(row -> !skipsNulls || row.amount() != null)
                    .count();
            assertThat(index.entryCount()).isEqualTo(entries);
        }
        storage.dropTable(TABLE);
        undo.close();
        assertThat(storage.usedBytes()).isZero();
        storage.close();
    }

    private void transaction() {
        TreeMap<Integer, Row> before = new TreeMap<>(model);
        statements();
        if (random.nextInt(5) == 0) {
            undo.rollback();
            model = before;
            return;
        }
        if (random.nextInt(4) == 0) {
            // Another one runs before the first is decided.
            long first = undo.mark();
            TreeMap<Integer, Row> between = new TreeMap<>(model);
            statements();
            if (random.nextInt(3) == 0) {
                undo.rollback();
                model = before;
                return;
            }
            commits.put(++clock, between);
            undo.commitTo(first, clock);
        }
        commits.put(++clock, new TreeMap<>(model));
        undo.commitTo(undo.mark(), clock);
    }

    private void statements() {
        for (int left = 1 + random.nextInt(random.nextInt(10) == 0 ? 60 : 8); left > 0; left--) {
            TreeMap<Integer, Row> before = new TreeMap<>(model);
            long mark = undo.mark();
            try {
                statement();
            } catch (FulmarException violation) {
                assertThat(violation).hasMessageContaining("already");
            }
            if (random.nextInt(12) == 0) {
                undo.rollbackTo(mark);
                model = before;
            }
            if (random.nextInt(20) == 0) {
                stepAll();
            }
            if (random.nextInt(8) == 0) {
                register();
            }
            undo.reclaim(3);
        }
    }

    private void statement() {
        Row old = anyRow();
        Row other = randomRow();
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> insert(other);
            case 3 -> {
                if (old != null) {
                    store.delete(find(old.key()), undo);
                    model.remove(old.key());
                    if (random.nextBoolean()) {
                        insert(new Row(old.key(), other.group(), other.text(), other.amount(), other.filling()));
                    }
                }
            }
            case 4 -> update(old, new Row(other.key(), 0, other.text(), other.amount(), ""), 0, 2, 3);
            case 5 -> update(old, new Row(0, 0, "", other.amount(), ""), 3);
            case 6 -> update(old, new Row(0, other.group(), other.text(), null, ""), 1, 2);
            default -> update(old, new Row(0, 0, "", null, other.filling()), 4);
        }
    }

    private void insert(Row row) {
        fill(row);
        store.insert(image, undo);
        model.put(row.key(), row);
    }

    private void update(@Nullable Row old, Row change, int... columns) {
        if (old == null) {
            return;
        }
        List<Integer> changed = Arrays.stream(columns).boxed().toList();
        Row row = new Row(
                changed.contains(0) ? change.key() : old.key(),
                changed.contains(1) ? change.group() : old.group(),
                changed.contains(2) ? change.text() : old.text(),
                changed.contains(3) ? change.amount() : old.amount(),
                changed.contains(4) ? change.filling() : old.filling());
        fill(row);
        store.update(find(old.key()), image, store.updateShape(columns), undo);
        model.remove(old.key());
        model.put(row.key(), row);
    }

    private void fill(Row row) {
        image.clear();
        image.setLong(0, row.key());
        image.setLong(1, row.group());
        if (row.text() != null) {
            byte[] text = row.text().getBytes(StandardCharsets.UTF_8);
            image.setBytes(2, text, 0, text.length);
        }
        if (row.amount() != null) {
            image.setLong(3, row.amount());
        }
        byte[] filling = row.filling().getBytes(StandardCharsets.UTF_8);
        image.setBytes(4, filling, 0, filling.length);
    }

    private Row randomRow() {
        String text = random.nextInt(5) == 0 ? null : "text " + random.nextInt(8);
        Long amount = random.nextInt(5) == 0 ? null : (long) random.nextInt(5);
        String filling = Integer.toString(random.nextInt(9)).repeat(random.nextInt(random.nextInt(5) == 0 ? 300 : 40));
        return new Row(random.nextInt(KEYS), random.nextInt(5), text, amount, filling);
    }

    private @Nullable Row anyRow() {
        Map.Entry<Integer, Row> entry = model.ceilingEntry(random.nextInt(KEYS));
        return entry == null ? null : entry.getValue();
    }

    private long find(int key) {
        TableIndex index = store.index(random.nextBoolean() ? PK_HASH : PK_TREE);
        long found = index.find(index.newKey().reset().addLong(key));
        assertThat(found).isNotZero();
        return found;
    }

    private void turnOfReaders() {
        if (random.nextInt(8) == 0) {
            register();
        }
        if (!waiting.isEmpty() && random.nextInt(4) == 0) {
            VersionReader reader = waiting.remove(random.nextInt(waiting.size()));
            long timestamp = reader.timestamp() + random.nextInt((int) (clock - reader.timestamp()) + 1);
            reader.readAt(timestamp);
            readings.add(new Reading(reader, Objects.requireNonNull(commits.getOrDefault(timestamp, new TreeMap<>()))));
        }
        if (!readings.isEmpty()) {
            Reading reading = readings.get(random.nextInt(readings.size()));
            switch (random.nextInt(6)) {
                case 0, 1 -> begin(reading);
                case 2 -> lookUp(reading);
                case 3 -> {
                    if (random.nextInt(6) == 0) {
                        walks.removeIf(walk -> walk.reading.reader() == reading.reader());
                        reading.reader().close();
                        readings.remove(reading);
                    }
                }
                default -> stepAll();
            }
        }
    }

    private void register() {
        if (readings.size() + waiting.size() < mostReaders) {
            waiting.add(storage.openReader(clock, 0));
        }
    }

    private void begin(Reading reading) {
        int index = switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> PK_TREE;
            case 2 -> BY_AMOUNT;
            default -> UNIQUE_TEXT;
        };
        if (index == 0) {
            ScanCursor scan = store.newScan(reading.reader().snapshot());
            store.open(scan);
            walks.add(new Walk(reading, index, false, null, scan));
            return;
        }
        boolean backwards = random.nextBoolean();
        TableIndex tree = store.index(index);
        IndexCursor cursor = tree.newCursor(reading.reader().snapshot());
        tree.open(cursor, tree.newRange().reset(), backwards);
        walks.add(new Walk(reading, index, backwards, cursor, null));
    }

    private void stepAll() {
        for (Walk walk : List.copyOf(walks)) {
            for (int rows = random.nextInt(20); rows > 0; rows--) {
                if (!step(walk)) {
                    compare(walk);
                    walks.remove(walk);
                    break;
                }
            }
        }
    }

    private boolean step(Walk walk) {
        IndexCursor cursor = walk.cursor;
        ScanCursor scan = walk.scan;
        long row = cursor != null ? cursor.next() : Objects.requireNonNull(scan).next();
        if (row != 0) {
            walk.seen.add(read(walk.reading.reader().snapshot().versionOf(row)));
        }
        return row != 0;
    }

    private void compare(Walk walk) {
        compared++;
        if (walk.index == 0) {
            assertThat(walk.seen)
                    .containsExactlyInAnyOrderElementsOf(walk.reading.expected().values());
            return;
        }
        List<Row> expected = inOrder(walk.reading.expected(), walk.index);
        assertThat(walk.seen).isEqualTo(walk.backwards ? expected.reversed() : expected);
    }

    private static List<Row> inOrder(TreeMap<Integer, Row> rows, int index) {
        List<Row> ordered = new ArrayList<>(rows.values());
        if (index == BY_AMOUNT) {
            ordered.sort(Comparator.comparing(Row::amount, Comparator.nullsLast(Comparator.<Long>naturalOrder()))
                    .reversed()
                    .thenComparing(Row::key));
        }
        return ordered;
    }

    private void lookUp(Reading reading) {
        for (int key = 0; key < KEYS; key++) {
            Row expected = reading.expected().get(key);
            for (int index : new int[] {PK_HASH, PK_TREE}) {
                TableIndex unique = store.index(index);
                long row = unique.findAt(
                        unique.newKey().reset().addLong(key), reading.reader().snapshot());
                assertThat(row == 0 ? null : read(reading.reader().snapshot().versionOf(row)))
                        .isEqualTo(expected);
            }
            if (expected != null && expected.amount() != null) {
                TableIndex unique = store.index(UNIQUE_HASH);
                SearchKey both = unique.newKey().reset().addLong(key).addLong(expected.amount());
                long row = unique.findAt(both, reading.reader().snapshot());
                assertThat(read(reading.reader().snapshot().versionOf(row))).isEqualTo(expected);
            }
        }
        compared++;
    }

    private Row read(long row) {
        RowLayout layout = store.layout();
        return new Row(
                (int) layout.getLong(row, 0),
                (int) layout.getLong(row, 1),
                RowLayout.isNull(row, 2) ? null : text(row, 2),
                RowLayout.isNull(row, 3) ? null : layout.getLong(row, 3),
                text(row, 4));
    }

    private String text(long row, int column) {
        byte[] bytes = new byte[store.layout().bytesLength(row, column)];
        OffHeap.copy(store.layout().bytesAddress(row, column), bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
