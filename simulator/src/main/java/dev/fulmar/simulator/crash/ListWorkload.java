package dev.fulmar.simulator.crash;

import dev.fulmar.benchmarks.listappend.procedure.Observe;
import dev.fulmar.benchmarks.listappend.procedure.Transact;
import dev.fulmar.benchmarks.listappend.procedure.Transfer;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.campaign.FinalState;
import dev.fulmar.simulator.campaign.SerializabilityScript;
import dev.fulmar.simulator.crash.procedure.Stamp;
import dev.fulmar.simulator.verify.Operation;
import dev.fulmar.simulator.workload.Mix;
import dev.fulmar.simulator.workload.ProcedureEditions;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.simulator.workload.WishSource;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Random transactions on lists and accounts. The numbers: of each list its length and what was appended in which order,
 * of each account its balance.
 */
final class ListWorkload implements CrashWorkload {
    private static final int LIST_NUMBERS = 2;
    private static final long ORDER_FACTOR = 1_000_003;

    private final PartitionPlan plan;
    private final Mix mix;
    private final AtomicLong lastValue = new AtomicLong();

    ListWorkload(RandomSource random) {
        this(random, 1);
    }

    ListWorkload(RandomSource random, int leastPartitions) {
        plan = PartitionPlan.hash(leastPartitions + random.nextInt(4 - leastPartitions));
        mix = new Mix(2 + random.nextInt(6), 2 + random.nextInt(6), 100, 2, 2, 60, 10, 5, 5, 30, 3);
    }

    @Override
    public PartitionPlan plan() {
        return plan;
    }

    @Override
    public List<String> statements() {
        return SerializabilityScript.statements();
    }

    @Override
    public byte[] jar(long edition) {
        return ProcedureEditions.jar(
                ProcedureEditions.FIRST + edition, List.of(Transact.class, Transfer.class, Observe.class, Stamp.class));
    }

    @Override
    public void fill(SimulatedDatabase database) {
        for (long id = 1; id <= mix.accounts(); id++) {
            database.execute("INSERT INTO account (id, balance) VALUES (?, ?)", id, mix.balance());
        }
    }

    @Override
    public Supplier<Ask> asks(RandomSource random) {
        WishSource source = new WishSource(mix, random, lastValue);
        return () -> {
            Wish wish = source.next();
            return new Ask(wish.text(), wish.isStatement(), wish.arguments(), wish.mayRollBack(), wish);
        };
    }

    @Override
    public List<String> catalogChanges(int round) {
        return List.of(
                "CREATE INDEX extra_" + round + " ON entry (n)",
                NEXT_EDITION,
                "DROP INDEX extra_" + round,
                "CREATE TABLE passing_" + round + " (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(20)) REPLICATED",
                "DROP TABLE passing_" + round);
    }

    @Override
    public int[] partitions() {
        int[] partitions = new int[LIST_NUMBERS * mix.keys() + mix.accounts()];
        for (int key = 1; key <= mix.keys(); key++) {
            partitions[LIST_NUMBERS * (key - 1)] = plan.partitionOf((long) key);
            partitions[LIST_NUMBERS * (key - 1) + 1] = plan.partitionOf((long) key);
        }
        for (int account = 1; account <= mix.accounts(); account++) {
            partitions[place(account)] = plan.partitionOf((long) account);
        }
        return partitions;
    }

    private int place(long account) {
        return LIST_NUMBERS * mix.keys() + (int) account - 1;
    }

    @Override
    public long[] observe(FinalState.Queries database) {
        long[] numbers = new long[LIST_NUMBERS * mix.keys() + mix.accounts()];
        for (long[] row :
                database.ask("SELECT k, v FROM entry ORDER BY k, n").tables().getFirst()) {
            append(numbers, row[0], row[1]);
        }
        for (long[] row :
                database.ask("SELECT id, balance FROM account").tables().getFirst()) {
            numbers[place(row[0])] = row[1];
        }
        return numbers;
    }

    private static void append(long[] numbers, long key, long value) {
        int list = LIST_NUMBERS * ((int) key - 1);
        numbers[list]++;
        numbers[list + 1] = numbers[list + 1] * ORDER_FACTOR + value;
    }

    @Override
    public void apply(Ask ask, long[] numbers, IntPredicate onPartition) {
        switch (ask.wish()) {
            case Wish.Transact transact -> {
                for (int i = 0; i < transact.appends().length; i++) {
                    if (onPartition.test(plan.partitionOf(transact.appends()[i]))) {
                        append(numbers, transact.appends()[i], transact.values()[i]);
                    }
                }
            }
            case Wish.Transfer transfer -> {
                if (onPartition.test(plan.partitionOf(transfer.from()))) {
                    numbers[place(transfer.from())] -= transfer.amount();
                }
                if (onPartition.test(plan.partitionOf(transfer.to()))) {
                    numbers[place(transfer.to())] += transfer.amount();
                }
            }
            case null, default -> {}
        }
    }

    @Override
    public List<Operation> readAll(FinalState.Queries database) {
        Wish wish = new Wish.ReadAllLists(mix.keys());
        return wish.done(database.ask(wish.text(), wish.arguments()));
    }

    @Override
    public void verify(FinalState.Queries database, RandomSource random, Consumer<String> violations) {
        List<Long> values = new ArrayList<>();
        database.ask("SELECT v FROM entry").tables().getFirst().forEach(row -> values.add(row[0]));
        values.sort(null);
        List<Long> byIndex = new ArrayList<>();
        database.ask("SELECT v FROM entry WHERE v >= 0 ORDER BY v")
                .tables()
                .getFirst()
                .forEach(row -> byIndex.add(row[0]));
        if (!values.equals(byIndex)) {
            violations.accept("the index on values has " + byIndex + " where the table has " + values);
        }
        long[] money = database.ask("SELECT COUNT(*), SUM(balance), MIN(balance) FROM account")
                .tables()
                .getFirst()
                .getFirst();
        if (money[0] != mix.accounts() || money[1] != mix.accounts() * mix.balance() || money[2] < 0) {
            violations.accept(money[0] + " accounts have " + money[1] + ", the poorest " + money[2]);
        }
    }

    @Override
    public boolean isCount(int number) {
        return number < LIST_NUMBERS * mix.keys() && number % LIST_NUMBERS == 0;
    }

    @Override
    public String describe(int number) {
        if (number >= LIST_NUMBERS * mix.keys()) {
            return "the balance of account " + (number - LIST_NUMBERS * mix.keys() + 1);
        }
        return (number % LIST_NUMBERS == 0 ? "the length of list " : "the order of list ")
                + (number / LIST_NUMBERS + 1);
    }
}
