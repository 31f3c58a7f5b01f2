package dev.fulmar.engine.execution;

import static dev.fulmar.engine.execution.Plans.INTEGER;
import static dev.fulmar.engine.execution.Plans.TEXT;
import static dev.fulmar.engine.execution.Plans.column;
import static dev.fulmar.engine.execution.Plans.compare;
import static dev.fulmar.engine.execution.Plans.equal;
import static dev.fulmar.engine.execution.Plans.integer;
import static dev.fulmar.engine.execution.Plans.literal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.Aggregate;
import dev.fulmar.engine.plan.Relation.AggregateCall;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.engine.plan.Relation.Bound;
import dev.fulmar.engine.plan.Relation.IndexKey;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.engine.plan.Relation.SortKey;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.table.TableIndex;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.time.Clock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random plans over a snapshot, in slices with transactions between: each yields what it yielded at the snapshot's
 * timestamp in one go.
 */
class SnapshotQueryProperties {
    private static final int KEYS = 60;
    private static final List<ColumnType> SHAPE = List.of(INTEGER, INTEGER, TEXT);
    private static final long NO_LIMIT_NANOS = Long.MAX_VALUE / 2;

    private final Database database = new Database();
    private final Table one = table("ONE");
    private final Table other = table("OTHER");
    private final UndoLog undo = database.storage().undoLog();
    private final Random random = new Random();
    private long clock;
    private long timeNanos;
    private final Clock time = new Clock() {
        @Override
        public long monotonicNanos() {
            return timeNanos;
        }

        @Override
        public long wallMicros() {
            return timeNanos / 1000;
        }
    };

    private Table table(String name) {
        return database.table(name)
                .column("ID", INTEGER)
                .nullable("K", INTEGER)
                .nullable("V", TEXT)
                .primaryKey(0)
                .index(IndexKind.ORDERED, false, false, 1)
                .create();
    }

