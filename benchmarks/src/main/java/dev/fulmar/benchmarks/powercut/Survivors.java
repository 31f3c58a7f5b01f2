package dev.fulmar.benchmarks.powercut;

import java.util.SplittableRandom;

/** Chooses the unforced bytes and names that survive one cut. One thread. */
public final class Survivors {
    private static final int PERCENT = 100;

    private final SplittableRandom random;
    private final int percent;
    private final boolean wholePages;

    private Survivors(SplittableRandom random, int percent, boolean wholePages) {
        this.random = random;
        this.percent = percent;
        this.wholePages = wholePages;
    }

    /**
     * Nothing survives in two of five cuts, everything in one of ten, otherwise single pages or single sectors do by
     * chance.
     */
    public static Survivors draw(SplittableRandom random) {
        int kind = random.nextInt(10);
        int percent = kind < 4 ? 0 : kind == 4 ? PERCENT : 1 + random.nextInt(PERCENT - 1);
        return new Survivors(random, percent, random.nextBoolean());
    }

    /** Nothing that was not forced survives. */
    public static Survivors none() {
        return new Survivors(new SplittableRandom(0), 0, true);
    }

    /** Everything survives, as after the end of a process. */
    public static Survivors all() {
        return new Survivors(new SplittableRandom(0), PERCENT, true);
    }

    boolean chance() {
        return random.nextInt(PERCENT) < percent;
    }

    /** The dirty sectors of a page that survive, a bit for each. */
    int ofSectors(int dirty) {
        if (wholePages) {
            return chance() ? dirty : 0;
        }
        int surviving = 0;
        for (int bit = dirty; bit != 0; bit &= bit - 1) {
            if (chance()) {
                surviving |= Integer.lowestOneBit(bit);
            }
        }
        return surviving;
    }

    /** Number of the unforced changes of a directory that survive; it is always the first ones. */
    int ofChanges(int count) {
        int surviving = 0;
        while (surviving < count && chance()) {
            surviving++;
        }
        return surviving;
    }
}
