package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.change.CatalogEdit;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.change.Repartitioning;
import dev.fulmar.coordinator.request.TransactionRequest.AdHoc;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.PortalReader;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange.CreateTable;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The statements that place a table's rows anew, over a table of which the test plays the rows. */
class TableRepartitioningTest {
    private static final long DEADLINE_NANOS = 30_000_000_000L;
    private static final Pattern OFFSET = Pattern.compile("OFFSET (\\d+)");
    private static final Failed BUSY = new Failed(ErrorCode.SERVER_BUSY, "later");
    private static final Failed LARGE = new Failed(ErrorCode.TRANSACTION_TOO_LARGE, "too much");

    private final ManualScheduler time = new ManualScheduler();
    private final List<String> statements = new ArrayList<>();
    private final List<TransactionResponse> answers = new ArrayList<>();

    /** Keys of the table, (a, b), in their order. */
    private final List<long[]> rows = new ArrayList<>();

    private final List<long[]> copied = new ArrayList<>();

    /** Answers of the next copies, in place of what they do. */
    private final Deque<Failed> refusals = new ArrayDeque<>();

    private int mostRows = Integer.MAX_VALUE;

    /** Rows that a copy leaves out, though it says otherwise. */
    private int lost;

    /** Fetches of parts until the next reading breaks, with that code. */
    private int untilBroken = -1;

    private ErrorCode breaksWith = ErrorCode.SNAPSHOT_TOO_OLD;
    private int readings;
    private int endedReadings;
    private boolean isCancelled;

    /** Told of each statement before it runs. */
    private Consumer<String> watch = sql -> {};

    private final AtomicReference<Catalog> catalog = new AtomicReference<>(Catalog.empty());

    /** Answers to the first changes that give the table a successor. */
    private final Deque<TransactionResponse> beginnings = new ArrayDeque<>();

    private TransactionResponse ending = Answers.CHANGED;
    private final UnfinishedTables pending = new UnfinishedTables(
            new AtomicReference<>(Program.empty(PartitionPlan.hash(1))),
            PartitionHomes.allHere(),
            time,
            new SeededRandom(3),
            (statement, then) -> then.run());
    private Optional<IndexKind> kind = Optional.empty();

    private final class Statements implements OwnStatements {
        @Override
        public void run(AdHoc statement, Consumer<TransactionResponse> then) {
            statements.add(statement.sql());
            watch.accept(statement.sql());
            long[] values = values(statement);
            if (statement.sql().startsWith("SELECT")) {
                Matcher offset = OFFSET.matcher(statement.sql());
                assertThat(offset.find()).isTrue();
                List<long[]> left = range(statement.sql(), values);
                int last = Integer.parseInt(offset.group(1));
                then.accept(table(left.size() > last ? List.of(left.get(last)) : List.of()));
            } else if (statement.sql().startsWith("INSERT")) {
                then.accept(copy(statement.sql(), values));
            } else {
                then.accept(Answers.CHANGED);
            }
        }

        @Override
        public FetchedParts.Source read(AdHoc query, PortalReader.Listener listener) {
            statements.add(query.sql());
            watch.accept(query.sql());
            List<long[]> found = rows;
            if (query.sql().startsWith("SELECT COUNT")) {
                List<long[]> of = query.sql().endsWith("\"T\"") ? rows : copied;
                found = List.of(new long[] {of.size(), sum(of)});
            } else {
                readings++;
            }
            return source(found, listener);
        }

        private FetchedParts.Source source(List<long[]> found, PortalReader.Listener listener) {
            return new FetchedParts.Source() {
                private int next;

                @Override
                public void fetch(PartSize size) {
                    watch.accept("FETCH");
                    if (untilBroken-- == 0) {
                        listener.failed(breaksWith, "it broke");
                        return;
                    }
                    int end = Math.min(found.size(), next + size.rows());
                    List<long[]> part = found.subList(next, end);
                    next = end;
                    listener.part(table(part).results(), end == found.size(), 1);
                }

                @Override
                public void end(ErrorCode code, String message) {
                    endedReadings++;
                }
            };
        }

        private TransactionResponse copy(String sql, long[] values) {
            List<long[]> piece = sql.contains(" VALUES ") ? pairs(values) : range(sql, values);
            if (!refusals.isEmpty()) {
                return refusals.remove();
            }
            if (piece.size() > mostRows) {
                return LARGE;
            }
            copied.addAll(piece.subList(0, piece.size() - lost));
            return new Committed(Kind.VALUE, piece.size(), new byte[0]);
        }

