package dev.fulmar.simulator.campaign;

import dev.fulmar.coordinator.DatabaseConfiguration;
import dev.fulmar.coordinator.planning.PlanningQueue;
import dev.fulmar.coordinator.transaction.CallLimits;
import dev.fulmar.coordinator.transaction.SliceLimits;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.workload.Mix;

/** Scenario of one run, drawn so that few keys are hot, and now and then everything is scarce. */
record Scenario(Shape shape, Traffic traffic, Disturbances disturbances, Execution execution, Mix mix) {
    /**
     * The size of the database.
     *
     * @param ranges whether its plan has ranges of keys; else of hashes
     */
    record Shape(int partitions, int sites, boolean ranges, int buckets, int queueCapacity, int distributedCapacity) {}

    /**
     * Requests and messages.
     *
     * @param clients each with some wishes open at once
     * @param wishes that each client has in all
     * @param maxThinkNanos between an answer and the next wish
     * @param maxTravelNanos of a request or an answer
     * @param mostMessageNanos that a message from a coordinator to a partition takes
     * @param patienceNanos after which a client sends a request again
     * @param maxSends of one request, the first one included
     * @param hurryPercent of the requests that carry a short time-out
     */
    record Traffic(
            int clients,
            int openWishes,
            int wishes,
            int maxThinkNanos,
            int maxTravelNanos,
            int mostMessageNanos,
            int patienceNanos,
            int maxSends,
            int hurryPercent) {}

    /**
     * Changes of the catalog and of the clock.
     *
     * @param catalogChanges while the clients run
     * @param maxPauseNanos between one change of the catalog and the next
     * @param clockJumps of the node's wall clock, back and forth
     * @param mostJumpMicros by which it jumps at most
     */
    record Disturbances(int catalogChanges, int maxPauseNanos, int clockJumps, int mostJumpMicros) {}

    /**
     * The work of partitions.
     *
     * @param recording whether partitions behave as with a log that keeps commits
     * @param sliceRows of a snapshot that are read before others have their turn
     * @param versionBytes that a partition keeps for readers of snapshots
     * @param longStepOneIn how often a site falls behind the others
     */
    record Execution(boolean recording, int sliceRows, long versionBytes, int longStepOneIn) {}

    private static final long UNDO_BYTES = 1 << 26;
    private static final int CACHED_STATEMENTS = 100;
    private static final int REMEMBERED_CLIENTS = 100;
    private static final long SLICE_NANOS = 50_000;
    /**
     * After a jump back, partitions count on from where each of them was: the clock does not keep them together any
     * more.
     */
    private static final int MOST_CLOCK_JUMPS = 20;

    private static final int MANY_CLOCK_JUMPS = 800;
    private static final int MANY_JUMP_MICROS = 1_000_000;
    private static final int FEW_JUMP_MICROS = 60;
    private static final int SOME_JUMP_MICROS = 400;
    private static final int FEW_VERSION_BYTES = 1 << 11;
    private static final int ROOMY = 10_000;
    private static final int MICRO = 1_000;
    private static final int MILLI = 1_000_000;
    private static final int[] PATIENCE_NANOS = {50 * MICRO, 300 * MICRO, 2 * MILLI, 50 * MILLI};

