package dev.fulmar.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.request.ResultDigest;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.routing.Reach;
import dev.fulmar.engine.execution.RowArea;
import dev.fulmar.engine.plan.TableMarks;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Statements of a transaction that need not run again: each test is a transaction, statement by statement. */
class SeenStatementsTest {
    private static final long A = TableMarks.of(1);
    private static final long B = TableMarks.of(2);

    private final SteppedPartition here = new SteppedPartition();
    private final SeenStates states = new SeenStates();
    private final List<ScriptStep> told = new ArrayList<>();
    private final List<Reach> reaches = new ArrayList<>();
    private final List<Long> changes = new ArrayList<>();

    @AfterEach
    void close() {
        here.close();
    }

    private SeenStatements.Plans plans() {
        return new SeenStatements.Plans() {
            @Override
            public Object of(int number) {
                return reaches;
            }

            @Override
            public Reach reach(int number) {
                return reaches.get(number);
            }
        };
    }

    /** Runs one more statement, and returns the numbers of those that ran. */
    private List<Integer> run(long readTables, long changedTables) {
        return run(readTables == TableMarks.ALL ? Reach.ANYWHERE : Reach.ofTables(readTables), changedTables);
    }

    private List<Integer> run(Reach reach, long changedTables) {
        ScriptStep step = new ScriptStep("statement " + told.size(), new byte[] {0, 0}, told.size());
        reaches.add(reach);
        changes.add(changedTables);
        List<ScriptStep> steps = new ArrayList<>(told);
        steps.add(step);
        TransactionRequest.Script script = new TransactionRequest.Script(
                1, 1, 0, steps, ScriptEnding.UNDO, 5, false, false, 7, 0, Caller.TRUSTED, 1);
        SeenStatements seen = new SeenStatements(states, script, plans(), here.partition, 1);
        List<Integer> ran = new ArrayList<>();
        for (int number = 0; number < steps.size(); number++) {
            if (!seen.has(number)) {
                ran.add(number);
                seen.ran(
                        number,
                        new ScriptRun.Executed(Committed.DONE, changes.get(number) == 0, 0),
                        changes.get(number));
            }
        }
        seen.end();
        told.add(step.shown(ResultDigest.of(Committed.DONE, step.sql()), 10));
        return ran;
    }

    @Test
    void eachQueryRunsOnce() {
        assertThat(run(A, 0)).containsExactly(0);
        assertThat(run(A, 0)).containsExactly(1);
        assertThat(run(B, 0)).containsExactly(2);
    }

    @Test
    void aChangeRunsAgainWhereAQueryReadsItsTable() {
        assertThat(run(TableMarks.ALL, A)).containsExactly(0);
        assertThat(run(B, 0)).containsExactly(1);
        assertThat(run(A, 0)).containsExactly(0, 2);
        assertThat(run(B, 0)).containsExactly(3);
    }

    /** It may depend on each of those before it. */
    @Test
    void allChangesBeforeTheLastOneThatIsNeededRunAgain() {
        run(TableMarks.ALL, A);
        run(B, 0);
        run(TableMarks.ALL, B);
        run(TableMarks.ALL, A);
        assertThat(run(B, 0)).containsExactly(0, 2, 4);
    }

    @Test
    void aChangeNeedsAllChangesBeforeIt() {
        run(TableMarks.ALL, A);
        assertThat(run(TableMarks.ALL, B)).containsExactly(0, 1);
        assertThat(run(TableMarks.ALL, B)).containsExactly(0, 1, 2);
    }

    @Test
    void aChangeOfARowNeedsThoseOfTheSameRow() {
        run(write(1, 1), A);
        assertThat(run(write(1, 2), A)).containsExactly(1);
        assertThat(run(query(1, 1), 0)).containsExactly(0, 2);
        assertThat(run(write(1, 2), A)).containsExactly(1, 3);
        assertThat(run(query(1, 3), 0)).containsExactly(4);
        assertThat(run(A, 0)).containsExactly(0, 1, 3, 5);
        assertThat(run(write(2, 1), B)).containsExactly(6);
    }

    /** Without what it failed for it would succeed. */
    @Test
    void aStatementThatFailedDoesNotRunAgain() {
        run(write(1, 1), A);
        run(write(1, 1), 0);
        told.set(1, told.get(1).failed(ErrorCode.UNIQUE_VIOLATION));
        run(write(1, 2), A);
        assertThat(run(query(1, 2), 0)).doesNotContain(0);
        assertThat(run(query(1, 2), 0)).containsExactly(2, 4);
    }

    private static RowArea row(int table, long key) {
        return new RowArea(table, 0, List.of(new RowArea.Extent(0, key, key, key)));
    }

    private static Reach write(int table, long key) {
        return new Reach(TableMarks.NONE, List.of(row(table, key)), row(table, key), false);
    }

    private static Reach query(int table, long key) {
        return new Reach(TableMarks.NONE, List.of(row(table, key)), null, true);
    }

    @Test
    void aChangeThatChangedNothingIsLikeAQuery() {
        run(TableMarks.ALL, 0);
        assertThat(run(A, 0)).containsExactly(1);
        assertThat(run(TableMarks.ALL, A)).containsExactly(2);
    }

    @Test
    void allRunAgainOnAnotherState() {
        run(A, 0);
        run(TableMarks.ALL, A);
        here.partition.timestamps().next();
        assertThat(run(B, 0)).containsExactly(0, 1, 2);
        assertThat(run(B, 0)).containsExactly(3);
    }

    /** Tables whose numbers differ by 64 share a mark. */
    @Test
    void aTableThatSharesAMarkIsTakenForTheOther() {
        run(TableMarks.ALL, TableMarks.of(65));
        assertThat(run(A, 0)).containsExactly(0, 1);
        assertThat(run(B, 0)).containsExactly(2);
    }
}