    @BeforeEach
    void fill() {
        for (int i = 0; i < 80; i++) {
            change();
        }
        undo.commit(++clock);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void slicesYieldWhatOneGoYielded(long seed) {
        random.setSeed(seed);
        int paused = 0;
        for (int i = 0; i < 500; i++) {
            Relation relation = relation(random.nextInt(4));
            CompiledStatement statement = StatementCompiler.compile(database.catalog(), Plans.query(relation));
            List<List<@Nullable Object>> expected = database.query(statement.on(database.context()));
            paused += check(relation, statement, expected) > 1 ? 1 : 0;
        }
        assertThat(paused).isGreaterThan(250);
        undo.reclaim(Long.MAX_VALUE);
        assertThat(undo.isRetaining()).isFalse();
    }

    /** Returns the number of slices. */
    private int check(Relation relation, CompiledStatement statement, List<List<@Nullable Object>> expected) {
        SnapshotQuery query = statement.snapshotOn(database.context(), time);
        ResultBlockWriter rows = new ResultBlockWriter(1 << 10, 1 << 26);
        try (VersionReader reader = database.storage().openReader(clock, 0)) {
            reader.readAt(clock);
            query.start(reader, statement.newBindings(), rows);
            transaction();
            int slices = 1;
            while (!query.run(NO_LIMIT_NANOS, random.nextInt(random.nextInt(4) == 0 ? 200 : 25))) {
                slices++;
                transaction();
            }
            assertThat(Database.rows(rows)).as("%s", relation).isEqualTo(expected);
            assertThat(query.rowCount()).isEqualTo(expected.size());
            return slices;
        }
    }

    /** Between two parts any time may pass, and each is full but the last. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void partsTogetherAreWhatOneGoYielded(long seed) {
        random.setSeed(seed);
        int inParts = 0;
        for (int i = 0; i < 500; i++) {
            Relation relation = pipelined(random.nextInt(4));
            CompiledStatement statement = StatementCompiler.compile(database.catalog(), Plans.query(relation));
            assertThat(statement.yieldsParts(true)).isTrue();
            List<List<@Nullable Object>> expected = database.query(statement.on(database.context()));
            PartSize size = new PartSize(1 + random.nextInt(10), 1 + random.nextInt(1000));
            List<List<List<@Nullable Object>>> parts = parts(statement, size);
            assertThat(parts.stream().flatMap(List::stream).toList())
                    .as("%s", relation)
                    .isEqualTo(expected);
            assertThat(parts).allMatch(part -> part.size() <= size.rows());
            inParts += parts.size() > 1 ? 1 : 0;
        }
        assertThat(inParts).isGreaterThan(250);
        undo.reclaim(Long.MAX_VALUE);
        assertThat(undo.isRetaining()).isFalse();
    }

    private List<List<List<@Nullable Object>>> parts(CompiledStatement statement, PartSize size) {
        SnapshotPartsQuery query = statement.snapshotParts(true, database.context(), time);
        ResultBlockWriter rows = new ResultBlockWriter(1 << 10, 1 << 26);
        List<List<List<@Nullable Object>>> parts = new ArrayList<>();
        try (VersionReader reader = database.storage().openReader(clock, 0)) {
            reader.readAt(clock);
            query.start(reader, statement.newBindings(), rows);
            query.want(size);
            transaction();
            while (!query.run(NO_LIMIT_NANOS, random.nextInt(25))) {
                transaction();
                if (query.isFull()) {
                    query.endPart();
                    parts.add(Database.rows(rows));
                    assertThat(size.isReached(parts.getLast().size(), rows.size()))
                            .isTrue();
                    rows.clear();
                    query.want(size);
                }
            }
            parts.add(Database.rows(rows));
        }
        return parts;
    }

    private Relation pipelined(int depth) {
        if (depth == 0) {
            return leaf();
        }
        return switch (random.nextInt(4)) {
            case 0 -> new Relation.Filter(pipelined(depth - 1), condition());
            case 1 -> indexJoin(pipelined(depth - 1));
            case 2 -> new Relation.Limit(pipelined(depth - 1), integer(random.nextInt(3)), integer(40));
            default -> new Relation.UnionAll(List.of(pipelined(depth - 1), leaf()));
        };
    }

    @Test
    void rowsThatAreKeptAreNotHandedOutInParts() {
        Relation scan = Database.scan(one);
        for (Relation kept : List.of(
                aggregate(scan),
                sort(scan),
                hashJoin(scan, scan),
                nestedLoop(scan, scan, JoinKind.INNER),
                new Relation.UnionAll(List.of(scan, values())))) {
            assertThat(StatementCompiler.compile(database.catalog(), Plans.query(kept))
                            .yieldsParts(true))
                    .as("%s", kept)
                    .isFalse();
        }
    }

    private void transaction() {
        for (int changes = random.nextInt(6); changes > 0; changes--) {
            change();
        }
        if (random.nextInt(4) == 0) {
            undo.rollback();
        } else {
            undo.commit(++clock);
        }
    }

    private void change() {
        TableStore store = database.storage().table(random.nextBoolean() ? one.id() : other.id());
        RowImage image = new RowImage(store.layout());
        image.clear();
        image.setLong(0, random.nextInt(KEYS));
        if (random.nextInt(6) > 0) {
            image.setLong(1, random.nextInt(8));
        }
        if (random.nextInt(6) > 0) {
            byte[] text = Integer.toString(random.nextInt(50))
                    .repeat(random.nextInt(9))
                    .getBytes(StandardCharsets.UTF_8);
            image.setBytes(2, text, 0, text.length);
        }
        TableIndex index = store.primaryIndex();
        long row = index.find(index.newKey().reset().addLong(random.nextInt(KEYS)));
        try {
            if (row == 0) {
                store.insert(image, undo);
            } else if (random.nextInt(3) == 0) {
                store.delete(row, undo);
            } else {
                store.update(
                        row,
                        image,
                        store.updateShape(random.nextBoolean() ? new int[] {0, 1, 2} : new int[] {1, 2}),
                        undo);
            }
        } catch (FulmarException violation) {
            assertThat(violation.code()).isEqualTo(ErrorCode.UNIQUE_VIOLATION);
        }
    }

    private Relation relation(int depth) {
        if (depth == 0) {
            return leaf();
        }
        return switch (random.nextInt(11)) {
            case 0 -> new Relation.Filter(relation(depth - 1), condition());
            case 1 -> shaped(nestedLoop(leaf(), relation(depth - 1), kind(true)));
            case 2 -> shaped(nestedLoop(relation(depth - 1), leaf(), JoinKind.FULL));
            case 3, 4 -> indexJoin(relation(depth - 1));
            case 5, 6 -> hashJoin(relation(depth - 1), relation(depth - 1));
            case 7 -> aggregate(relation(depth - 1));
            case 8 -> sort(relation(depth - 1));
            case 9 ->
                new Relation.Limit(
                        random.nextBoolean() ? sort(relation(depth - 1)) : relation(depth - 1),
                        random.nextBoolean() ? null : integer(random.nextInt(5)),
                        random.nextInt(4) == 0 ? null : integer(random.nextInt(40)));
            default -> new Relation.UnionAll(List.of(relation(depth - 1), relation(depth - 1), values()));
        };
    }

    private Relation nestedLoop(Relation left, Relation right, JoinKind kind) {
        return new Relation.NestedLoopJoin(left, right, kind, joinCondition());
    }

    private Relation shaped(Relation relation) {
        if (relation.columns().size() == SHAPE.size()) {
            return relation;
        }
        int from = random.nextInt(2) * SHAPE.size();
        List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < SHAPE.size(); i++) {
            columns.add(column(from + i, SHAPE.get(i)));
        }
        return new Relation.Project(relation, columns);
    }

    private Table anyTable() {
        return random.nextBoolean() ? one : other;
    }

    private Relation leaf() {
        Table table = anyTable();
        Expression filter = random.nextInt(3) == 0 ? condition() : null;
        int hash = table.indexes().get(0).id();
        int tree = table.indexes().get(1).id();
        int byK = table.indexes().get(2).id();
        boolean backwards = random.nextBoolean();
        return switch (random.nextInt(6)) {
            case 0 -> scan(table, new IndexKey(hash, List.of(integerLiteral(KEYS)), none(), none()), false, filter);
            case 1 -> scan(table, new IndexKey(tree, List.of(), bound(KEYS), bound(KEYS)), backwards, filter);
            case 2 -> scan(table, new IndexKey(byK, List.of(integerLiteral(8)), none(), none()), backwards, filter);
            case 3 -> scan(table, new IndexKey(byK, List.of(), none(), none()), backwards, filter);
            default -> new Relation.TableScan(table.id(), SHAPE, filter);
        };
    }

    private static Optional<Bound> none() {
        return Optional.empty();
    }

    private Optional<Bound> bound(int below) {
        return random.nextBoolean() ? none() : Optional.of(new Bound(integerLiteral(below), random.nextBoolean()));
    }

    private Expression integerLiteral(int below) {
        return literal(INTEGER, (long) random.nextInt(below));
    }

    private static Relation.IndexScan scan(Table table, IndexKey key, boolean backwards, @Nullable Expression filter) {
        return new Relation.IndexScan(table.id(), SHAPE, key, backwards, filter);
    }

    private Expression condition() {
        return compare(ScalarFunction.GREATER, column(random.nextInt(2), INTEGER), integer(random.nextInt(10)));
    }

    private @Nullable Expression joinCondition() {
        return random.nextInt(3) == 0 ? null : equal(column(0, INTEGER), column(3 + random.nextInt(2), INTEGER));
    }

    private JoinKind kind(boolean full) {
        JoinKind[] kinds = JoinKind.values();
        JoinKind kind = kinds[random.nextInt(kinds.length)];
        return kind == JoinKind.FULL && !full ? JoinKind.LEFT : kind;
    }

    private Relation indexJoin(Relation left) {
        Table table = anyTable();
        boolean point = random.nextBoolean();
        IndexKey key = Plans.key(table.indexes().get(point ? 0 : 2).id(), column(random.nextInt(2), INTEGER));
        Expression filter = random.nextInt(3) == 0 ? condition() : null;
        boolean backwards = !point && random.nextBoolean();
        Expression more =
                random.nextInt(3) == 0 ? compare(ScalarFunction.GREATER, column(3, INTEGER), column(0, INTEGER)) : null;
        return shaped(new Relation.IndexJoin(left, scan(table, key, backwards, filter), kind(false), more));
    }

    private Relation hashJoin(Relation left, Relation right) {
        Expression more =
                random.nextInt(3) == 0 ? compare(ScalarFunction.GREATER, column(3, INTEGER), column(0, INTEGER)) : null;
        return shaped(new Relation.HashJoin(
                left,
                right,
                kind(true),
                List.of(column(random.nextInt(2), INTEGER)),
                List.of(column(1, INTEGER)),
                more));
    }

    private Relation aggregate(Relation input) {
        boolean grouped = random.nextBoolean();
        List<AggregateCall> calls = new ArrayList<>();
        if (!grouped) {
            calls.add(new AggregateCall(AggregateFunction.MAX, column(1, INTEGER), false, null, INTEGER));
        }
        calls.add(new AggregateCall(AggregateFunction.MIN, column(0, INTEGER), false, null, INTEGER));
        calls.add(new AggregateCall(AggregateFunction.MAX, column(2, TEXT), random.nextBoolean(), null, TEXT));
        if (random.nextInt(3) == 0) {
            calls.set(calls.size() - 1, list());
        }
        return new Aggregate(input, grouped ? List.of(column(1, INTEGER)) : List.of(), calls);
    }

    /** The texts are kept until the group is done, and sorted then. */
    private AggregateCall list() {
        return new AggregateCall(
                AggregateFunction.STRING_AGG,
                column(2, TEXT),
                random.nextBoolean(),
                null,
                TEXT,
                new Relation.Further(
                        List.of(literal(TEXT, ",")),
                        List.of(new SortKey(column(2, TEXT), random.nextBoolean(), false)),
                        Relation.Step.WHOLE));
    }

    private Relation sort(Relation input) {
        return new Relation.Sort(
                input,
                List.of(
                        new SortKey(column(1, INTEGER), random.nextBoolean(), random.nextBoolean()),
                        new SortKey(column(2, TEXT), random.nextBoolean(), false)));
    }

    private Relation values() {
        List<List<Expression>> rows = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            rows.add(List.of(integerLiteral(9), literal(INTEGER, null), literal(TEXT, "spelt out")));
        }
        return new Relation.Values(SHAPE, rows);
    }

