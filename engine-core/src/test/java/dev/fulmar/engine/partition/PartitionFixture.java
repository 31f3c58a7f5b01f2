package dev.fulmar.engine.partition;

import dev.fulmar.engine.partition.PartitionMessage.Decision;
import dev.fulmar.engine.partition.PartitionMessage.FragmentBatch;
import dev.fulmar.engine.partition.PartitionMessage.Prepare;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.foundation.time.Clock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A partition driven by hand, one message at a time. */
final class PartitionFixture implements Clock {
    final KeyValues store = new KeyValues();
    final List<String> log = new ArrayList<>();
    final List<String> replies = new ArrayList<>();
    final List<Long> promises = new ArrayList<>();
    final List<CoordinatorMessage> answers = new ArrayList<>();
    final ReplyBatch replyBatch = new ReplyBatch();
    final Partition partition;
    final PartitionExecutor executor;
    long nowMicros = 1_000_000;

    /** Why the log takes nothing more, or null. */
    @Nullable FulmarException refusal;

    PartitionFixture() {
        this(LeadershipGuard.alwaysLeads(), 100);
    }

    PartitionFixture(LeadershipGuard guard, int capacity) {
        partition = new Partition(new PartitionId(0), store, this, capacity);
        executor = new PartitionExecutor(
                partition,
                new RecordingLog(),
                CommitGate.open(new ReplyOutlet(replyBatch)),
                guard,
                TurnListener.none());
    }

    /** With another gate. */
    PartitionFixture(LeadershipGuard guard, CommitGate gate) {
        partition = new Partition(new PartitionId(0), store, this, 100);
        executor = new PartitionExecutor(partition, new RecordingLog(), gate, guard, TurnListener.none());
    }

    @Override
    public long monotonicNanos() {
        return nowMicros * 1000;
    }

    @Override
    public long wallMicros() {
        return nowMicros;
    }

    static TransactionId id(long age) {
        return new TransactionId(age, 0);
    }

    void put(PartitionMessage message) {
        partition.inbox().put(message);
    }

    /** Who holds the lock. */
    String holder() {
        LockHolder holder = partition.lock().holder();
        return holder == null ? "nobody" : holder.transaction.timestamp() + " in attempt " + holder.attempt;
    }

    /** Handles everything that can be handled. */
    int run() {
        return executor.run(1000);
    }

    void submit(PartitionMessage message) {
        put(message);
        run();
    }

    Work work(String name, Consumer<KeyValues> body) {
        return new Work(name, store -> {
            body.accept(store);
            return SinglePartitionWork.Verdict.COMMIT;
        });
    }

    FragmentBatch batch(long age, int attempt, FragmentWork... work) {
        return new FragmentBatch(id(age), attempt, answers::add, List.of(work));
    }

    FragmentWork fragment(int statement, Consumer<KeyValues> body) {
        return new Fragment(statement, body);
    }

    /** Work that reports its end as a reply. */
    FragmentWork hooked(int statement, String name) {
        return new FragmentWork() {
            @Override
            public int statement() {
                return statement;
            }

            @Override
            public FragmentResult run(Partition ran) {
                return FragmentResult.changed(0);
            }

            @Override
            public void committed(Partition ran, long commitTimestamp) {
                replies.add("committed " + name);
            }

            @Override
            public void undone(Partition ran) {
                replies.add("undone " + name);
            }
        };
    }

    void prepare(long age, int attempt, PrepareMode mode) {
        submit(new Prepare(id(age), attempt, answers::add, mode, null, null, 0));
    }

    void commit(long age, int attempt, long timestamp) {
        submit(new Decision(id(age), attempt, true, timestamp, null, null));
    }

    void abort(long age, int attempt) {
        submit(Decision.abort(id(age), attempt));
    }

    <T extends CoordinatorMessage> T lastAnswer(Class<T> type) {
        return type.cast(answers.getLast());
    }

    /** Single-partition work that a lambda does. */
    final class Work extends SinglePartitionWork {
        final String name;
        final Function<KeyValues, Verdict> body;
        int executions;
        long timestamp;

        Work(String name, Function<KeyValues, Verdict> body) {
            this.name = name;
            this.body = body;
        }

        @Override
        protected Verdict execute(Partition ran) {
            executions++;
            return body.apply(store);
        }

        @Override
        protected void broke(Throwable cause) {
            replies.add(name + " broke");
        }

        @Override
        protected void settled(Partition ran, Verdict verdict, long commitTimestamp) {
            timestamp = commitTimestamp;
        }

        @Override
        protected void revoked(Partition ran) {
            replies.add(name + " revoked");
        }

        @Override
        public void leave(ReplyBatch batch) {
            replies.add(name);
        }

        @Override
        public void refused(PartitionId refusing) {
            replies.add(name + " refused");
        }
    }

    private record Fragment(int statement, Consumer<KeyValues> body) implements FragmentWork {
        @Override
        public FragmentResult run(Partition partition) {
            body.accept((KeyValues) partition.undo());
            return FragmentResult.changed(1);
        }
    }

    private final class RecordingLog implements CommandLog {
        private long record(String text) {
            log.add(text);
            return log.size();
        }

        @Override
        public long committed(Partition where, SinglePartitionWork work, long begin, long commitTimestamp) {
            return record(((Work) work).name);
        }

        @Override
        public void speculated(Partition where, SinglePartitionWork work, long begin) {
            work.note(((Work) work).name.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public long confirmed(Partition where, SinglePartitionWork work, long commitTimestamp) {
            byte[] noted = work.takeNote();
            return record(noted == null ? "nothing noted" : new String(noted, StandardCharsets.UTF_8));
        }

        @Override
        public long committedAlone(
                Partition where, @Nullable RequestOutcome outcome, long begin, long commitTimestamp) {
            return record("alone " + commitTimestamp);
        }

        @Override
        public long prepared(
                Partition where,
                TransactionId transaction,
                int attempt,
                long begin,
                long proposedTimestamp,
                @Nullable PartitionId base) {
            return record("prepared " + transaction.timestamp());
        }

        @Override
        public long decided(
                Partition where,
                TransactionId transaction,
                int attempt,
                boolean commit,
                long commitTimestamp,
                @Nullable RequestOutcome outcome,
                List<PartitionId> participants) {
            return record((commit ? "commit " : "abort ") + transaction.timestamp());
        }

        @Override
        public long position(Partition where) {
            return log.size();
        }

        @Override
        public boolean keepsRecords() {
            return true;
        }

        @Override
        public boolean isCrowded(Partition where) {
            return false;
        }

        @Override
        public void promised(Partition where, long timestamp) {
            promises.add(timestamp);
        }

        @Override
        public @Nullable FulmarException refusal() {
            return refusal;
        }
    }
}
