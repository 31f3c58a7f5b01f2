package dev.fulmar.simulator.crash;

import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.campaign.FinalState;
import dev.fulmar.simulator.verify.Operation;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Another workload and additional calls whose rows tell time, chance and edition of each. There are a table without
 * primary key, every kind of index, and tables that come, get rows, and go. The numbers: those of the other, and of
 * each stamp how often it was set.
 */
final class StampedWorkload implements CrashWorkload {
    private static final int STAMPS = 4;
    private static final int STAMP_PERCENT = 15;
    private static final int PASSING_ROWS = 3;
    private static final String STAMP = "Stamp";

    private static final List<String> STATEMENTS = List.of(
            "CREATE TABLE stamp (id BIGINT NOT NULL PRIMARY KEY, times BIGINT NOT NULL, moment BIGINT, chance BIGINT, edition BIGINT)",
            "PARTITION TABLE stamp ON COLUMN id",
            "CREATE INDEX stamp_by_moment ON stamp (moment DESC, chance)",
            "CREATE UNIQUE INDEX stamp_by_times ON stamp (id, times) USING HASH",
            "CREATE TABLE note (id BIGINT NOT NULL, chance BIGINT NOT NULL, text VARCHAR(40))",
            "PARTITION TABLE note ON COLUMN id",
            "CREATE INDEX note_by_chance ON note (chance DESC, text)",
            "CREATE INDEX note_by_text ON note (text) USING HASH",
            "CREATE PROCEDURE Stamp PARTITION ON TABLE stamp COLUMN id PARAMETER 0 FROM CLASS"
                    + " dev.fulmar.simulator.crash.procedure.Stamp");

    private final CrashWorkload other;
    private final int others;

    StampedWorkload(CrashWorkload other) {
        this.other = other;
        this.others = other.partitions().length;
    }

    @Override
    public PartitionPlan plan() {
        return other.plan();
    }

    @Override
    public List<String> statements() {
        List<String> all = new ArrayList<>(other.statements());
        all.addAll(STATEMENTS);
        return all;
    }

    @Override
    public byte[] jar(long edition) {
        return other.jar(edition);
    }

    @Override
    public void fill(SimulatedDatabase database) {
        other.fill(database);
        for (long id = 1; id <= STAMPS; id++) {
            database.execute("INSERT INTO stamp (id, times) VALUES (?, 0)", id);
        }
    }

    @Override
    public Supplier<Ask> asks(RandomSource random) {
        Supplier<Ask> rest = other.asks(random);
        return () -> random.nextInt(100) < STAMP_PERCENT
                ? new Ask(STAMP, false, new Object[] {1L + random.nextInt(STAMPS)}, false, null)
                : rest.get();
    }

    @Override
    public List<String> catalogChanges(int round) {
        List<String> changes = new ArrayList<>();
        for (String change : other.catalogChanges(round)) {
            changes.add(change);
            if (change.startsWith("CREATE TABLE passing")) {
                addRows(changes, round);
            }
        }
        return changes;
    }

    /** One table in two is partitioned, the other is on every partition. */
    private static void addRows(List<String> changes, int round) {
        if (round % 2 == 0) {
            changes.add("PARTITION TABLE passing_" + round + " ON COLUMN id");
        }
        for (int row = 1; row <= PASSING_ROWS; row++) {
            changes.add(PASSING_ROW + "passing_" + round + " VALUES (" + row + ", 'row " + row + "')");
        }
    }

    @Override
    public int[] partitions() {
        int[] partitions = Arrays.copyOf(other.partitions(), others + STAMPS);
        for (int stamp = 1; stamp <= STAMPS; stamp++) {
            partitions[place(stamp)] = plan().partitionOf((long) stamp);
        }
        return partitions;
    }

    private int place(long stamp) {
        return others + (int) stamp - 1;
    }

    @Override
    public long[] observe(FinalState.Queries database) {
        long[] numbers = Arrays.copyOf(other.observe(database), others + STAMPS);
        for (long[] row : database.ask("SELECT id, times FROM stamp").tables().getFirst()) {
            numbers[place(row[0])] = row[1];
        }
        return numbers;
    }

    @Override
    public void apply(Ask ask, long[] numbers, IntPredicate onPartition) {
        if (ask.text().equals(STAMP)) {
            long stamp = (Long) Objects.requireNonNull(ask.arguments()[0]);
            if (onPartition.test(plan().partitionOf(stamp))) {
                numbers[place(stamp)]++;
            }
        } else if (!ask.text().startsWith(PASSING_ROW)) {
            other.apply(ask, numbers, onPartition);
        }
    }

    @Override
    public List<Operation> readAll(FinalState.Queries database) {
        return other.readAll(database);
    }

    @Override
    public void verify(FinalState.Queries database, RandomSource random, Consumer<String> violations) {
        other.verify(database, random, violations);
    }

    @Override
    public boolean isCount(int number) {
        return number >= others || other.isCount(number);
    }

    @Override
    public String describe(int number) {
        return number < others ? other.describe(number) : "the times of stamp " + (number - others + 1);
    }
}