        @Override
        public void change(AdHoc statement, ChangeHandle handle, Consumer<TransactionResponse> then) {
            statements.add(statement.sql());
            watch.accept(statement.sql());
            if (statement.sql().contains(" INTO ")) {
                then.accept(beginnings.isEmpty() ? Answers.CHANGED : beginnings.remove());
            } else {
                then.accept(statement.sql().contains(" FROM ") ? ending : Answers.CHANGED);
            }
        }
    }

    private static long sum(List<long[]> of) {
        return of.stream().mapToLong(row -> row[0] * 1_000 + row[1]).sum();
    }

    private static List<long[]> pairs(long[] values) {
        List<long[]> pairs = new ArrayList<>();
        for (int i = 0; i < values.length; i += 2) {
            pairs.add(new long[] {values[i], values[i + 1]});
        }
        return pairs;
    }

    private static long[] values(AdHoc statement) {
        ParameterReader reader = new ParameterReader(ParameterWriter.MAX_PARAMETERS)
                .wrap(statement.parameters(), 0, statement.parameters().length);
        long[] values = new long[reader.count()];
        for (int i = 0; i < values.length; i++) {
            values[i] = reader.getLong(i);
        }
        return values;
    }

    /** The rows that meet the statement's condition, which is one of those that are expected. */
    private List<long[]> range(String sql, long[] values) {
        int where = sql.indexOf(" WHERE ");
        String condition = where < 0 ? "" : sql.substring(where + 7).replaceAll(" ORDER BY.*", "");
        return rows.stream()
                .filter(row -> switch (condition) {
                    case "" -> true;
                    case "\"A\" > ?" -> row[0] > values[0];
                    case "(\"A\", \"B\") <= (?, ?)" -> isUpTo(row, values[0], values[1]);
                    case "\"A\" > ? AND (\"A\", \"B\") <= (?, ?)" ->
                        row[0] > values[0] && isUpTo(row, values[1], values[2]);
                    case "\"A\" = ? AND \"B\" > ?" -> row[0] == values[0] && row[1] > values[1];
                    case "\"A\" = ? AND \"B\" > ? AND (\"B\") <= (?)" ->
                        row[0] == values[0] && row[1] > values[1] && row[1] <= values[2];
                    default -> throw new AssertionError(condition);
                })
                .toList();
    }

    private static boolean isUpTo(long[] row, long a, long b) {
        return row[0] < a || (row[0] == a && row[1] <= b);
    }

    private static Committed table(List<long[]> rows) {
        ResultLayout layout = new ResultLayout(List.of(
                new ResultColumn("A", SteppedDatabase.BIGINT, false),
                new ResultColumn("B", SteppedDatabase.BIGINT, false)));
        ResultBlockWriter writer = new ResultBlockWriter(64, 1 << 20);
        writer.begin(layout);
        for (long[] row : rows) {
            writer.startRow();
            writer.setLong(0, row[0]);
            writer.setLong(1, row[row.length - 1]);
            writer.endRow();
        }
        writer.end();
        return new Committed(Kind.TABLE, 0, writer.toByteArray());
    }

    private void place() {
        CreateTable create = new CreateTable(
                "T",
                List.of(
                        new Column("A", SteppedDatabase.BIGINT, false, null),
                        new Column("B", SteppedDatabase.BIGINT, false, null)),
                List.of("A", "B"),
                kind,
                List.of(),
                Presence.STRICT);
        catalog.set(CatalogEdit.of(create, Catalog.empty()).catalog());
        AdHoc request = new AdHoc(7, 1, 0, "ALTER TABLE t PARTITION ON COLUMN b", SteppedDatabase.list());
        new TableRepartitioning(
                        new Repartitioning(catalog.get().table("T"), Optional.of("B")),
                        request,
                        new Statements(),
                        pending,
                        catalog::get,
                        time,
                        time,
                        new TableRepartitioning.Limits(DEADLINE_NANOS, () -> isCancelled),
                        answers::add)
                .start();
    }

    private void fill(int groups, int size) {
        for (long a = 0; a < groups; a++) {
            for (long b = 0; b < size; b++) {
                rows.add(new long[] {a, b});
            }
        }
    }

    private void assertPlaced() {
        assertThat(answers).containsExactly(Answers.CHANGED);
        assertThat(copied).containsExactlyElementsOf(rows);
        assertThat(statements.getFirst()).contains("PARTITION ON COLUMN \"B\" INTO \".");
        assertThat(statements.getLast()).contains("PARTITION ON COLUMN \"B\" FROM \".");
    }

