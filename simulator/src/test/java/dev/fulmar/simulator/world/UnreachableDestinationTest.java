package dev.fulmar.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.DatabaseConfiguration;
import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationLog;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationStep;
import dev.fulmar.coordinator.reconfiguration.StepListener;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.spi.SliceHaste;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.reconfig.move.Reconfiguration;
import dev.fulmar.reconfig.move.ReconfigurationEnvironment;
import dev.fulmar.reconfig.move.ReconfigurationStatus;
import dev.fulmar.sql.SqlCompiler;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys are to move to two partitions, one of which takes no steps for a while. */
class UnreachableDestinationTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final int KEYS = 300;
    private static final int UNREACHABLE = 1;

    private final SimulatedWorld world = new SimulatedWorld(11);
    private final SimulatedProcess process = world.startProcess(new NodeId(1));
    private final SimulatedDatabase simulated = new SimulatedDatabase(
            world, process, DatabaseConfiguration.of(4, 4), new SqlCompiler(), new TimestampWatch(false), 0);
    private final Database database = simulated.database();
    private Manner manner = Manner.WELL;

    private enum Manner {
        REFUSES,
        IS_SILENT,
        WELL
    }

    /** The log of the database, which one partition does not reach. */
    private final class Between implements ReconfigurationLog {
        private final ReconfigurationLog log;

        Between(ReconfigurationLog log) {
            this.log = log;
        }

        @Override
        public @Nullable FulmarException refusal() {
            return log.refusal();
        }

        @Override
        public @Nullable FulmarException scarcity() {
            return log.scarcity();
        }

        @Override
        public void write(PartitionId partition, ReconfigurationStep step, StepListener listener) {
            boolean isWell = partition.number() != UNREACHABLE || manner == Manner.WELL;
            if (isWell) {
                log.write(partition, step, listener);
            } else if (manner == Manner.REFUSES) {
                listener.refused(new FulmarException(ErrorCode.NOT_CONNECTED, "the node is not reached"));
            }
        }

        @Override
        public void inspect(
                PartitionId partition, Consumer<PartitionData> inspector, Consumer<FulmarException> refused) {
            log.inspect(partition, inspector, refused);
        }

        @Override
        public void inspectInTurn(
                PartitionId partition,
                SliceHaste haste,
                Consumer<PartitionData> inspector,
                Consumer<FulmarException> refused) {
            log.inspectInTurn(partition, haste, inspector, refused);
        }

        @Override
        public void inspectOnceSafe(PartitionId partition, Consumer<PartitionData> inspector, StepListener listener) {
            log.inspectOnceSafe(partition, inspector, listener);
        }
    }

    private Reconfiguration begun() {
        Reconfiguration reconfiguration = new Reconfiguration(new ReconfigurationEnvironment(
                new Between(database.reconfiguration()),
                database::guardData,
                database.plans(),
                database::leads,
                () -> database.figures().latency(),
                null,
                process.scheduler(),
                process.clock(),
                process.random().split("moves"),
                line -> {}));
        reconfiguration.begin();
        return reconfiguration;
    }

    private int movedTo(int partition, PartitionPlan before) {
        PartitionPlan plan = database.plans().newest();
        int moved = 0;
        for (long key = 0; key < KEYS; key++) {
            moved += before.partitionOf(key) != partition && plan.partitionOf(key) == partition ? 1 : 0;
        }
        return moved;
    }

    private boolean isComeTo(int partition, int most, PartitionPlan before) {
        for (int tenth = 0; tenth < 900 && movedTo(partition, before) < most; tenth++) {
            world.runFor(SECOND_NANOS / 10);
        }
        return movedTo(partition, before) == most;
    }

    /** Partitions 0 and 3 give their keys to partitions 1 and 2, in small pieces. */
    private static PartitionPlan target(PartitionPlan plan) {
        PartitionPlan target = plan;
        for (int source : new int[] {0, 3}) {
            for (long key = 0; key < KEYS; key++) {
                if (plan.partitionOf(key) == source) {
                    long position = plan.positionOf(key);
                    int destination = key / 50 % 2 == 0 ? UNREACHABLE : 2;
                    target = target.with(new KeyRange(KeySpace.HASH, position, position), destination);
                }
            }
        }
        return target;
    }

    @ParameterizedTest
    @EnumSource(
            value = Manner.class,
            names = {"REFUSES", "IS_SILENT"})
    void keysMoveToOthersMeanwhile(Manner how) {
        database.start();
        List.of("CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY)", "PARTITION TABLE item ON COLUMN id")
                .forEach(simulated::execute);
        for (int id = 0; id < KEYS; id++) {
            simulated.execute("INSERT INTO item VALUES (?)", id);
        }
        PartitionPlan before = database.plans().newest();
        PartitionPlan target = target(before);
        Reconfiguration reconfiguration = begun();
        manner = how;
        CompletableFuture<ReconfigurationStatus> started = reconfiguration.start(_ -> target, MovePace.DEFAULT);
        int all = (int) LongStream.range(0, KEYS)
                .filter(key -> before.partitionOf(key) != 2 && target.partitionOf(key) == 2)
                .count();
        assertThat(all).isGreaterThan(20);
        assertThat(isComeTo(2, all, before))
                .as(() -> movedTo(2, before) + " of " + all + " keys moved to the other destination")
                .isTrue();
        assertThat(started).isCompleted();
        assertThat(movedTo(UNREACHABLE, before)).isZero();
        manner = Manner.WELL;
        assertThat(world.runUntil(
                        () -> reconfiguration.status().state() == ReconfigurationStatus.State.DONE, 30 * SECOND_NANOS))
                .as(() -> String.valueOf(reconfiguration.status()))
                .isTrue();
        reconfiguration.stop();
        simulated.stop();
    }
}
