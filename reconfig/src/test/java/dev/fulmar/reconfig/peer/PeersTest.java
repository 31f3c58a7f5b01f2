package dev.fulmar.reconfig.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.reconfiguration.PrimaryNodes;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A node changes nothing for others before it takes part. */
class PeersTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final NodeId ASKING = new NodeId(1);
    private static final NodeId ASKED = new NodeId(2);
    private static final TargetChange PAUSE = new TargetChange.Become(5, PlanTarget.State.PAUSED, "full");

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final FixedPlans plans = new FixedPlans(PartitionPlan.hash(1), false);
    private final List<DestinationStep> taken = new ArrayList<>();
    private final List<RangeReport> reports = new ArrayList<>();
    private final Peers asked = peers(ASKED, plans);
    private final Peers asking = peers(ASKING, new FixedPlans(PartitionPlan.hash(1), false));

    private static final class Primaries implements PrimaryNodes {
        @Override
        public NodeId of(PartitionId partition) {
            return ASKED;
        }

        @Override
        public NodeId ofCatalog() {
            return ASKED;
        }
    }

    private Peers peers(NodeId node, FixedPlans changes) {
        SimulatedProcess process = world.startProcess(node);
        return new Peers(
                new Peers.Links(process.network(), new Primaries(), 0),
                (partition, step, answer) -> taken.add(step),
                changes,
                process.clock(),
                reports::add);
    }

    /** Its rows would be held for as long as the link holds. */
    @Test
    void aStepThatIsNotAnsweredFailsAfterLong() {
        asking.begin();
        asked.begin();
        world.runFor(SECOND_NANOS);
        List<ErrorCode> failures = new ArrayList<>();
        asking.take(new PartitionId(0), new DestinationStep.Stage(7), new Answer() {
            @Override
            public void done(long rows) {}

            @Override
            public void failed(FulmarException cause) {
                failures.add(cause.code());
            }
        });
        world.runFor(20 * SECOND_NANOS);
        asking.endOld();
        assertThat(taken).containsExactly(new DestinationStep.Stage(7));
        assertThat(failures).isEmpty();
        world.runFor(20 * SECOND_NANOS);
        asking.endOld();
        assertThat(failures).containsExactly(ErrorCode.TIMEOUT);
    }

    private List<@Nullable FulmarException> askedForForms() {
        List<@Nullable FulmarException> answers = new ArrayList<>();
        asking.askForms(answers::add);
        world.runFor(SECOND_NANOS);
        return answers;
    }

    /** Also while they have not begun to take part. */
    @Test
    void allNodesThatAreReachedSayThatTheyReadMessagesOfMoves() {
        asking.begin();
        world.runFor(SECOND_NANOS);
        assertThat(askedForForms()).containsOnlyNulls().hasSize(1);
    }

    @Test
    void aNodeThatDoesNotReadThemIsNamed() {
        SimulatedProcess old = world.startProcess(new NodeId(3));
        old.network().onMessage((from, message) -> old.execute(0, "ends the link", old::kill));
        asking.begin();
        world.runFor(SECOND_NANOS);
        assertThat(askedForForms())
                .singleElement()
                .satisfies(refusal -> assertThat(refusal).hasMessageContaining("N3 did not say that it can move keys"));
    }

    private List<@Nullable ErrorCode> askedToPause() {
        List<@Nullable ErrorCode> answers = new ArrayList<>();
        asking.retarget(PAUSE, failure -> answers.add(failure == null ? null : failure.code()));
        world.runFor(SECOND_NANOS);
        return answers;
    }

    @Test
    void whatComesBeforeItTakesPartIsRefused() {
        asking.begin();
        world.runFor(SECOND_NANOS);
        assertThat(askedToPause()).containsExactly(ErrorCode.NOT_CONNECTED);
        assertThat(plans.made).isEmpty();
        asked.begin();
        assertThat(askedToPause()).containsOnlyNulls().hasSize(1);
        assertThat(plans.made).containsExactly(PAUSE);
    }

    /** Those that take part. */
    @Test
    void reportsOfMovesReachTheOtherNodes() {
        asking.begin();
        world.runFor(SECOND_NANOS);
        RangeReport report = RangeReport.begun(5, 7, 0, 1, List.of(new KeyRange(KeySpace.INTEGER, 3, 4)));
        asking.show(report);
        world.runFor(SECOND_NANOS);
        assertThat(reports).isEmpty();
        asked.begin();
        asking.show(report.sent(100, 2));
        world.runFor(SECOND_NANOS);
        assertThat(reports).containsExactly(report.sent(100, 2));
    }
}
