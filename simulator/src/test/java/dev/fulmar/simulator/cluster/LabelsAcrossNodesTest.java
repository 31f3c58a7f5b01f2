package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.SequencePlaces;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.data.Enumeration;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.crash.PlanCache;
import dev.fulmar.simulator.verify.ProbeCounts;
import dev.fulmar.simulator.world.SimulatedDatabase;
import dev.fulmar.sql.SqlCompiler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A type gets labels in a cluster whose nodes die meanwhile, while rows with its labels are put in, and move. Each row
 * that was acknowledged has its label, and all nodes have one order of the labels.
 */
class LabelsAcrossNodesTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final int ROUNDS = 8;
    private static final int MOST_DELAY_NANOS = 50_000_000;
    private static final int PAUSE_NANOS = 3_000_000;

    private final List<String> violations = new ArrayList<>();
    private final Map<Long, String> acknowledged = new TreeMap<>();
    private final Map<Long, String> unknown = new TreeMap<>();
    private final List<String> labels = new ArrayList<>(List.of("a", "z"));
    private long lastRow;
    private long lastRequest;

    private static final class Answer {
        final AtomicReference<TransactionResponse> response = new AtomicReference<>();

        boolean isThere() {
            return response.get() != null;
        }
    }

    private static SimulatedNode any(SimulatedCluster cluster, RandomSource random) {
        List<SimulatedNode> taking =
                cluster.nodes().stream().filter(SimulatedNode::takesClients).toList();
        return taking.get(random.nextInt(taking.size()));
    }

    private Answer submit(SimulatedNode node, String sql, Object... arguments) {
        Answer answer = new Answer();
        node.submit(
                new TransactionRequest.AdHoc(77, ++lastRequest, 0, sql, SimulatedDatabase.parameters(arguments)),
                (request, response) -> answer.response.set(response));
        return answer;
    }

    private void execute(SimulatedCluster cluster, RandomSource random, String sql, Object... arguments) {
        for (int attempt = 0; attempt < 200; attempt++) {
            Answer answer = submit(any(cluster, random), sql, arguments);
            cluster.world().runUntil(answer::isThere, 5 * SECOND_NANOS);
            boolean isDoneBefore = answer.response.get() instanceof Failed failed
                    && (failed.code() == ErrorCode.UNIQUE_VIOLATION || failed.code() == ErrorCode.OBJECT_EXISTS);
            if (answer.response.get() instanceof Committed || isDoneBefore) {
                return;
            }
            cluster.world().runFor(SECOND_NANOS / 20);
        }
        throw new AssertionError(sql + " is not executed\n" + cluster.describe());
    }

    private static Catalog catalog(SimulatedCluster cluster) {
        return cluster.nodes().iterator().next().database().catalog();
    }

    private static boolean isSettled(SimulatedCluster cluster) {
        return cluster.allInSync()
                && cluster.nodes().stream()
                        .allMatch(node -> node.hasBegun()
                                && node.database().catalog().version()
                                        == catalog(cluster).version());
    }

    private void note(List<Answer> answers, Map<Long, String> given) {
        int place = 0;
        for (Map.Entry<Long, String> row : given.entrySet()) {
            TransactionResponse response = answers.get(place++).response.get();
            boolean isRefused = response instanceof Failed failed
                    && failed.code() != ErrorCode.OUTCOME_UNKNOWN
                    && failed.code() != ErrorCode.NODE_LOST
                    && failed.code() != ErrorCode.TIMEOUT;
            if (response instanceof Committed) {
                acknowledged.put(row.getKey(), row.getValue());
            } else if (!isRefused) {
                unknown.put(row.getKey(), row.getValue());
            }
        }
    }

    private void judge(SimulatedCluster cluster) {
        Enumeration kind =
                Objects.requireNonNull(catalog(cluster).enumerations().get("KIND"));
        assertThat(cluster.nodes())
                .allMatch(node -> Objects.equals(
                        kind, node.database().catalog().enumerations().get("KIND")));
        assertThat(kind.values().stream().map(Enumeration.Value::label).filter(labels::contains))
                .isEqualTo(labels);
        Table table = catalog(cluster).table("KEYED");
        Map<Long, String> found = new TreeMap<>();
        for (int number = 0; number < cluster.scenario().partitions(); number++) {
            PartitionRecord record = Objects.requireNonNull(cluster.record(number));
            SimulatedNode node = cluster.node(record.primary().node());
            for (long[] row : CopyContents.of(
                    node.database().copies().of(cluster.partition(number)).runtime(), table)) {
                assertThat(found.put(row[1], kind.text(row[0])))
                        .as("row " + row[1] + " twice")
                        .isNull();
            }
        }
        acknowledged.forEach((id, label) -> assertThat(found).containsEntry(id, label));
        found.keySet().removeAll(acknowledged.keySet());
        found.forEach((id, label) -> assertThat(unknown).containsEntry(id, label));
        acknowledged.putAll(found);
        unknown.clear();
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 4, 5})
    void eachRowHasItsLabelWhicheverNodeDies(long seed) {
        SimulatedWorld world = new SimulatedWorld(seed);
        RandomSource random = world.random("labels");
        SimulatedCluster cluster = new SimulatedCluster(
                world,
                ClusterScenario.draw(world.random("scenario"), false),
                new PlanCache(new SqlCompiler()),
                new ProbeCounts(),
                violations::add);
        cluster.found();
        assertThat(cluster.comesTo(cluster::allInSync, 30 * SECOND_NANOS)).isTrue();
        execute(cluster, random, "CREATE TYPE kind AS ENUM ('a', 'z')");
        execute(
                cluster,
                random,
                "CREATE TABLE keyed (k kind NOT NULL, id BIGINT NOT NULL, PRIMARY KEY (k, id)) PARTITION ON COLUMN k");
        for (int number = 0; number < ROUNDS; number++) {
            round(cluster, random, "v" + number);
            assertThat(cluster.comesTo(() -> isSettled(cluster), 60 * SECOND_NANOS))
                    .as(() -> "round of seed " + seed + "\n" + cluster.describe())
                    .isTrue();
            execute(cluster, random, "ALTER TYPE kind ADD VALUE IF NOT EXISTS 'v" + number + "' BEFORE 'z'");
            labels.add(labels.size() - 1, "v" + number);
            assertThat(cluster.comesTo(() -> isSettled(cluster), 60 * SECOND_NANOS))
                    .isTrue();
            judge(cluster);
        }
        cluster.abandon();
        assertThat(violations).isEmpty();
        assertThat(acknowledged.values()).contains("a", "z", "v0");
    }

    private void round(SimulatedCluster cluster, RandomSource random, String label) {
        List<Answer> answers = new ArrayList<>();
        Map<Long, String> given = new TreeMap<>();
        submit(any(cluster, random), "ALTER TYPE kind ADD VALUE '" + label + "' BEFORE 'z'");
        if (random.nextInt(2) == 0) {
            move(cluster, random);
        }
        long endNanos = cluster.world().nowNanos() + random.nextInt(MOST_DELAY_NANOS);
        while (cluster.world().nowNanos() < endNanos) {
            String known = random.nextInt(3) == 0 ? label : labels.get(random.nextInt(labels.size()));
            given.put(++lastRow, known);
            answers.add(submit(any(cluster, random), "INSERT INTO keyed VALUES (?, ?)", known, lastRow));
            cluster.world().runFor(random.nextInt(PAUSE_NANOS));
        }
        int stream = random.nextInt(2) == 0 ? cluster.scenario().partitions() : random.nextInt(cluster.streams());
        NodeId victim = Objects.requireNonNull(cluster.record(stream)).primary().node();
        cluster.kill(victim, false);
        cluster.startLater(victim, SECOND_NANOS);
        cluster.world().runFor(5 * SECOND_NANOS);
        note(answers, given);
    }

    /** All keys of a partition go to the next one. */
    private static void move(SimulatedCluster cluster, RandomSource random) {
        int source = random.nextInt(cluster.scenario().partitions());
        int destination = (source + 1) % cluster.scenario().partitions();
        SimulatedNode node = cluster.node(
                Objects.requireNonNull(cluster.record(source)).primary().node());
        node.process().execute(0, "command", () -> {
            var unused = node.reconfiguration()
                    .start(
                            plan -> without(plan, source, destination),
                            new MovePace(64 << 10, 1_000_000, MovePace.UNLIMITED));
        });
    }

    private static PartitionPlan without(PartitionPlan plan, int source, int destination) {
        PartitionPlan target = plan;
        for (KeyRange range : plan.rangesByPartition().get(source)) {
            target = range.space() == KeySpace.HASH ? target.with(range, destination) : target;
        }
        return SequencePlaces.keep(plan, target);
    }
}
