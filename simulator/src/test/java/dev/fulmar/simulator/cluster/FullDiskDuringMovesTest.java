package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.engine.execution.SequencePlaces;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedDisk;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.reconfig.move.Reconfiguration;
import dev.fulmar.reconfig.move.ReconfigurationStatus;
import dev.fulmar.reconfig.move.ReconfigurationStatus.State;
import dev.fulmar.simulator.crash.PlanCache;
import dev.fulmar.simulator.verify.ProbeCounts;
import dev.fulmar.simulator.world.SimulatedDatabase;
import dev.fulmar.sql.SqlCompiler;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A disk gets full while rows move to its node, and nobody else writes there: so the record that meets the end of the
 * space is one of the move.
 */
class FullDiskDuringMovesTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final int ROWS = 1_600;
    private static final String CONTENT = "x".repeat(10_000);

    private final List<String> violations = new ArrayList<>();
    private final SimulatedWorld world = new SimulatedWorld(5);
    private final SimulatedCluster cluster = new SimulatedCluster(
            world,
            withCopies(ClusterScenario.draw(world.random("scenario"), false), 1),
            new PlanCache(new SqlCompiler()),
            new ProbeCounts(),
            violations::add);
    private long lastRequest;

    /** Four partitions on three nodes, whose logs are on disk. */
    private static ClusterScenario withCopies(ClusterScenario drawn, int copies) {
        return new ClusterScenario(
                3,
                copies,
                4,
                1,
                DurabilityMode.SYNC,
                true,
                false,
                drawn.retainedBytes(),
                0,
                0,
                drawn.maxThinkNanos(),
                drawn.maxTravelNanos(),
                drawn.patienceNanos(),
                100_000,
                drawn.mix(),
                drawn.generation(),
                0,
                0,
                drawn.maxChangePauseNanos(),
                false,
                true);
    }

    @AfterEach
    void end() {
        cluster.abandon();
        assertThat(violations).isEmpty();
    }

    private SimulatedNode leading(int stream) {
        return cluster.node(
                Objects.requireNonNull(cluster.record(stream)).primary().node());
    }

    private TransactionResponse execute(String sql, Object... arguments) {
        return Objects.requireNonNull(
                answerWithin(20, sql, arguments), () -> sql + " has no answer\n" + cluster.describe());
    }

    private @Nullable TransactionResponse answerWithin(int seconds, String sql, Object... arguments) {
        AtomicReference<TransactionResponse> response = new AtomicReference<>();
        leading(0)
                .submit(
                        new TransactionRequest.AdHoc(
                                77, ++lastRequest, 0, sql, SimulatedDatabase.parameters(arguments)),
                        (request, answer) -> response.set(answer));
        world.runUntil(() -> response.get() != null, seconds * SECOND_NANOS);
        return response.get();
    }

    private void load() {
        cluster.found();
        assertThat(cluster.comesTo(cluster::allInSync, 30 * SECOND_NANOS)).isTrue();
        String sql = "CREATE TABLE bulk (id BIGINT NOT NULL PRIMARY KEY, content VARCHAR(20000) NOT NULL)"
                + " PARTITION ON COLUMN id";
        assertThat(execute(sql)).isInstanceOf(Committed.class);
        for (int id = 0; id < ROWS; id++) {
            assertThat(execute("INSERT INTO bulk VALUES (?, ?)", id, CONTENT)).isInstanceOf(Committed.class);
        }
    }

    private PartitionPlan allOf(int source, int destination) {
        PartitionPlan plan = leading(0).database().plans().newest();
        PartitionPlan target = plan;
        for (KeyRange range : plan.rangesByPartition().get(source)) {
            target = range.space() == KeySpace.HASH ? target.with(range, destination) : target;
        }
        return SequencePlaces.keep(plan, target);
    }

    private ReconfigurationStatus ask(
            SimulatedNode node, Function<Reconfiguration, CompletableFuture<ReconfigurationStatus>> command) {
        AtomicReference<ReconfigurationStatus> status = new AtomicReference<>();
        AtomicReference<Throwable> failed = new AtomicReference<>();
        node.process().execute(0, "command", () -> {
            var unused = command.apply(node.reconfiguration()).whenComplete((answer, failure) -> {
                status.set(answer);
                failed.set(failure);
            });
        });
        world.runUntil(() -> status.get() != null || failed.get() != null, 10 * SECOND_NANOS);
        if (failed.get() instanceof FulmarException refused) {
            throw refused;
        }
        return Objects.requireNonNull(status.get(), () -> "a command has no answer\n" + cluster.describe());
    }

    private void start(int source, int destination, int mostIncreasePercent) {
        ask(
                leading(source),
                moves -> moves.start(
                        _ -> allOf(source, destination), new MovePace(64 << 10, 1_000_000, mostIncreasePercent)));
    }

    private boolean allShow(Predicate<ReconfigurationStatus> state) {
        return cluster.nodes().stream()
                .map(node -> node.reconfiguration().status())
                .allMatch(state);
    }

    private void assertAllShowWithin(int seconds, Predicate<ReconfigurationStatus> state) {
        assertThat(cluster.comesTo(() -> allShow(state), seconds * SECOND_NANOS))
                .as(() -> leading(0).reconfiguration().status() + "\n" + cluster.describe())
                .isTrue();
    }

    /** A partition that is led by the node that makes the changes of the catalog, or by another one. */
    private int partition(boolean isOfCatalog, int butNot) {
        NodeId catalog = leading(cluster.scenario().partitions()).node();
        for (int partition = 0; partition < cluster.scenario().partitions(); partition++) {
            if (partition != butNot && leading(partition).node().equals(catalog) == isOfCatalog) {
                return partition;
            }
        }
        throw new AssertionError("no such partition\n" + cluster.describe());
    }

    private SimulatedDisk fill(int partition) {
        SimulatedDisk disk = world.disk(leading(partition).node());
        disk.capacity(disk.usedBytes());
        return disk;
    }

    private static boolean isOfSpace(ReconfigurationStatus status) {
        return status.message().contains(SimulatedDisk.NO_SPACE);
    }

    private void assertWhole() {
        assertThat(cluster.comesTo(() -> allShow(status -> status.state() == State.DONE), 60 * SECOND_NANOS))
                .as(cluster::describe)
                .isTrue();
        for (int id = 0; id < ROWS; id++) {
            assertThat(execute("UPDATE bulk SET content = 'y' WHERE id = ? AND content = ?", id, CONTENT))
                    .isInstanceOf(Committed.class);
        }
        assertThat(execute("INSERT INTO bulk VALUES (?, 'z')", ROWS)).isInstanceOf(Committed.class);
    }

    /** The pause is a change of the catalog, which has a copy on each node: there is room for that still. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFullDestinationPausesTheMove(boolean isOfCatalog) {
        load();
        int source = partition(false, -1);
        int destination = partition(isOfCatalog, source);
        SimulatedDisk disk = fill(destination);
        start(source, destination, MovePace.UNLIMITED);
        assertAllShowWithin(
                10,
                status -> status.state() == State.PAUSED
                        && isOfSpace(status)
                        && status.moved().current().isEmpty());
        for (int id = 0; id < ROWS; id += 100) {
            assertThat(execute("UPDATE bulk SET content = 'y' WHERE id = ?", id))
                    .as("a call while it waits")
                    .isInstanceOf(Committed.class);
        }
        disk.capacity(Long.MAX_VALUE);
        world.runFor(3 * SECOND_NANOS);
        ask(leading(destination), Reconfiguration::resume);
        assertWhole();
    }

    /** The record that meets the end of the space waits, and so does its client. */
    private boolean isFull(String sql, Object... arguments) {
        return answerWithin(1, sql, arguments) instanceof Failed failed && failed.code() == ErrorCode.DISK_FULL;
    }

    /** A change of the catalog would lock all partitions until there is space. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theStatusTellsOfADiskOnWhichThePauseHasNoRoom(boolean isOfCatalog) {
        load();
        int source = partition(false, -1);
        int destination = partition(isOfCatalog, source);
        start(source, destination, 20); // it listens first, so clients use the space up
        SimulatedDisk disk = fill(destination);
        String update = "UPDATE bulk SET content = ? WHERE id = ?";
        int id = 0;
        while (!isFull(update, CONTENT, id)) {
            id = (id + 1) % ROWS;
        }
        assertAllShowWithin(
                10,
                status -> status.state() == State.RUNNING
                        && isOfSpace(status)
                        && !status.moved().current().startsWith("bucket"));
        assertThatThrownBy(() -> ask(leading(source), Reconfiguration::cancel))
                .hasMessageContaining(SimulatedDisk.NO_SPACE);
        assertThat(IntStream.range(0, ROWS)
                        .filter(row ->
                                execute("UPDATE bulk SET content = content WHERE id = ?", row) instanceof Committed)
                        .count())
                .as("calls on partitions of other nodes go on")
                .isGreaterThan(ROWS / 4);
        disk.capacity(Long.MAX_VALUE);
        assertAllShowWithin(
                60,
                status -> status.state() == State.DONE
                        && status.message().isEmpty()
                        && status.moved().current().isEmpty());
    }
}
