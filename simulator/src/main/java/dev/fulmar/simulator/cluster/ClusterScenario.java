package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.DatabaseConfiguration;
import dev.fulmar.coordinator.cluster.MemberSettings;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.membership.detection.DetectionSettings;
import dev.fulmar.coordinator.participation.ParticipationSettings;
import dev.fulmar.coordinator.replication.PrimaryReplication;
import dev.fulmar.coordinator.replication.building.BuildSettings;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.workload.Mix;

/**
 * Scenario of a cluster's run, without its faults.
 *
 * @param copies of each partition, k + 1
 * @param quick whether nodes suspect each other after a third of the usual time
 * @param small whether groups, chunks and what is kept for others are so small that limits are met all the time
 * @param retainedBytes of records that are kept for the copies of a partition, where limits are small
 * @param mostClockErrorMicros by which a machine's clock is wrong from the beginning, in each direction
 * @param maxThinkNanos between an answer and the client's next request
 * @param maxTravelNanos of a message between a client and a node
 * @param patienceNanos of a client, until it asks another node
 * @param mostForceNanos of a disk in order
 * @param mix what clients ask for
 * @param generation values after which clients go on with other lists
 * @param echoOneIn after one wish in so many a client asks again for what it was told long ago; never if 0
 * @param changers clients that change the catalog
 * @param maxChangePauseNanos of such a client, between two changes
 * @param isSteered whether {@link Manoeuvres} are carried out in it; then nodes suspect each other so soon that another
 *     one leads within the time of a transaction
 * @param movesKeys whether keys are moved between partitions meanwhile
 */
