package dev.fulmar.simulator.threads;

import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.workload.Mix;

/**
 * Setup of one round.
 *
 * @param clients threads, each with a connection of its own
 * @param wishes that each client has in all
 * @param hurryMillis time-out of the calls of impatient clients
 * @param impatientOneIn how many clients share one impatient one; 0 for none
 * @param breaksOneIn how many calls there are for one whose connection is closed under it; 0 for none
 * @param catalogChanges while the clients run
 * @param sessionPercent of the wishes that can be, are carried out statement by statement
 */
public record ThreadedSetup(
        int partitions,
        int sites,
        boolean ranges,
        int clients,
        int wishes,
        int hurryMillis,
        int impatientOneIn,
        int breaksOneIn,
        int catalogChanges,
        int sessionPercent,
        Mix mix) {
    private static final int MAX_PARTITIONS = 8;

    private static final int SESSION_PERCENT = 60;
    private static final int TRANSFER_PERCENT = 35;
    private static final int OBSERVE_PERCENT = 25;
    private static final int SNAPSHOT_PERCENT = 40;

    /** The same with transactions of many statements beside procedures. */
    ThreadedSetup withSessions() {
        return with(SESSION_PERCENT, mix);
    }

    private ThreadedSetup with(int otherSessionPercent, Mix otherMix) {
        return new ThreadedSetup(
                partitions,
                sites,
                ranges,
                clients,
                wishes,
                hurryMillis,
                impatientOneIn,
                breaksOneIn,
                catalogChanges,
                otherSessionPercent,
                otherMix);
    }

    /** The same with many who look at everything, beside many who move money. */
    ThreadedSetup withReaders() {
        Mix known = mix;
        return with(
                sessionPercent,
                new Mix(
                        known.keys(),
                        known.accounts(),
                        known.balance(),
                        known.maxReads(),
                        known.maxAppends(),
                        known.singlePercent(),
                        known.strayPercent(),
                        known.rollBackPercent(),
                        known.stumblePercent(),
                        TRANSFER_PERCENT,
                        known.statementPercent(),
                        OBSERVE_PERCENT,
                        SNAPSHOT_PERCENT));
    }

    /** Draws one: few keys and accounts, so that the clients meet. */
    public static ThreadedSetup draw(RandomSource random) {
        int partitions = 1 + random.nextInt(MAX_PARTITIONS);
        int keys = partitions + random.nextInt(6);
        Mix mix = new Mix(
                keys,
                2 + random.nextInt(6),
                20 + random.nextInt(100),
                3,
                3,
                30 + random.nextInt(60),
                random.nextInt(40),
                random.nextInt(15),
                random.nextInt(20),
                random.nextInt(40),
                random.nextInt(15),
                random.nextInt(25),
                random.nextInt(70));
        return new ThreadedSetup(
                partitions,
                1 + random.nextInt(Math.min(partitions, 3)),
                random.nextInt(3) != 0,
                4 + random.nextInt(5),
                100 + random.nextInt(100),
                1 + random.nextInt(5),
                random.nextInt(2) == 0 ? 3 : 0,
                random.nextInt(2) == 0 ? 50 : 0,
                random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 0,
                0,
                mix);
    }
}
