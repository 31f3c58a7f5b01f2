package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.partition.counter.LatencyHistogram;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.reconfig.peer.Answer;
import dev.fulmar.reconfig.peer.DestinationStep;
import dev.fulmar.reconfig.peer.FixedPlans;
import dev.fulmar.reconfig.peer.Peers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A move whose destination says nothing. */
class SilentDestinationTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final FulmarException PAUSED = new FulmarException(ErrorCode.CANCELLED, "an operator pauses it");

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final List<DestinationStep> asked = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();
    private final List<ErrorCode> undone = new ArrayList<>();
    private final BucketMove move = move();

    private BucketMove move() {
        SimulatedProcess process = world.startProcess(new NodeId(1));
        Peers peers = new Peers(
                null,
                (partition, step, answer) -> {
                    asked.add(step);
                    answers.add(answer);
                },
                new FixedPlans(PartitionPlan.hash(2), false),
                process.clock(),
                report -> {});
        MovePorts ports = new MovePorts(
                new WaitingLog(),
                (partition, access) -> {},
                peers,
                process.scheduler(),
                process.clock(),
                new Pace(LatencyHistogram::new, process.clock()),
                new SerialTasks());
        PlanTarget target = new PlanTarget(5, PlanTarget.State.RUNNING, PartitionPlan.hash(2), MovePace.DEFAULT, "");
        return new BucketMove(
                ports,
                target,
                7,
                new PartitionId(0),
                new BucketChoice.Move(0, 1, List.of(new KeyRange(KeySpace.HASH, 1, 2))),
                new SentOutcomes(),
                new Undone());
    }

    private final class Undone implements MoveListener {
        @Override
        public void sent(int bytes, long stagedRows) {}

        @Override
        public void handedOver(long rows, long pauseNanos) {}

        @Override
        public void announced() {}

        @Override
        public void refused(int times) {}

        @Override
        public void undone(FulmarException cause) {
            undone.add(cause.code());
        }
    }

    private void watchFor(int seconds) {
        for (int tenth = 0; tenth < 10 * seconds; tenth++) {
            world.runFor(SECOND_NANOS / 10);
            move.watch();
        }
    }

    /** Not even the drop is answered: the primary of the destination drops what it hears nothing of. */
    @Test
    void aPauseUndoesItAtOnce() {
        move.begin();
        watchFor(1);
        move.giveUp(PAUSED);
        assertThat(asked).containsExactly(new DestinationStep.Stage(7), new DestinationStep.Drop(7));
        watchFor(1);
        assertThat(undone).containsExactly(ErrorCode.CANCELLED);
    }

    @Test
    void itIsUndoneAfterASilenceOfTenSeconds() {
        move.begin();
        watchFor(9);
        assertThat(undone).isEmpty();
        watchFor(2);
        assertThat(undone).containsExactly(ErrorCode.TIMEOUT);
    }

    @Test
    void answersThatComeTooLateCountNoMore() {
        move.begin();
        move.giveUp(PAUSED);
        watchFor(1);
        answers.forEach(answer -> answer.done(0));
        answers.forEach(answer -> answer.failed(WaitingLog.FULL));
        watchFor(1);
        assertThat(asked).hasSize(2);
        assertThat(undone).containsExactly(ErrorCode.CANCELLED);
    }
}
