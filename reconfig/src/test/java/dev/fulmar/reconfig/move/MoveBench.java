package dev.fulmar.reconfig.move;

import dev.fulmar.coordinator.reconfiguration.DataGuards;
import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationLog;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationStep;
import dev.fulmar.coordinator.reconfiguration.RequestOutcomes;
import dev.fulmar.coordinator.reconfiguration.StepListener;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partition.counter.LatencyHistogram;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.spi.SliceHaste;
import dev.fulmar.engine.table.BucketTransfer;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.reconfig.peer.Answer;
import dev.fulmar.reconfig.peer.DestinationStep;
import dev.fulmar.reconfig.peer.FixedPlans;
import dev.fulmar.reconfig.peer.Peers;
import dev.fulmar.reconfig.step.MoveStep;
import dev.fulmar.reconfig.step.MoveStepFormat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Fakes of all that a move uses. A test answers the destination's steps and the hand-offs by hand, and lets time pass.
 * The partition has two buckets without rows, and shows itself at once.
 */
final class MoveBench implements AutoCloseable {
    private static final int TABLE = 1;

    static final PartitionPlan PLAN = PartitionPlan.hash(2);
    static final PartitionId SOURCE = new PartitionId(0);
    static final PartitionId DESTINATION = new PartitionId(1);

    /** A step that the destination was asked for. */
    record Asked(DestinationStep step, Answer answer) {}

    /** A hand-off that was announced. */
    record Announced(HandOff handOff, Consumer<@Nullable FulmarException> ended) {}

    private record Due(long nanos, long order, Runnable task) {}

    final PartitionStorage storage = new PartitionStorage(
            new ChunkSource(new MemoryBudget(64L << 20, "memory.limit")), PLAN.bucketsOf(0, 2), 8L << 20);
    final Deque<Asked> asked = new ArrayDeque<>();
    final Deque<Announced> announced = new ArrayDeque<>();

    /** Steps that the partition's log has. */
    final List<MoveStep> logged = new ArrayList<>();

    /** Outcomes of requests that the destination lacks. */
    final Deque<byte[]> outcomes = new ArrayDeque<>();

    final List<byte[]> remembered = new ArrayList<>();
    final MovePorts ports;

    /** Guards the source at the moment. */
    @Nullable DataAccess guard;

    /** With which the partition refuses everything. */
    @Nullable FulmarException refusal;

    /** With which steps are lost that were taken. */
    @Nullable FulmarException loss;

    /** By which time passes at each look at the clock. */
    long lookNanos;

    private final PriorityQueue<Due> later =
            new PriorityQueue<>(Comparator.comparingLong(Due::nanos).thenComparingLong(Due::order));
    private final Log log = new Log();
    private long nanos = 1_000_000_000;
    private long orders;
    private long put;

    MoveBench() {
        Clock clock = new Time();
        ports = new MovePorts(
                log,
                guards(),
                new Peers(
                        null,
                        (partition, step, answer) -> asked.add(new Asked(step, answer)),
                        new Plans(),
                        clock,
                        report -> {}),
                scheduler(),
                clock,
                new Pace(LatencyHistogram::new, clock),
                new SerialTasks());
    }

    static FulmarException failure(ErrorCode code) {
        return new FulmarException(code, "why");
    }

    static PlanTarget target(PartitionPlan plan) {
        return target(plan, new MovePace(1_000, 1_000_000, 0));
    }

    static PlanTarget target(PartitionPlan plan, MovePace pace) {
        return new PlanTarget(5, PlanTarget.State.RUNNING, plan, pace, "");
    }

    ReconfigurationLog log() {
        return log;
    }

    Clock clock() {
        return ports.clock();
    }

    PartitionData data() {
        return new PartitionData(new BucketTransfer(storage), new Outcomes(), PLAN, 1_000);
    }

    /** The source gets rows of a table, of its own keys or of the one key, each with a text of so many bytes. */
    void fill(int rows, int textBytes, @Nullable Long onlyKey) {
        fill(rows, 1, textBytes, onlyKey);
    }

