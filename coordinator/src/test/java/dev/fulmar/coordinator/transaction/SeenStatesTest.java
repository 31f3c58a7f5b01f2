package dev.fulmar.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.request.ResultDigest;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SeenStatesTest {
    private static final ScriptStep READ = shown("SELECT 1", 1);
    private static final ScriptStep OTHER = shown("SELECT 2", 2);
    private static final ScriptStep NEW = new ScriptStep("SELECT 3", new byte[] {0, 0}, 3);

    private final SteppedPartition here = new SteppedPartition();
    private final SeenStates states = new SeenStates();

    private static ScriptStep shown(String sql, int seed) {
        return new ScriptStep(sql, new byte[] {0, 0}, seed, new long[0], new ResultDigest(seed, seed), 10, null);
    }

    private static TransactionRequest.Script script(long transaction, ScriptStep... steps) {
        return new TransactionRequest.Script(
                1, 1, 0, List.of(steps), ScriptEnding.UNDO, transaction, false, false, 7, 0, Caller.TRUSTED, 1);
    }

    private int seen(TransactionRequest.Script script) {
        return states.seen(script, here.partition, 1);
    }

    @AfterEach
    void close() {
        here.close();
    }

    /** Results that were new have not been compared yet. */
    @Test
    void statementsThatWereShownAreSeenWhereNothingHasChanged() {
        assertThat(seen(script(5, READ, NEW))).isZero();
        states.saw(script(5, READ, NEW), here.partition, 1);
        assertThat(seen(script(5, READ, OTHER, NEW))).isEqualTo(1);
        states.saw(script(5, READ, OTHER, NEW), here.partition, 1);
        assertThat(seen(script(5, READ, OTHER))).isEqualTo(2);
        assertThat(seen(script(6, READ, OTHER))).isZero();
        assertThat(states.seen(script(5, READ, OTHER), here.partition, 2)).isZero();
    }

    @Test
    void aCommitEndsTheState() {
        states.saw(script(5, READ), here.partition, 1);
        here.partition.timestamps().next();
        assertThat(seen(script(5, READ))).isZero();
        states.saw(script(5, READ), here.partition, 1);
        here.partition.timestamps().observe(here.partition.timestamps().last() + 9);
        assertThat(seen(script(5, READ))).isZero();
    }

    /** As after ROLLBACK TO a savepoint. */
    @Test
    void otherStatementsAreNotSeen() {
        states.saw(script(5, READ, OTHER), here.partition, 1);
        assertThat(seen(script(5, READ))).isZero();
        assertThat(seen(script(5, OTHER, READ))).isZero();
        assertThat(seen(script(5, READ, shown("SELECT 2", 9)))).isZero();
    }

    /** The partition shows what may be undone then. */
    @Test
    void nothingIsSeenWhileADecisionIsAwaited() {
        states.saw(script(5, READ), here.partition, 1);
        here.partition.awaitDecision(true);
        assertThat(seen(script(5, READ))).isZero();
        states.saw(script(6, READ), here.partition, 1);
        here.partition.awaitDecision(false);
        assertThat(seen(script(6, READ))).isZero();
        assertThat(seen(script(5, READ))).isEqualTo(1);
    }

    @Test
    void aTransactionWithoutANumberIsNotKnown() {
        states.saw(script(0, READ), here.partition, 1);
        assertThat(seen(script(0, READ))).isZero();
    }
}
