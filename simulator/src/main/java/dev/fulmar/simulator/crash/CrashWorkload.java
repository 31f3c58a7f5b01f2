package dev.fulmar.simulator.crash;

import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.campaign.FinalState;
import dev.fulmar.simulator.verify.Operation;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Workload of a run's clients, with the effect of their commits on the tables. The tables are seen as a row of numbers,
 * each of one partition, such that a commit that changes anything changes numbers of every partition that it touches.
 * Immutable.
 */
interface CrashWorkload {
    /** Partitions of the keys. */
    PartitionPlan plan();

    /** DDL of the tables and procedures. */
    List<String> statements();

    /** The procedures; equal editions are equal, and others differ. */
    byte[] jar(long edition);

    /** Inserts the first rows. */
    void fill(SimulatedDatabase database);

    /** The requests of a client, one after the other. */
    Supplier<Ask> asks(RandomSource random);

    /**
     * Changes of the catalog that clients do not notice, again and again: statements, or the name of the jar of the
     * next edition.
     */
    List<String> catalogChanges(int round);

    /** A change of the catalog that brings the procedures in anew. */
    String NEXT_EDITION = "the next edition of the procedures";

    /** Beginning of a false change of the catalog, which puts a row into a table that comes and goes. */
    String PASSING_ROW = "INSERT INTO ";

    /** Name of the table that such a row is of. */
    static String passingTable(String row) {
        return row.substring(PASSING_ROW.length()).split(" ", 2)[0].toUpperCase(Locale.ROOT);
    }

    /** The partition of each number. */
    int[] partitions();

    /** The numbers as the database has them. */
    long[] observe(FinalState.Queries database);

    /** Does to the numbers of the partitions what the commit does. */
    void apply(Ask ask, long[] numbers, IntPredicate onPartition);

    /** All data, as a last transaction of a history; empty where none is kept. */
    List<Operation> readAll(FinalState.Queries database);

    /** Verifies the invariants of the tables, after any commits. */
    void verify(FinalState.Queries database, RandomSource random, Consumer<String> violations);

    /** Whether the number only grows, by commits of the partition that has it, wherever that is. */
    boolean isCount(int number);

    /** Meaning of a number, for people. */
    String describe(int number);
}
