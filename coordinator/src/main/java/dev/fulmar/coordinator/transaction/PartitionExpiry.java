package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.catalog.Expiry;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.engine.partition.SinglePartitionWork;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.schedule.Scheduler;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Deletes rows that are too old (TTL) where their partition is led, one batch of one table at a time. Each batch is a
 * transaction like any other, logged and replicated by value. One is under way at most, and the next comes after a
 * second, or sooner if there may be more to do. For the partition's thread.
 */
final class PartitionExpiry {
    /** After everything that was too old has gone. */
    private static final long REST_NANOS = 1_000_000_000;

    /** Between batches, so that others get most of the time. */
    private static final long PAUSE_NANOS = 20_000_000;

    private static final long NOTHING = 0;
    private static final long FAILED = -1;

    private final PartitionRuntime runtime;
    private final Scheduler scheduler;
    private Program program;
    private List<Table> tables = List.of();
    private int next;
    private boolean underWay;
    private StatementPort statements = (sql, ended) -> ended.accept(NOTHING);
    /**
     * Rows that the statement on a replicated table deleted, until the next batch takes note; negative if it failed.
     */
    private volatile long outcome;

    /** Runs a statement on all partitions. */
    @FunctionalInterface
    interface StatementPort {
        /**
         * @param ended told once, on whatever thread, how many rows it changed; a negative number if it failed
         */
        void run(String sql, LongConsumer ended);
    }

    PartitionExpiry(PartitionRuntime runtime, Scheduler scheduler, Program program) {
        this.runtime = runtime;
        this.scheduler = scheduler;
        this.program = program;
    }

    /**
     * Sets the way in which rows of replicated tables are deleted: the first partition does it for all. Before the
     * partition runs.
     */
    void runBy(StatementPort port) {
        statements = port;
    }

    /** Follows another version of the catalog from now on. */
    void use(Program newProgram) {
        program = newProgram;
        tables = newProgram.catalog().tables().values().stream()
                .filter(table -> table.expiry().isPresent())
                .filter(table ->
                        !table.isReplicated() || runtime.partition().id().number() == 0)
                .toList();
        next = 0;
        if (!tables.isEmpty() && !underWay) {
            underWay = true;
            again(REST_NANOS);
        }
    }

    private void again(long delayNanos) {
        scheduler.schedule(delayNanos, () -> runtime.partition().inbox().put(new Batch()));
    }

    /** A batch is over. */
    private void ended(boolean mayBeMore) {
        Invariants.check(underWay, "a partition has one batch of expired rows under way");
        if (tables.isEmpty()) {
            underWay = false;
        } else {
            next = mayBeMore ? next : (next + 1) % tables.size();
            again(mayBeMore || next > 0 ? PAUSE_NANOS : REST_NANOS);
        }
    }

    private final class Batch extends SinglePartitionWork {
        private long deleted;
        private boolean failed;
        private boolean isFull;
        private @Nullable String statement;

        @Override
        protected Verdict execute(Partition partition) {
            deleted = 0;
            failed = false;
            isFull = false;
            statement = null;
            if (tables.isEmpty() || runtime.program() != program) {
                return Verdict.DUPLICATE;
            }
            Table table = tables.get(next);
            Expiry expiry = table.expiry().orElseThrow();
            long before = outcome;
            outcome = NOTHING;
            if (before == FAILED) {
                failed = true;
                return Verdict.ABORT;
            }
            try {
                if (table.isReplicated()) {
                    deleted = before;
                    statement = runtime.expiryOf(table, expiry);
                } else {
                    deleted = runtime.expire(table, expiry);
                    isFull = deleted >= expiry.batchRows();
                }
                return Verdict.COMMIT;
            } catch (FulmarException e) {
                failed = true;
                return Verdict.ABORT;
            }
        }

        @Override
        protected void broke(Throwable cause) {
            failed = true;
        }

        @Override
        protected void settled(Partition partition, Verdict verdict, long commitTimestamp) {
            if (verdict == Verdict.COMMIT) {
                partition.counters().expiredRows.add(deleted);
            } else if (failed) {
                partition.counters().expiriesFailed.increment();
            }
        }

        @Override
        protected void revoked(Partition partition) {}

        @Override
        public void leave(ReplyBatch replies) {
            String everywhere = statement;
            if (everywhere == null || failed) {
                ended(isFull && !failed);
                return;
            }
            statements.run(everywhere, changed -> {
                outcome = changed < 0 ? FAILED : changed;
                again(PAUSE_NANOS);
            });
        }

        @Override
        public void lost(FulmarException cause, ReplyBatch replies) {
            ended(false);
        }

        /** The partition's new primary deletes its rows; if this node leads again, {@link #use} begins anew. */
        @Override
        public void turnedAway(Partition partition) {
            underWay = false;
        }

        @Override
        public void refused(PartitionId partition) {
            // The partition has stopped.
        }
    }
}