    private void assertTakenBack(ErrorCode code) {
        assertThat(answers)
                .singleElement()
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(code));
        assertThat(statements.getLast()).startsWith("DROP TABLE IF EXISTS \".");
    }

    @Test
    void eachRowIsCopiedOnceWhateverItsKeyBeginsWith() {
        for (int[] shape :
                new int[][] {{0, 0}, {1, 1}, {1, 1000}, {1, 2500}, {2500, 1}, {7, 999}, {3, 1000}, {50, 41}}) {
            rows.clear();
            copied.clear();
            answers.clear();
            statements.clear();
            fill(shape[0], shape[1]);
            place();
            assertPlaced();
        }
    }

    @Test
    void aPieceThatIsTooLargeIsCopiedInSmallerOnes() {
        fill(3, 100);
        mostRows = 3;
        place();
        assertPlaced();
    }

    @Test
    void aRowThatIsTooLargeEndsIt() {
        fill(3, 700);
        mostRows = 0;
        place();
        assertTakenBack(ErrorCode.TRANSACTION_TOO_LARGE);
    }

    @Test
    void withoutAnOrderedKeyRowsAreCopiedInParts() {
        kind = Optional.of(IndexKind.HASH);
        for (int rowsOfEach : new int[] {0, 1, 199, 200, 1000, 1001}) {
            rows.clear();
            copied.clear();
            answers.clear();
            statements.clear();
            fill(5, rowsOfEach);
            place();
            assertPlaced();
            assertThat(statements)
                    .filteredOn(sql -> sql.startsWith("INSERT"))
                    .hasSize((5 * rowsOfEach + 199) / 200)
                    .allMatch(sql -> sql.split("\\(\\?, \\?\\)", -1).length <= 201);
        }
        assertThat(endedReadings).isZero();
    }

    @Test
    void aPartThatIsTooLargeIsCopiedByMoreStatements() {
        kind = Optional.of(IndexKind.HASH);
        fill(3, 700);
        mostRows = 20;
        refusals.add(BUSY);
        place();
        time.advance(100_000_000);
        assertPlaced();
    }

    @Test
    void partsThatEndTooEarlyAreReadAnew() {
        kind = Optional.of(IndexKind.HASH);
        fill(3, 1000);
        untilBroken = 2;
        watch = sql -> {
            if (sql.startsWith("DROP")) {
                copied.clear();
            }
        };
        place();
        assertThat(answers).isEmpty();
        time.advance(100_000_000);
        assertPlaced();
        assertThat(readings).isEqualTo(2);
        assertThat(statements.stream().filter(sql -> sql.contains(" INTO \".") && sql.startsWith("ALTER")))
                .hasSize(2);
    }

    @Test
    void partsThatFailForGoodEndIt() {
        kind = Optional.of(IndexKind.HASH);
        fill(3, 1000);
        untilBroken = 2;
        breaksWith = ErrorCode.MEMORY_LIMIT;
        place();
        assertTakenBack(ErrorCode.MEMORY_LIMIT);
    }

    @Test
    void aDigestThatEndsTooEarlyIsReadAnew() {
        fill(3, 1000);
        untilBroken = 1;
        place();
        assertThat(answers).isEmpty();
        time.advance(100_000_000);
        assertPlaced();
        assertThat(statements).filteredOn(sql -> sql.startsWith("SELECT COUNT")).hasSize(4);
    }

    @Test
    void oneThatCannotBeginAnewEndsWhenItIsCancelled() {
        kind = Optional.of(IndexKind.HASH);
        fill(3, 1000);
        untilBroken = 0;
        beginnings.add(Answers.CHANGED);
        for (int i = 0; i < 10_000; i++) {
            beginnings.add(BUSY);
        }
        place();
        time.advance(100_000_000);
        assertThat(answers).isEmpty();
        isCancelled = true;
        time.advance(100_000_000);
        assertTakenBack(ErrorCode.CANCELLED);
    }

    /** Each would take away what the other one's snapshot needs. */
    @Test
    void twoWithoutAnOrderedKeyTakeTurns() {
        kind = Optional.of(IndexKind.HASH);
        fill(1, 100);
        refusals.add(BUSY);
        place();
        place();
        assertThat(statements)
                .filteredOn(sql -> sql.contains(" INTO \".") && sql.startsWith("ALTER"))
                .hasSize(1);
        watch = sql -> {
            if (sql.startsWith("ALTER") && sql.contains(" FROM \".")) {
                copied.clear();
            }
        };
        time.advance(100_000_000);
        assertThat(answers).containsExactly(Answers.CHANGED, Answers.CHANGED);
        List<String> changes =
                statements.stream().filter(sql -> sql.startsWith("ALTER")).toList();
        assertThat(changes).hasSize(4);
        assertThat(changes.get(1)).contains(" FROM \".");
        assertThat(changes.get(2)).contains(" INTO \".");
    }

    @Test
    void oneThatWaitsForItsTurnEndsWhenItIsCancelled() {
        kind = Optional.of(IndexKind.HASH);
        Object other = new Object();
        assertThat(pending.takeTurn(other)).isTrue();
        place();
        isCancelled = true;
        time.advance(100_000_000);
        assertThat(statements).isEmpty();
        assertThat(answers)
                .singleElement()
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.CANCELLED));
        pending.endTurn(other);
        isCancelled = false;
        answers.clear();
        place();
        assertPlaced();
    }

    @Test
    void aFailureBetweenTwoPartsIsTheAnswerToTheNextFetch() {
        FetchedParts parts = new FetchedParts();
        List<FetchedParts.Answer> heard = new ArrayList<>();
        parts.failed(ErrorCode.SNAPSHOT_TOO_OLD, "too old");
        parts.fetch(
                new FetchedParts.Source() {
                    @Override
                    public void fetch(PartSize size) {
                        throw new AssertionError("it has ended");
                    }

                    @Override
                    public void end(ErrorCode code, String message) {}
                },
                new PartSize(1, 1),
                heard::add);
        assertThat(heard)
                .containsExactly(new FetchedParts.Answer.Broken(new Failed(ErrorCode.SNAPSHOT_TOO_OLD, "too old")));
    }

    @Test
    void aCancelledStatementTakesBackWhatItCopied() {
        for (Optional<IndexKind> each : List.of(Optional.<IndexKind>empty(), Optional.of(IndexKind.HASH))) {
            kind = each;
            rows.clear();
            answers.clear();
            isCancelled = false;
            fill(3, 1000);
            watch = sql -> isCancelled |= sql.startsWith("INSERT");
            place();
            assertTakenBack(ErrorCode.CANCELLED);
        }
        assertThat(endedReadings).isEqualTo(1);
    }

    /** Another statement may add a column between the plan of this one and its first change. */
    @Test
    void theTableIsCopiedAsTheFirstChangeFindsIt() {
        fill(3, 10);
        watch = sql -> {
            if (sql.contains(" INTO \".") && sql.startsWith("ALTER")) {
                Table table = catalog.get().table("T");
                List<Column> columns = new ArrayList<>(table.columns());
                columns.add(new Column("LATE", SteppedDatabase.BIGINT, true, null));
                catalog.set(catalog.get().withTable(table.withColumns(columns)));
            }
        };
        place();
        assertThat(statements)
                .filteredOn(sql -> sql.startsWith("INSERT"))
                .isNotEmpty()
                .allMatch(sql -> sql.contains("\"LATE\""));
    }

    @Test
    void whatIsRefusedForNowIsTriedAgainUntilTheTimeIsOver() {
        fill(1, 10);
        refusals.add(BUSY);
        refusals.add(BUSY);
        place();
        assertThat(answers).isEmpty();
        time.advance(100_000_000);
        assertPlaced();
        answers.clear();
        copied.clear();
        for (int i = 0; i < 10_000; i++) {
            refusals.add(BUSY);
        }
        place();
        time.advance(DEADLINE_NANOS);
        assertTakenBack(ErrorCode.TIMEOUT);
    }

    @Test
    void whatFailsIsTakenBack() {
        fill(3, 700);
        refusals.add(new Failed(ErrorCode.MEMORY_LIMIT, "the memory is used up"));
        place();
        assertTakenBack(ErrorCode.MEMORY_LIMIT);
    }

    @Test
    void aSuccessorThatCannotTakeThePlaceIsDropped() {
        ending = new Failed(ErrorCode.DEPENDENT_OBJECTS, "a view was made meanwhile");
        place();
        assertTakenBack(ErrorCode.DEPENDENT_OBJECTS);
    }

    @Test
    void aRowThatIsSaidToBeCopiedAndIsNotThereEndsIt() {
        fill(2, 10);
        lost = 1;
        place();
        assertTakenBack(ErrorCode.INTERNAL);
    }

    @Test
    void aRowThatWasCopiedTwiceInPlaceOfAnotherEndsIt() {
        fill(2, 10);
        watch = sql -> {
            if (sql.startsWith("SELECT COUNT")) {
                copied.set(3, copied.get(4));
            }
        };
        place();
        assertTakenBack(ErrorCode.INTERNAL);
    }
}
