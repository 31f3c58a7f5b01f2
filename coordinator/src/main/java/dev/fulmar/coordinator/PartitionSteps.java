package dev.fulmar.coordinator;

import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationLog;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationStep;
import dev.fulmar.coordinator.reconfiguration.StepListener;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.transaction.HistoryTransfer;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.partition.CommitGate.GatedReply;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.engine.partition.SliceQueue;
import dev.fulmar.engine.spi.SliceHaste;
import dev.fulmar.engine.table.BucketTransfer;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes steps of reconfigurations at the primaries of this node, each between two transactions, and writes them into
 * the command log.
 */
record PartitionSteps(PartitionRuntimes runtimes, CommandLog log, PartitionHomes homes) implements ReconfigurationLog {
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
        PartitionRuntime runtime = runtimes.of(partition);
        runtime.partition().inbox().put(new Arrival(this, runtime, step, listener));
    }

    @Override
    public void inspect(PartitionId partition, Consumer<PartitionData> inspector, Consumer<FulmarException> refused) {
        PartitionRuntime runtime = runtimes.of(partition);
        runtime.partition().inbox().put(new Inspection(this, runtime, inspector, refused));
    }

    @Override
    public void inspectInTurn(
            PartitionId partition,
            SliceHaste haste,
            Consumer<PartitionData> inspector,
            Consumer<FulmarException> refused) {
        PartitionRuntime runtime = runtimes.of(partition);
        Inspection inspection = new Inspection(this, runtime, inspector, refused);
        runtime.partition().inbox().put(new SlicedInspection(inspection, haste));
    }

    @Override
    public void inspectOnceSafe(PartitionId partition, Consumer<PartitionData> inspector, StepListener listener) {
        inspect(
                partition,
                data -> {
                    inspector.accept(data);
                    runtimes.of(partition).partition().readers().onceConfirmed(new Told(listener));
                },
                listener::refused);
    }

    private record Inspection(
            PartitionSteps steps,
            PartitionRuntime runtime,
            Consumer<PartitionData> inspector,
            Consumer<FulmarException> refused)
            implements PartitionTask {
        @Override
        public void run(Partition partition) {
            partition.whenQuiescent(this::look);
        }

        private void look(Partition here) {
            if (steps.homes.isHere(here.id().number())) {
                inspector.accept(data(runtime));
            } else {
                refused.accept(elsewhere(here.id()));
            }
        }

        @Override
        public void refused(PartitionId partition) {
            refused.accept(stopping(partition));
        }
    }

    /** An inspection that is a slice of long reading. */
    private record SlicedInspection(Inspection inspection, SliceHaste haste) implements PartitionTask {
        @Override
        public void run(Partition partition) {
            partition.slices().add(new SliceQueue.Slice() {
                @Override
                public boolean run() {
                    if (!partition.isQuiescent()) {
                        inspection.run(partition);
                        return true;
                    }
                    try {
                        inspection.look(partition);
                    } catch (RuntimeException | Error defect) { // the partition's, and not its site's
                        partition.inbox().put(new Broken(defect));
                    }
                    return true;
                }

                @Override
                public void stopped() {
                    refused(partition.id());
                }

                @Override
                public SliceHaste haste() {
                    return haste;
                }
            });
        }

        @Override
        public void refused(PartitionId partition) {
            inspection.refused(partition);
        }
    }

    /** Ends the partition by a defect that a slice must not let escape. */
    private record Broken(Throwable defect) implements PartitionTask {
        @Override
        public void run(Partition partition) {
            throw new IllegalStateException("an inspection broke off half-way", defect);
        }
    }

    private static PartitionData data(PartitionRuntime runtime) {
        return new PartitionData(
                new BucketTransfer(runtime.storage()),
                new HistoryTransfer(runtime),
                runtime.program().plan(),
                runtime.partition().timestamps().last() + 1);
    }

    private static FulmarException elsewhere(PartitionId partition) {
        return new FulmarException(
                ErrorCode.WRONG_NODE, "another node leads partition " + partition + "; take the step there");
    }

    private static FulmarException stopping(PartitionId partition) {
        return new FulmarException(
                ErrorCode.NODE_STOPPING, "partition " + partition + " takes no step any more; take it elsewhere");
    }

    private record Arrival(
            PartitionSteps steps, PartitionRuntime runtime, ReconfigurationStep step, StepListener listener)
            implements PartitionTask {
        @Override
        public void run(Partition partition) {
            partition.whenQuiescent(here -> steps.take(here, runtime, step, listener));
        }

        @Override
        public void refused(PartitionId partition) {
            listener.refused(stopping(partition));
        }
    }

    private void take(Partition partition, PartitionRuntime runtime, ReconfigurationStep step, StepListener listener) {
        FulmarException refusal = log.refusal();
        if (!homes.isHere(partition.id().number())) {
            listener.refused(elsewhere(partition.id()));
            return;
        }
        if (refusal != null) {
            listener.refused(refusal);
            return;
        }
        byte[] content;
        try {
            content = step.take(data(runtime));
        } catch (FulmarException failed) {
            listener.refused(failed);
            return;
        } catch (RuntimeException | Error defect) { // how much of it was done is not known
            listener.lost(new FulmarException(ErrorCode.INTERNAL, "the step broke off half-way", defect));
            throw defect;
        }
        if (content == null) {
            listener.refused(new FulmarException(
                    ErrorCode.SERVER_BUSY,
                    "the step cannot be taken while partition " + partition.id() + " is in use; try again later"));
            return;
        }
        runtime.freeSlowly();
        partition.timestamps().observe(runtime.storage().moves().newestTimestamp());
        log.reconfigured(partition, content, partition.timestamps().next());
        partition.readers().onceConfirmed(new Told(listener));
    }

    /** Tells the listener when its turn in the gate comes. */
    private record Told(StepListener listener) implements GatedReply {
        @Override
        public void leave(ReplyBatch replies) {
            listener.safe();
        }

        @Override
        public void lost(FulmarException cause, ReplyBatch replies) {
            listener.lost(cause);
        }
    }
}