    /** The same, with as many rows of a key as are given. */
    void fill(int rows, int rowsOfKey, int textBytes, @Nullable Long onlyKey) {
        storage.createTable(new Table(
                TABLE,
                "T",
                List.of(
                        new Column("K", ColumnType.of(TypeKind.BIGINT), false, null),
                        new Column("TEXT", ColumnType.varchar(5_000), false, null)),
                OptionalInt.of(0),
                List.of(),
                List.of()));
        TableStore store = storage.table(TABLE);
        RowImage image = new RowImage(store.layout());
        int left = rows;
        for (long key = 0; left > 0; key++) {
            boolean isOwn = onlyKey != null || PLAN.partitionOf(key) == SOURCE.number();
            for (int i = 0; isOwn && i < rowsOfKey && left > 0; i++, left--) {
                image.clear();
                image.setLong(0, onlyKey == null ? key : onlyKey);
                image.setBytes(1, new byte[textBytes], 0, textBytes);
                store.insert(image, storage.undoLog());
                storage.undoLog().commit(1 + key);
            }
        }
    }

    /** Lets time pass, and runs what is due. */
    void pass(long passedNanos) {
        long end = nanos + passedNanos;
        for (Due next = later.peek(); next != null && next.nanos() <= end; next = later.peek()) {
            later.remove();
            nanos = Math.max(nanos, next.nanos());
            next.task().run();
        }
        nanos = end;
    }

    /** Time passes, but nothing that is due runs. */
    void stall(long passedNanos) {
        nanos += passedNanos;
    }

    @Override
    public void close() {
        storage.close();
    }

    private DataGuards guards() {
        return (partition, access) -> guard = access;
    }

    private Scheduler scheduler() {
        return (delayNanos, task) -> {
            Due due = new Due(nanos + delayNanos, orders++, task);
            later.add(due);
            return () -> later.remove(due);
        };
    }

    private final class Time implements Clock {
        @Override
        public long monotonicNanos() {
            nanos += lookNanos;
            return nanos;
        }

        @Override
        public long wallMicros() {
            return nanos / 1_000;
        }
    }

    private final class Log implements ReconfigurationLog {
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
            if (refusal != null) {
                listener.refused(refusal);
                return;
            }
            byte[] record;
            try {
                record = step.take(data());
            } catch (FulmarException refused) {
                listener.refused(refused);
                return;
            }
            if (record == null) {
                listener.refused(failure(ErrorCode.SERVER_BUSY));
                return;
            }
            logged.add(MoveStepFormat.read(record));
            if (loss == null) {
                listener.safe();
            } else {
                listener.lost(loss);
            }
        }

        @Override
        public void inspect(
                PartitionId partition, Consumer<PartitionData> inspector, Consumer<FulmarException> refused) {
            if (refusal == null) {
                inspector.accept(data());
            } else {
                refused.accept(refusal);
            }
        }

        @Override
        public void inspectInTurn(
                PartitionId partition,
                SliceHaste haste,
                Consumer<PartitionData> inspector,
                Consumer<FulmarException> refused) {
            inspect(partition, inspector, refused);
        }

        @Override
        public void inspectOnceSafe(PartitionId partition, Consumer<PartitionData> inspector, StepListener listener) {
            if (refusal == null) {
                inspector.accept(data());
                listener.safe();
            } else {
                listener.refused(refusal);
            }
        }
    }

    private final class Outcomes implements RequestOutcomes {
        @Override
        public long term() {
            return 1;
        }

        @Override
        public long commits() {
            return put;
        }

        @Override
        public Batch since(Place place) {
            List<byte[]> parts = List.copyOf(outcomes);
            put += parts.size();
            outcomes.clear();
            return new Batch(parts, new Place(put, 0), true);
        }

        @Override
        public void take(byte[] bytes) {
            remembered.add(bytes);
        }
    }

    private final class Plans extends FixedPlans {
        Plans() {
            super(PLAN, true);
        }

        @Override
        public void handOver(List<HandOff> handOffs, Consumer<@Nullable FulmarException> ended) {
            handOffs.forEach(handOff -> announced.add(new Announced(handOff, ended)));
        }
    }
}