    @Test
    void anExpiredReaderFailsAtItsNextSliceAndLeavesNoRows() {
        random.setSeed(1);
        StatementPlan plan = Plans.query(Database.scan(one));
        CompiledStatement statement = StatementCompiler.compile(database.catalog(), plan);
        SnapshotQuery query = statement.snapshotFragment(0, database.context(), time);
        ResultBlockWriter rows = new ResultBlockWriter(1 << 10, 1 << 20);
        VersionReader reader = database.storage().openReader(clock, 0);
        reader.readAt(clock);
        query.start(reader, statement.newBindings(), rows);
        assertThat(query.run(NO_LIMIT_NANOS, 5)).isFalse();
        database.storage()
                .dropIndex(withoutLastIndex(one), one.indexes().getLast().id());
        assertThatThrownBy(() -> query.run(NO_LIMIT_NANOS, 5))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TRANSACTION_RESTART));
        assertThat(rows.size()).isZero();
        reader.close();
    }

    private static Table withoutLastIndex(Table table) {
        return new Table(
                table.id(),
                table.name(),
                table.columns(),
                table.partitioningColumn(),
                table.primaryKey(),
                table.indexes().subList(0, 2));
    }

    @Test
    void aSliceEndsWithItsTime() {
        random.setSeed(2);
        StatementPlan plan = Plans.query(new Relation.NestedLoopJoin(
                Database.scan(one), Database.scan(other), JoinKind.INNER, equal(integer(1), integer(1))));
        CompiledStatement statement = StatementCompiler.compile(database.catalog(), plan);
        Clock running = new Clock() {
            @Override
            public long monotonicNanos() {
                return timeNanos += 1000;
            }

            @Override
            public long wallMicros() {
                return 0;
            }
        };
        SnapshotQuery query = statement.snapshotOn(database.context(), running);
        ResultBlockWriter rows = new ResultBlockWriter(1 << 10, 1 << 20);
        VersionReader reader = database.storage().openReader(clock, 0);
        reader.readAt(clock);
        query.start(reader, statement.newBindings(), rows);
        long slices = 1;
        while (!query.run(3000, Integer.MAX_VALUE)) {
            slices++;
        }
        long pairs = database.query(plan).size();
        assertThat(query.rowCount()).isEqualTo(pairs);
        assertThat(slices).isGreaterThan(pairs / 200);
        reader.close();
    }
}
