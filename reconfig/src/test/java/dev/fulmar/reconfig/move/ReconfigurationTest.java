package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.reconfiguration.HandOffPreparation;
import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationLog;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationStep;
import dev.fulmar.coordinator.reconfiguration.StepListener;
import dev.fulmar.coordinator.routing.PartitionPlans;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.partition.counter.LatencyHistogram;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.engine.spi.SliceHaste;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.reconfig.plan.PlanDocument;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Beginnings of reconfigurations whose document was sent before the last change of the plan counted. */
class ReconfigurationTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final PartitionPlan PLAN = PartitionPlan.ranges(0, 100, 200);
    private static final KeyRange TENS = new KeyRange(KeySpace.INTEGER, 10, 19);
    private static final HandOff LAST = new HandOff(9, 0, 1, 3, 1, 0, List.of(TENS));

    /** Names one key, so all others are to stay. */
    private static final PlanDocument SECOND = PlanDocument.read("{\"plan\": {\"*\": {\"Partition 2\": \"55\"}}}");

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedProcess process = world.startProcess(new NodeId(1));
    private final Plans plans = new Plans();
    private final Reconfiguration reconfiguration = new Reconfiguration(new ReconfigurationEnvironment(
            new NoLog(),
            (partition, access) -> {},
            plans,
            partition -> false,
            LatencyHistogram::new,
            null,
            process.scheduler(),
            process.clock(),
            world.random("reconfiguration"),
            text -> {}));

    /** The catalog of the node that changes it, its queue of changes, and the catalog that the asked node has. */
    private static final class Plans implements PartitionPlans {
        private final Deque<Runnable> queue = new ArrayDeque<>();
        private Catalog catalog = Catalog.empty();
        private Catalog known = catalog;

        @Override
        public PartitionPlan newest() {
            return Objects.requireNonNullElse(known.plan(), PLAN);
        }

        @Override
        public @Nullable PlanTarget target() {
            return known.target();
        }

        @Override
        public boolean changesHere() {
            return true;
        }

        @Override
        public void replace(PartitionPlan next, Consumer<@Nullable FulmarException> ended) {
            throw new AssertionError("no plan is replaced");
        }

        @Override
        public void handOver(List<HandOff> handOffs, Consumer<@Nullable FulmarException> ended) {
            queue.add(() -> change(() -> catalog.withHandOffs(handOffs), ended));
        }

        @Override
        public void prepareHandOffsWith(HandOffPreparation preparation) {}

        @Override
        public void retarget(TargetChange change, Consumer<@Nullable FulmarException> ended) {
            queue.add(() -> change(() -> catalog.withTarget(change, Optional.of(PLAN)), ended));
        }

        private interface Change {
            Catalog made();
        }

        private void change(Change change, Consumer<@Nullable FulmarException> ended) {
            try {
                catalog = change.made();
            } catch (FulmarException refused) {
                ended.accept(refused);
                return;
            }
            ended.accept(null);
        }

        void makeAll() {
            while (!queue.isEmpty()) {
                queue.remove().run();
            }
        }

        void follow() {
            known = catalog;
        }

        PlanTarget made() {
            return Objects.requireNonNull(catalog.target());
        }
    }

    /** The node leads no partition, so it moves nothing. */
    private static final class NoLog implements ReconfigurationLog {
        @Override
        public @Nullable FulmarException scarcity() {
            return null;
        }

        @Override
        public @Nullable FulmarException refusal() {
            return null;
        }

        @Override
        public void write(PartitionId partition, ReconfigurationStep step, StepListener listener) {
            throw new AssertionError("no step is taken");
        }

        @Override
        public void inspect(
                PartitionId partition, Consumer<PartitionData> inspector, Consumer<FulmarException> refused) {
            throw new AssertionError("no data is looked at");
        }

        @Override
        public void inspectInTurn(
                PartitionId partition,
                SliceHaste haste,
                Consumer<PartitionData> inspector,
                Consumer<FulmarException> refused) {
            throw new AssertionError("no data is looked at");
        }

        @Override
        public void inspectOnceSafe(PartitionId partition, Consumer<PartitionData> inspector, StepListener listener) {
            throw new AssertionError("no data is looked at");
        }
    }

    private CompletableFuture<ReconfigurationStatus> start(PlanDocument document) {
        return reconfiguration.start(document::on, MovePace.DEFAULT);
    }

    /** A reconfiguration runs whose last hand-off waits for its turn. */
    private void firstIsAboutToEnd() {
        var unused = start(PlanDocument.read("{\"plan\": {\"*\": {\"Partition 0\": [\"[-10)\", \"[20-100)\"],"
                + " \"Partition 1\": [\"[10-20)\", \"[100-200)\"], \"Partition 2\": \"[200-)\"}}}"));
        plans.makeAll();
        plans.follow();
        plans.handOver(List.of(LAST), failure -> assertThat(failure).isNull());
    }

    private void assertSecondMovesItsKeyOnly() {
        assertThat(plans.made().state()).isEqualTo(PlanTarget.State.RUNNING);
        PartitionPlan target = plans.made().plan();
        assertThat(target.partitionOf(55)).isEqualTo(2);
        assertThat(target.partitionOf(12)).as("a key that has just moved").isEqualTo(1);
    }

    @Test
    void keysOfAHandOffBeforeItDoNotGoBack() {
        firstIsAboutToEnd();
        CompletableFuture<ReconfigurationStatus> second = start(SECOND);
        plans.makeAll();
        assertThat(plans.made().state()).isEqualTo(PlanTarget.State.DONE);
        plans.follow();
        world.runFor(SECOND_NANOS);
        plans.makeAll();
        plans.follow();
        world.runFor(SECOND_NANOS);
        assertSecondMovesItsKeyOnly();
        assertThat(second.join().rangesLeft()).isEqualTo(1);
    }

    @Test
    void aNodeThatIsBehindMakesThePlanOnceItKnowsTheNewest() {
        firstIsAboutToEnd();
        plans.makeAll();
        CompletableFuture<ReconfigurationStatus> second = start(SECOND);
        plans.makeAll();
        world.runFor(2 * SECOND_NANOS);
        assertThat(plans.queue).isEmpty();
        plans.follow();
        world.runFor(SECOND_NANOS);
        plans.makeAll();
        plans.follow();
        world.runFor(SECOND_NANOS);
        assertSecondMovesItsKeyOnly();
        assertThat(second).isCompleted();
    }

    /** The status there is that of the reconfiguration before. */
    @Test
    void aNodeThatDoesNotHearOfTheBeginningDoesNotCallItDone() {
        firstIsAboutToEnd();
        plans.makeAll();
        plans.follow();
        CompletableFuture<ReconfigurationStatus> second = start(SECOND);
        plans.makeAll();
        world.runFor(6 * SECOND_NANOS);
        assertThat(plans.made().state()).isEqualTo(PlanTarget.State.RUNNING);
        assertFails(second, ErrorCode.TIMEOUT);
    }

    private static void assertFails(CompletableFuture<ReconfigurationStatus> answer, ErrorCode code) {
        assertThat(answer)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void aNodeThatStaysBehindRefuses() {
        firstIsAboutToEnd();
        plans.makeAll();
        CompletableFuture<ReconfigurationStatus> second = start(SECOND);
        plans.makeAll();
        world.runFor(6 * SECOND_NANOS);
        assertThat(plans.queue).isEmpty();
        assertFails(second, ErrorCode.TRANSACTION_RESTART);
    }
}
