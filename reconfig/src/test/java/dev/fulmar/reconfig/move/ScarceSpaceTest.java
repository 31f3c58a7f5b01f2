package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.reconfig.peer.Answer;
import dev.fulmar.reconfig.peer.DestinationStep;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A disk gets full at a destination. */
class ScarceSpaceTest {
    private static final PartitionId PARTITION = new PartitionId(3);
    private static final DestinationStep TAKE = new DestinationStep.Take(7, new byte[10]);
    private static final DestinationStep DROP = new DestinationStep.Drop(7);

    private final WaitingLog log = new WaitingLog();
    private final Stagings stagings =
            new Stagings(log, new SimulatedWorld(1).startProcess(new NodeId(1)).clock(), nanos -> {}, report -> {});
    private final List<String> answers = new ArrayList<>();

    private void take(DestinationStep step) {
        stagings.take(PARTITION, step, new Answer() {
            @Override
            public void done(long rows) {
                answers.add("done");
            }

            @Override
            public void failed(FulmarException cause) {
                answers.add(String.valueOf(cause.getMessage()));
            }
        });
    }

    /** The rest of the space is for what cannot be put off; an undone move gives memory back. */
    @Test
    void rowsAreRefusedAndDropsTakenWhileSpaceIsScarce() {
        log.scarcity = WaitingLog.FULL;
        take(TAKE);
        assertThat(answers).containsExactly("the disk is full");
        assertThat(log.waiting).isEmpty();
        take(DROP);
        assertThat(log.waiting).hasSize(1);
        assertThat(answers).hasSize(1);
    }

    @Test
    void aStepThatWaitsForSpaceFailsOnce() {
        take(TAKE);
        stagings.refuseWithoutSpace();
        assertThat(answers).as("the log has space").isEmpty();
        log.refusal = WaitingLog.FULL;
        stagings.refuseWithoutSpace();
        stagings.refuseWithoutSpace();
        assertThat(answers).containsExactly("the disk is full");
        log.waiting.getFirst().safe();
        assertThat(answers).as("its record is durable once there is space").hasSize(1);
    }

    @Test
    void aStepThatIsDurableDoesNotFail() {
        take(TAKE);
        log.waiting.getFirst().safe();
        log.refusal = WaitingLog.FULL;
        stagings.refuseWithoutSpace();
        assertThat(answers).containsExactly("done");
    }
}
