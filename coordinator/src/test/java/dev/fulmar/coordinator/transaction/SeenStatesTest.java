package dev.fulmar.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.request.ResultDigest;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SeenStatesTest {
    private static final ScriptStep READ = shown("SELECT 1", 1);
    private static final ScriptStep OTHER = shown("SELECT 2", 2);
    private static final ScriptStep NEW = new ScriptStep("SELECT 3", new byte[] {0, 0}, 3);

    private final SteppedPartition here = new SteppedPartition();
    private final SeenStates states = new SeenStates();
    private Object plan = "a plan";

    private static ScriptStep shown(String sql, int seed) {
        return new ScriptStep(sql, new byte[] {0, 0}, seed, new long[0], new ResultDigest(seed, seed), 10, null);
    }

    private static TransactionRequest.Script script(long transaction, ScriptStep... steps) {
        return new TransactionRequest.Script(
                1, 1, 0, List.of(steps), ScriptEnding.UNDO, transaction, false, false, 7, 0, Caller.TRUSTED, 1);
    }

    private int seen(TransactionRequest.Script script) {
        return seen(script, new long[script.steps().size()]);
    }

    private int seen(TransactionRequest.Script script, long[] changed) {
        return states.seen(script, here.partition, 1, number -> plan, changed);
    }

    /** All have run; of the new ones the first have results. */
    private void saw(TransactionRequest.Script script, ResultDigest... ofNew) {
        List<ScriptStep> steps = script.steps();
        @Nullable ResultDigest[] results = new @Nullable ResultDigest[steps.size()];
        long[] changed = new long[steps.size()];
        int next = 0;
        for (int i = 0; i < results.length; i++) {
            results[i] = steps.get(i).isNew() && next < ofNew.length ? ofNew[next++] : null;
            changed[i] = 1L << i;
        }
        states.saw(script, here.partition, 1, number -> plan, results, changed);
    }

    @AfterEach
    void close() {
        here.close();
    }

    @Test
    void statementsThatWereShownAreSeenWhereNothingHasChanged() {
        assertThat(seen(script(5, READ, NEW))).isZero();
        saw(script(5, READ, NEW));
        assertThat(seen(script(5, READ, OTHER, NEW))).isEqualTo(1);
        saw(script(5, READ, OTHER, NEW));
        assertThat(seen(script(5, READ, OTHER))).isEqualTo(2);
        assertThat(seen(script(6, READ, OTHER))).isZero();
        assertThat(states.seen(script(5, READ, OTHER), here.partition, 2, number -> plan, new long[2]))
                .isZero();
    }

    /** The client may have been shown it, or another result, or none. */
    @Test
    void aResultThatWasNewIsSeenIfItIsTheOneThatWasShown() {
        saw(script(5, READ, NEW), new ResultDigest(3, 3));
        assertThat(seen(script(5, READ, shown(NEW.sql(), 3), NEW))).isEqualTo(2);
        assertThat(seen(script(5, READ, shown(NEW.sql(), 4), NEW))).isEqualTo(1);
        assertThat(seen(script(5, READ, OTHER, NEW)))
                .as("at READ COMMITTED a query is not kept")
                .isEqualTo(1);
        assertThat(seen(script(5, READ))).isEqualTo(1);
    }

    @Test
    void ofSeveralNewStatementsThoseBeforeAFailureAreSeen() {
        saw(script(5, NEW, NEW), new ResultDigest(3, 3));
        assertThat(seen(script(5, shown(NEW.sql(), 3), NEW))).isEqualTo(1);
    }

    /** Where a statement says LIMIT and no ORDER BY, say. */
    @Test
    void anotherPlanMayYieldOtherRows() {
        saw(script(5, READ, OTHER));
        plan = "another plan";
        assertThat(seen(script(5, READ, OTHER))).isZero();
    }

    @Test
    void aPrimaryThatIsDeposedForgets() {
        saw(script(5, READ, OTHER));
        states.forget();
        assertThat(seen(script(5, READ, OTHER))).isZero();
    }

    @Test
    void theTablesThatTheyHaveChangedAreKnown() {
        saw(script(5, READ, OTHER, NEW));
        long[] changed = new long[3];
        assertThat(seen(script(5, READ, OTHER, NEW), changed)).isEqualTo(2);
        assertThat(changed).containsExactly(1, 2, 0);
    }

    @Test
    void aCommitEndsTheState() {
        saw(script(5, READ));
        here.partition.timestamps().next();
        assertThat(seen(script(5, READ))).isZero();
        saw(script(5, READ));
        here.partition.timestamps().observe(here.partition.timestamps().last() + 9);
        assertThat(seen(script(5, READ))).isZero();
    }

    /** As after ROLLBACK TO a savepoint. */
    @Test
    void otherStatementsAreNotSeen() {
        saw(script(5, READ, OTHER));
        assertThat(seen(script(5, READ))).isZero();
        assertThat(seen(script(5, OTHER, READ))).isZero();
        assertThat(seen(script(5, READ, shown("SELECT 2", 9)))).isZero();
    }

    /** The partition shows what may be undone then. */
    @Test
    void nothingIsSeenWhileADecisionIsAwaited() {
        saw(script(5, READ));
        here.partition.awaitDecision(true);
        assertThat(seen(script(5, READ))).isZero();
        saw(script(6, READ));
        here.partition.awaitDecision(false);
        assertThat(seen(script(6, READ))).isZero();
        assertThat(seen(script(5, READ))).isEqualTo(1);
    }

    @Test
    void aTransactionWithoutANumberIsNotKnown() {
        saw(script(0, READ));
        assertThat(seen(script(0, READ))).isZero();
    }
}
