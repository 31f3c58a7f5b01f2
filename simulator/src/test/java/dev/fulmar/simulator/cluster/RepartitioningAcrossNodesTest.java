package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.crash.PlanCache;
import dev.fulmar.simulator.verify.ProbeCounts;
import dev.fulmar.simulator.world.SimulatedDatabase;
import dev.fulmar.sql.SqlCompiler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows are placed anew in a cluster whose nodes die at any moment of it, while others are put in. Each row that was
 * acknowledged is there once, on the partition where it belongs, and the table is written again.
 */
class RepartitioningAcrossNodesTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final int ROUNDS = 10;
    private static final int FIRST_ROWS = 30;
    private static final int MOST_DELAY_NANOS = 250_000_000;
    private static final int PAUSE_NANOS = 5_000_000;

    private final List<String> violations = new ArrayList<>();
    private final Set<Long> acknowledged = new TreeSet<>();
    private final Set<Long> unknown = new TreeSet<>();
    private long lastRow;
    private long lastRequest;
    private int anew;
    private int asBefore;

    /** An answer, once it is there. */
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

    /** Asks until the statement is executed. */
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

    private void insert(SimulatedCluster cluster, RandomSource random, List<Answer> answers, List<Long> numbers) {
        long number = ++lastRow;
        numbers.add(number);
        answers.add(submit(any(cluster, random), "INSERT INTO moved (id, k) VALUES (?, ?)", number, number % 7));
    }

    private void note(List<Answer> answers, List<Long> numbers) {
        for (int i = 0; i < answers.size(); i++) {
            TransactionResponse response = answers.get(i).response.get();
            boolean isRefused = response instanceof Failed failed
                    && failed.code() != ErrorCode.OUTCOME_UNKNOWN
                    && failed.code() != ErrorCode.NODE_LOST
                    && failed.code() != ErrorCode.TIMEOUT;
            if (response instanceof Committed) {
                acknowledged.add(numbers.get(i));
            } else if (!isRefused) {
                unknown.add(numbers.get(i));
            }
        }
    }

    private static Table table(SimulatedCluster cluster) {
        return cluster.nodes().iterator().next().database().catalog().table("MOVED");
    }

    private static boolean isSettled(SimulatedCluster cluster) {
        return cluster.allInSync()
                && cluster.nodes().stream()
                        .allMatch(node -> node.hasBegun()
                                && node.database().catalog().pending().isEmpty()
                                && node.database().catalog().version()
                                        == cluster.nodes()
                                                .iterator()
                                                .next()
                                                .database()
                                                .catalog()
                                                .version());
    }

    private void judge(SimulatedCluster cluster) {
        Table table = table(cluster);
        int column = table.partitioningColumn().orElseThrow();
        Set<Long> found = new TreeSet<>();
        for (int number = 0; number < cluster.scenario().partitions(); number++) {
            PartitionRecord record = Objects.requireNonNull(cluster.record(number));
            SimulatedNode node = cluster.node(record.primary().node());
            for (long[] row : CopyContents.of(
                    node.database().copies().of(cluster.partition(number)).runtime(), table)) {
                assertThat(found.add(row[0]))
                        .as(Arrays.toString(row) + " twice")
                        .isTrue();
                assertThat(node.database()
                                .copies()
                                .of(cluster.partition(number))
                                .runtime()
                                .program()
                                .plan()
                                .partitionOf(row[column]))
                        .as(Arrays.toString(row))
                        .isEqualTo(number);
            }
        }
        assertThat(found).as("rows that were acknowledged").containsAll(acknowledged);
        found.removeAll(acknowledged);
        assertThat(unknown).as("rows that nobody put in").containsAll(found);
        acknowledged.addAll(found);
        unknown.clear();
    }

    @ParameterizedTest
    @ValueSource(longs = {7, 8, 9, 10, 11})
    void eachRowIsThereOnceWhicheverNodeDies(long seed) {
        SimulatedWorld world = new SimulatedWorld(seed);
        RandomSource random = world.random("repartitioning");
        SimulatedCluster cluster = new SimulatedCluster(
                world,
                ClusterScenario.draw(world.random("scenario"), false),
                new PlanCache(new SqlCompiler()),
                new ProbeCounts(),
                violations::add);
        cluster.found();
        assertThat(cluster.comesTo(cluster::allInSync, 30 * SECOND_NANOS)).isTrue();
        execute(
                cluster,
                random,
                "CREATE TABLE moved (id BIGINT NOT NULL PRIMARY KEY, k BIGINT NOT NULL) PARTITION ON COLUMN id");
        while (lastRow < FIRST_ROWS) {
            execute(cluster, random, "INSERT INTO moved (id, k) VALUES (?, ?)", ++lastRow, lastRow % 7);
            acknowledged.add(lastRow);
        }
        for (int round = 0; round < ROUNDS; round++) {
            int before = table(cluster).partitioningColumn().orElseThrow();
            round(cluster, random, before == 0 ? "k" : "id");
            assertThat(cluster.comesTo(() -> isSettled(cluster), 60 * SECOND_NANOS))
                    .as(() -> "round of seed " + seed + "\n" + cluster.describe())
                    .isTrue();
            if (table(cluster).partitioningColumn().orElseThrow() == before) {
                asBefore++;
            } else {
                anew++;
            }
            judge(cluster);
            execute(cluster, random, "INSERT INTO moved (id, k) VALUES (?, ?)", ++lastRow, lastRow % 7);
            acknowledged.add(lastRow);
        }
        cluster.abandon();
        assertThat(violations).isEmpty();
        assertThat(anew).as("rounds with which the rows lie elsewhere").isPositive();
        assertThat(asBefore).as("rounds that changed nothing").isPositive();
    }

    private void round(SimulatedCluster cluster, RandomSource random, String column) {
        List<Answer> answers = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        Answer placed = submit(any(cluster, random), "ALTER TABLE moved PARTITION ON COLUMN " + column);
        int most = random.nextInt(2) == 0 ? MOST_DELAY_NANOS : MOST_DELAY_NANOS / 10; // while rows are copied, or late
        long endNanos = cluster.world().nowNanos() + random.nextInt(most);
        while (cluster.world().nowNanos() < endNanos && !placed.isThere()) {
            insert(cluster, random, answers, numbers);
            cluster.world().runFor(random.nextInt(PAUSE_NANOS));
        }
        int stream = random.nextInt(2) == 0 ? cluster.scenario().partitions() : random.nextInt(cluster.streams());
        NodeId victim = Objects.requireNonNull(cluster.record(stream)).primary().node();
        cluster.kill(victim, false);
        cluster.startLater(victim, SECOND_NANOS);
        cluster.world().runFor(5 * SECOND_NANOS);
        note(answers, numbers);
    }
}