    /** Draws one of four kinds. */
    static Scenario draw(RandomSource random) {
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> crowded(random);
            case 3, 4, 5 -> varied(random);
            case 6, 7 -> dawdling(random);
            default -> drifting(random);
        };
    }

    /**
     * Draws a run in which the clocks of partitions drift apart, and sites are quick beside the messages of
     * coordinators. While a message to one partition is under way, much happens on all others, most of it on one of
     * them only.
     */
    private static Scenario dawdling(RandomSource random) {
        int partitions = 4 + random.nextInt(3);
        Mix mix = new Mix(
                partitions,
                2 + random.nextInt(4),
                20 + random.nextInt(100),
                2,
                2,
                75 + random.nextInt(20),
                0,
                random.nextInt(5),
                random.nextInt(5),
                random.nextInt(3),
                25 + random.nextInt(20),
                random.nextInt(3),
                random.nextInt(30));
        boolean trembling = random.nextInt(2) == 0;
        return new Scenario(
                new Shape(partitions, partitions, true, 1, ROOMY, ROOMY),
                new Traffic(
                        6 + random.nextInt(5),
                        3 + random.nextInt(4),
                        50,
                        5 * MICRO,
                        2 * MICRO,
                        300 * MICRO + random.nextInt(MILLI),
                        100 * MILLI,
                        3,
                        0),
                new Disturbances(
                        0,
                        MILLI,
                        trembling ? MANY_CLOCK_JUMPS : 1 + random.nextInt(MOST_CLOCK_JUMPS),
                        trembling ? tremblingMicros(random) : MANY_JUMP_MICROS),
                new Execution(random.nextInt(2) == 0, 1 + random.nextInt(4), UNDO_BYTES, 20 + random.nextInt(20)),
                mix);
    }

    private static int tremblingMicros(RandomSource random) {
        return random.nextInt(2) == 0 ? FEW_JUMP_MICROS : SOME_JUMP_MICROS;
    }

    /**
     * Draws a run in which the clocks of partitions drift apart, for that of the node goes back all the time. Many
     * clients read several partitions at once. Other clients, as soon as they have heard of a commit on one partition,
     * write on partitions that those readers have not reached.
     */
    private static Scenario drifting(RandomSource random) {
        int partitions = 2 + random.nextInt(3);
        int keys = partitions + random.nextInt(3);
        boolean trembling = random.nextInt(2) == 0;
        Mix mix = new Mix(
                keys,
                2 + random.nextInt(4),
                20 + random.nextInt(100),
                2,
                2,
                40 + random.nextInt(50),
                random.nextInt(10),
                random.nextInt(5),
                random.nextInt(5),
                random.nextInt(10),
                15 + random.nextInt(25),
                5 + random.nextInt(15),
                random.nextInt(30));
        return new Scenario(
                new Shape(partitions, partitions, true, 1, ROOMY, ROOMY),
                new Traffic(
                        4 + random.nextInt(6),
                        1 + random.nextInt(5),
                        40,
                        5 * MICRO,
                        2 * MICRO,
                        random.nextInt(4) == 0 ? 0 : 200 * MICRO,
                        100 * MILLI,
                        3,
                        0),
                new Disturbances(
                        0,
                        MILLI,
                        trembling ? MANY_CLOCK_JUMPS : 1 + random.nextInt(MOST_CLOCK_JUMPS),
                        trembling ? tremblingMicros(random) : MANY_JUMP_MICROS),
                new Execution(random.nextInt(2) == 0, 1 + random.nextInt(4), UNDO_BYTES, 2 + random.nextInt(6)),
                mix);
    }

    private static Scenario crowded(RandomSource random) {
        int partitions = 3 + random.nextInt(2);
        int keys = partitions + random.nextInt(3);
        Mix mix = new Mix(
                keys,
                2 + random.nextInt(4),
                20 + random.nextInt(100),
                3,
                3,
                35 + random.nextInt(45),
                random.nextInt(10),
                random.nextInt(10),
                random.nextInt(20),
                random.nextInt(40),
                random.nextInt(5),
                random.nextInt(25),
                random.nextInt(70));
        return new Scenario(
                new Shape(partitions, partitions, true, 1 + random.nextInt(2), ROOMY, ROOMY),
                new Traffic(
                        6 + random.nextInt(5),
                        4 + random.nextInt(5),
                        40,
                        20 * MICRO,
                        5 * MICRO,
                        random.nextInt(4) == 0 ? 0 : 200 * MICRO,
                        random.nextInt(2) == 0 ? 20 * MILLI : 100 * MILLI,
                        3,
                        0),
                new Disturbances(
                        random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 0,
                        100 * MICRO,
                        random.nextInt(2) == 0 ? 1 + random.nextInt(MOST_CLOCK_JUMPS) : 0,
                        MANY_JUMP_MICROS),
                new Execution(
                        random.nextInt(2) == 0, 1 + random.nextInt(4), versionBytes(random), 2 + random.nextInt(2)),
                mix);
    }

    private static Scenario varied(RandomSource random) {
        int partitions = 1 + random.nextInt(6);
        boolean scarce = random.nextInt(6) == 0;
        int keys = 2 + random.nextInt(9);
        Mix mix = new Mix(
                keys,
                2 + random.nextInt(8),
                20 + random.nextInt(100),
                1 + random.nextInt(3),
                1 + random.nextInt(3),
                20 + random.nextInt(70),
                random.nextInt(60),
                random.nextInt(20),
                random.nextInt(30),
                random.nextInt(40),
                random.nextInt(15),
                random.nextInt(30),
                random.nextInt(70));
        return new Scenario(
                new Shape(
                        partitions,
                        1 + random.nextInt(partitions),
                        keys >= partitions && random.nextInt(4) != 0,
                        1 + random.nextInt(8),
                        scarce ? 2 + random.nextInt(10) : ROOMY,
                        scarce ? 1 + random.nextInt(4) : ROOMY),
                new Traffic(
                        2 + random.nextInt(6),
                        1 + random.nextInt(4),
                        20 + random.nextInt(60),
                        random.nextInt(3) == 0 ? MILLI : 20 * MICRO,
                        random.nextInt(2) == 0 ? MICRO : 200 * MICRO,
                        0,
                        PATIENCE_NANOS[random.nextInt(PATIENCE_NANOS.length)],
                        2 + random.nextInt(4),
                        random.nextInt(4) == 0 ? 20 : 0),
                new Disturbances(
                        random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 0,
                        random.nextInt(2) == 0 ? 100 * MICRO : MILLI,
                        random.nextInt(2) == 0 ? 1 + random.nextInt(MOST_CLOCK_JUMPS) : 0,
                        MANY_JUMP_MICROS),
                new Execution(
                        random.nextInt(2) == 0, 1 + random.nextInt(20), versionBytes(random), 2 + random.nextInt(30)),
                mix);
    }

    /** Enough, but for one run in four. */
    private static long versionBytes(RandomSource random) {
        return random.nextInt(4) == 0 ? FEW_VERSION_BYTES + random.nextInt(FEW_VERSION_BYTES) : UNDO_BYTES;
    }

    DatabaseConfiguration configuration() {
        return new DatabaseConfiguration(
                shape.ranges() ? ranges(shape.partitions(), mix.keys()) : PartitionPlan.hash(shape.partitions()),
                shape.sites(),
                shape.buckets(),
                shape.queueCapacity(),
                shape.distributedCapacity(),
                UNDO_BYTES,
                execution.versionBytes(),
                CallLimits.DEFAULT.withSlices(new SliceLimits(SLICE_NANOS, execution.sliceRows())),
                LoadingLimits.DEFAULT,
                CACHED_STATEMENTS,
                PlanningQueue.USUAL_CAPACITY,
                REMEMBERED_CLIENTS,
                false);
    }

    private static PartitionPlan ranges(int partitions, int keys) {
        long[] firstKeys = new long[partitions];
        for (int i = 0; i < partitions; i++) {
            firstKeys[i] = 1 + (long) keys * i / partitions;
        }
        return PartitionPlan.ranges(firstKeys);
    }
}
