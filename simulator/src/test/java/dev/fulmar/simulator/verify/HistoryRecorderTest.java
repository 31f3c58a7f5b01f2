package dev.fulmar.simulator.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.verify.Transaction.Outcome;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class HistoryRecorderTest {
    @Test
    void onlyTheFirstAnswerCountsAndNoAnswerIsUnknown() {
        SimulatedWorld world = new SimulatedWorld(1);
        HistoryRecorder recorder =
                new HistoryRecorder(world.startProcess(new NodeId(0)).clock());
        List<Operation> writes = List.of(new Operation.Append(1, 1));
        HistoryRecorder.Pending first = recorder.invoke(1, writes);
        world.runFor(10);
        HistoryRecorder.Pending second = recorder.invoke(2, writes);
        recorder.invoke(3, writes);
        world.runFor(10);
        second.ok(List.of(), OptionalLong.of(7));
        second.failed();
        first.failed();
        List<Transaction> history = recorder.history();
        assertThat(history).extracting(Transaction::process).containsExactly(1, 2, 3);
        assertThat(history)
                .extracting(Transaction::outcome)
                .containsExactly(Outcome.FAILED, Outcome.OK, Outcome.UNKNOWN);
        assertThat(history.get(0).completedNanos() - history.get(0).invokedNanos())
                .isEqualTo(20);
        assertThat(history.get(1).claimedOrder()).hasValue(7);
        assertThat(history.get(2).operations()).isEqualTo(writes);
    }

    @Test
    void probesAreCountedAndMissed() {
        ProbeCounts counts = new ProbeCounts();
        counts.reached("wound");
        counts.reached("wound");
        ProbeCounts other = new ProbeCounts();
        other.reached("restart");
        counts.add(other);
        assertThat(counts.counts())
                .containsEntry("wound", 2L)
                .containsEntry("restart", 1L)
                .hasSize(2);
        assertThat(counts.missing(List.of("restart", "speculation", "abort"))).containsExactly("abort", "speculation");
    }
}