record ClusterScenario(
        int nodes,
        int copies,
        int partitions,
        int sites,
        DurabilityMode mode,
        boolean quick,
        boolean small,
        int retainedBytes,
        int mostClockErrorMicros,
        int clients,
        int maxThinkNanos,
        int maxTravelNanos,
        long patienceNanos,
        int mostForceNanos,
        Mix mix,
        int generation,
        int echoOneIn,
        int changers,
        int maxChangePauseNanos,
        boolean isSteered,
        boolean movesKeys) {
    private static final int MILLI = 1_000_000;
    private static final int BALANCE = 1_000;
    private static final int USUAL_RETAINED_BYTES = 1 << 20;
    private static final int LEAST_RETAINED_BYTES = 1 << 13;
    private static final int SMALL_CHUNK_BYTES = 2_000;

    /** Images of steered runs are small; they too are to come in many pieces. */
    private static final int LEAST_CHUNK_BYTES = 200;

    /** Factor by which nodes of a steered run suspect each other sooner than usual. */
    private static final int HASTE = 8;

    /** @param changesCatalog whether there are clients that change the catalog */
    static ClusterScenario draw(RandomSource random, boolean changesCatalog) {
        int nodes = oneIn(random, 4) ? 4 + random.nextInt(2) : 3;
        int copies = oneIn(random, 4) ? 3 : 2;
        int partitions = 2 + random.nextInt(4);
        int clients = 4 + random.nextInt(5);
        return new ClusterScenario(
                nodes,
                copies,
                partitions,
                1 + random.nextInt(partitions),
                modeOf(random.nextInt(10)),
                random.nextInt(2) == 0,
                oneIn(random, 3),
                USUAL_RETAINED_BYTES,
                0,
                clients,
                clients * (4 + random.nextInt(6)) * MILLI,
                MILLI / 10 + random.nextInt(2 * MILLI),
                (500L + random.nextInt(2_500)) * MILLI,
                10_000 + random.nextInt(oneIn(random, 4) ? 5 * MILLI : MILLI / 5),
                mix(random),
                40 + random.nextInt(300),
                oneIn(random, 3) ? 0 : 3 + random.nextInt(12),
                changesCatalog ? 1 + random.nextInt(2) : 0,
                (100 + random.nextInt(1_500)) * MILLI,
                false,
                false);
    }

    /**
     * A small one in which all is quick, so that much comes together in a short run.
     *
     * @param shape of what goes wrong in it
     */
    static ClusterScenario drawSteered(RandomSource random, Theme theme, Shape shape) {
        boolean changesCatalog = theme == Theme.CATALOG;
        int partitions = 3 + random.nextInt(2);
        int clients = (changesCatalog ? 3 : 6) + random.nextInt(6);
        return new ClusterScenario(
                3,
                oneIn(random, 2) ? 3 : 2,
                partitions,
                1 + random.nextInt(partitions),
                steeredMode(random, shape),
                true,
                shape.leavesBehind() || random.nextInt(2) == 0,
                shape.leavesBehind() ? LEAST_RETAINED_BYTES : USUAL_RETAINED_BYTES,
                clockErrorMicros(random),
                clients,
                clients * (1 + random.nextInt(4)) * MILLI,
                MILLI / 10 + random.nextInt(MILLI),
                (40L + random.nextInt(400)) * MILLI,
                10_000 + random.nextInt(oneIn(random, 3) ? 3 * MILLI : MILLI / 5),
                steeredMix(random),
                40 + random.nextInt(300),
                2 + random.nextInt(8),
                changesCatalog ? 1 + random.nextInt(2) : 0,
                (150 + random.nextInt(700)) * MILLI,
                true,
                theme == Theme.MOVES);
    }

    /** The same, where keys are moved between partitions meanwhile. */
    ClusterScenario movingKeys() {
        return new ClusterScenario(
                nodes,
                copies,
                partitions,
                sites,
                mode,
                quick,
                small,
                retainedBytes,
                mostClockErrorMicros,
                clients,
                maxThinkNanos,
                maxTravelNanos,
                patienceNanos,
                mostForceNanos,
                mix,
                generation,
                echoOneIn,
                changers,
                maxChangePauseNanos,
                isSteered,
                true);
    }

    /** None, less than a fail-over takes, or more. */
    private static int clockErrorMicros(RandomSource random) {
        return switch (random.nextInt(4)) {
            case 0 -> 20_000;
            case 1 -> 1_000_000;
            default -> 0;
        };
    }

    private static DurabilityMode steeredMode(RandomSource random, Shape shape) {
        DurabilityMode mode = modeOf(random.nextInt(shape.needsDisks() ? 8 : 10));
        return shape.losesWhatIsConfirmed() && !oneIn(random, 3) ? DurabilityMode.ASYNC : mode;
    }

    private static Mix steeredMix(RandomSource random) {
        int keys = 5 + random.nextInt(7);
        boolean isWide = random.nextInt(2) == 0;
        return new Mix(
                keys,
                keys,
                BALANCE,
                3,
                isWide ? 6 : 3,
                random.nextInt(50),
                random.nextInt(20),
                3,
                10,
                10 + random.nextInt(40),
                8,
                random.nextInt(10),
                random.nextInt(80));
    }

    private static boolean oneIn(RandomSource random, int count) {
        return random.nextInt(count) == 0;
    }

    private static DurabilityMode modeOf(int choice) {
        return choice < 6 ? DurabilityMode.SYNC : choice < 8 ? DurabilityMode.ASYNC : DurabilityMode.NONE;
    }

    /** A quarter of the runs has no transaction over several partitions, another quarter has wide ones. */
    private static Mix mix(RandomSource random) {
        int keys = 3 + random.nextInt(10);
        int kind = random.nextInt(4);
        if (kind == 1) {
            return new Mix(
                    keys,
                    keys,
                    BALANCE,
                    2,
                    6,
                    20 + random.nextInt(50),
                    0,
                    3,
                    5,
                    10,
                    5,
                    random.nextInt(4),
                    random.nextInt(60));
        }
        return kind == 0
                ? new Mix(keys, keys, BALANCE, 2, 2, 100, 0, 3, 10, 0, 12, 0, 0)
                : new Mix(
                        keys,
                        keys,
                        BALANCE,
                        3,
                        3,
                        40 + random.nextInt(55),
                        random.nextInt(20),
                        3,
                        10,
                        10 + random.nextInt(30),
                        8,
                        random.nextInt(6),
                        random.nextInt(60));
    }

    /** Whether transactions touch several partitions. */
    boolean joinsPartitions() {
        return mix.singlePercent() < 100;
    }

    /**
     * Whether a procedure is called that does something else at each copy. Where logs are on disk no process would
     * start again that finds a call of it there.
     */
    boolean wanders() {
        return mode == DurabilityMode.NONE && (changers > 0 || isSteered);
    }

    DatabaseConfiguration configuration() {
        return DatabaseConfiguration.of(partitions, sites);
    }

    ParticipationSettings participation() {
        MemberSettings usual = MemberSettings.DEFAULTS;
        DetectionSettings detection = usual.detection();
        MemberSettings member = !quick
                ? usual
                : new MemberSettings(
                        new DetectionSettings(
                                detection.intervalNanos() / (isSteered ? HASTE : 2),
                                detection.patienceNanos() / (isSteered ? HASTE : 3),
                                detection.brokenPatienceNanos() / (isSteered ? HASTE : 2)),
                        usual.periodNanos() / (isSteered ? 4 : 1),
                        usual.retryNanos() / (isSteered ? HASTE : 3),
                        usual.candidacyNanos() / (isSteered ? 4 : 1),
                        usual.foundingNanos(),
                        usual.returnNanos() / (isSteered ? HASTE : 4));
        ParticipationSettings defaults = ParticipationSettings.DEFAULTS;
        return small
                ? new ParticipationSettings(
                        member,
                        new PrimaryReplication.Limits(50, 3, 20, 500L * MILLI),
                        retainedBytes,
                        versionBytes -> new BuildSettings(
                                isSteered ? LEAST_CHUNK_BYTES : SMALL_CHUNK_BYTES,
                                2,
                                200L * MILLI,
                                2_000L * MILLI,
                                1 << 16),
                        50 * MILLI)
                : new ParticipationSettings(
                        member,
                        defaults.limits(),
                        defaults.retainedBytes(),
                        defaults.builds(),
                        defaults.buildPeriodNanos());
    }
}
