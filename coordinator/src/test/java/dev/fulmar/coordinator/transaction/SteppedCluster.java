package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.fiber.SteppedFibers;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.partition.CommitGate;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partition.LeadershipGuard;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionExecutor;
import dev.fulmar.engine.partition.PartitionMessage;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.engine.partition.ReplyOutlet;
import dev.fulmar.engine.partition.SinglePartitionWork;
import dev.fulmar.engine.partition.Site;
import dev.fulmar.engine.partition.SitePartition;
import dev.fulmar.engine.partition.TurnListener;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Partitions and fibers that a test advances one step at a time, in an order of its own or a random one. */
final class SteppedCluster implements Clock {
    static final byte[] NO_RESULTS = {};

    final List<Accounts> stores = new ArrayList<>();
    final List<PartitionExecutor> executors = new ArrayList<>();
    final SteppedFibers fibers = new SteppedFibers();

    /** What coordinators told partitions. */
    final List<PartitionMessage> sent = new ArrayList<>();

    private long nowMicros = 1_000_000;
    private long lastId;

    SteppedCluster(int partitions, int accounts, long balance) {
        for (int i = 0; i < partitions; i++) {
            Accounts store = new Accounts(accounts, balance);
            stores.add(store);
            Partition partition = new Partition(new PartitionId(i), store, this, 10_000);
            executors.add(new PartitionExecutor(
                    partition,
                    CommandLog.none(),
                    CommitGate.open(new ReplyOutlet(new ReplyBatch())),
                    LeadershipGuard.alwaysLeads(),
                    TurnListener.none()));
        }
    }

    @Override
    public long monotonicNanos() {
        return nowMicros * 1000;
    }

    @Override
    public long wallMicros() {
        return nowMicros++;
    }

    Partition partition(int number) {
        return executors.get(number).partition();
    }

    /** The partition stops, as its node does. */
    void stop(int number) {
        new Site(
                        number,
                        this,
                        (delayNanos, task) -> () -> {},
                        List.of(new SitePartition(executors.get(number), new ReplyOutlet(new ReplyBatch()))),
                        new ReplyBatch())
                .onClose();
    }

    DistributedTransaction begin(ControlCode code, Consumer<TransactionResponse> completion) {
        return begin(++lastId, code, completion);
    }

    DistributedTransaction begin(long age, ControlCode code, Consumer<TransactionResponse> completion) {
        return begin(age, code, completion, null);
    }

    DistributedTransaction begin(
            long age, ControlCode code, Consumer<TransactionResponse> completion, @Nullable CommitBase base) {
        lastId = Math.max(lastId, age);
        DistributedTransaction transaction = new DistributedTransaction(
                new TransactionId(age, 0),
                (partition, message) -> {
                    sent.add(message);
                    partition(partition.number()).inbox().put(message);
                },
                fibers,
                code,
                (response, restarts) -> completion.accept(response),
                base);
        transaction.start();
        return transaction;
    }

    /** Advances one fiber or one partition at random; false if nothing can go on. */
    boolean stepRandomly(RandomSource random) {
        int fiberCount = fibers.runnableCount();
        int choice = random.nextInt(fiberCount + executors.size());
        if (choice < fiberCount) {
            fibers.step(choice);
            return true;
        }
        int start = choice - fiberCount;
        for (int i = 0; i < executors.size(); i++) {
            if (executors.get((start + i) % executors.size()).run(1) > 0) {
                return true;
            }
        }
        if (fiberCount > 0) {
            fibers.step(0);
            return true;
        }
        return false;
    }

    /** Advances everything until nothing can go on. */
    void settle() {
        boolean moved = true;
        while (moved) {
            moved = false;
            while (fibers.runnableCount() > 0) {
                fibers.step(0);
                moved = true;
            }
            for (PartitionExecutor executor : executors) {
                moved |= executor.run(1000) > 0;
            }
        }
    }

    /** Runs one fiber's next stretch. */
    void stepFiber() {
        fibers.step(0);
    }

    int step(int partition) {
        return executors.get(partition).run(1);
    }

    static TreeMap<PartitionId, List<FragmentWork>> on(int partition, FragmentWork... work) {
        TreeMap<PartitionId, List<FragmentWork>> map = new TreeMap<>();
        map.put(new PartitionId(partition), List.of(work));
        return map;
    }

    static TreeMap<PartitionId, List<FragmentWork>> and(
            TreeMap<PartitionId, List<FragmentWork>> map, int partition, FragmentWork... work) {
        map.put(new PartitionId(partition), List.of(work));
        return map;
    }

    static TransactionResponse value(long value) {
        return new Committed(Kind.VALUE, value, NO_RESULTS);
    }

    /** Moves an amount from one account to another, in one batch. */
    static ControlCode transfer(int from, int fromAccount, int to, int toAccount, long amount) {
        return dispatch -> {
            int debit = dispatch.nextStatement();
            int credit = dispatch.nextStatement();
            TreeMap<PartitionId, List<FragmentWork>> work = on(from, new Accounts.Add(debit, fromAccount, -amount));
            if (from == to) {
                work = on(
                        from,
                        new Accounts.Add(debit, fromAccount, -amount),
                        new Accounts.Add(credit, toAccount, amount));
            } else {
                and(work, to, new Accounts.Add(credit, toAccount, amount));
            }
            FragmentDispatch.Outcome outcome = dispatch.run(work);
            return outcome.failure() == null
                    ? value(amount)
                    : new TransactionResponse.Failed(
                            outcome.failure().code(), outcome.failure().message());
        };
    }

    /** Adds up all balances of all partitions. */
    ControlCode audit() {
        return dispatch -> {
            TreeMap<PartitionId, List<FragmentWork>> work = new TreeMap<>();
            int statement = dispatch.nextStatement();
            for (int i = 0; i < executors.size(); i++) {
                and(work, i, new Accounts.Total(statement));
            }
            return value(dispatch.run(work).results().values().stream()
                    .mapToLong(results -> results.getFirst().changedRows())
                    .sum());
        };
    }

    void submit(int partition, ToLongFunction<Accounts> body, Consumer<TransactionResponse> completion) {
        partition(partition).inbox().put(new LocalWork(body, completion));
    }

    /** A single-partition transaction that a lambda does. */
    static final class LocalWork extends SinglePartitionWork {
        private final ToLongFunction<Accounts> body;
        private final Consumer<TransactionResponse> completion;
        private TransactionResponse response = new TransactionResponse.Failed(ErrorCode.INTERNAL, "not executed");

        LocalWork(ToLongFunction<Accounts> body, Consumer<TransactionResponse> completion) {
            this.body = body;
            this.completion = completion;
        }

        @Override
        protected Verdict execute(Partition partition) {
            try {
                response = value(body.applyAsLong(Accounts.of(partition)));
                return Verdict.COMMIT;
            } catch (IllegalStateException refused) {
                response = new TransactionResponse.Failed(ErrorCode.USER_ABORT, String.valueOf(refused.getMessage()));
                return Verdict.ABORT;
            }
        }

        @Override
        protected void broke(Throwable cause) {
            response = new TransactionResponse.Failed(ErrorCode.INTERNAL, String.valueOf(cause));
        }

        @Override
        protected void settled(Partition partition, Verdict verdict, long commitTimestamp) {}

        @Override
        protected void revoked(Partition partition) {}

        @Override
        public void leave(ReplyBatch replies) {
            completion.accept(response);
        }
    }
}
