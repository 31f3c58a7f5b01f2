package dev.fulmar.simulator.workload;

import dev.fulmar.foundation.random.RandomSource;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** Draws wishes. One thread; many sources share the counter of values. */
public final class WishSource {
    private static final int PERCENT = 100;
    private static final int ANEW_PERCENT = 30;
    private static final int MOST_KEYS_READ = 2;

    private final Mix mix;
    private final RandomSource random;
    private final AtomicLong lastValue;
    private final int generation;

    /** @param lastValue the highest value that was appended so far, by anybody */
    public WishSource(Mix mix, RandomSource random, AtomicLong lastValue) {
        this(mix, random, lastValue, 0);
    }

    /**
     * For long runs, in which lists would become too long.
     *
     * @param generation values after which all go on with other lists; 0 for never
     */
    public WishSource(Mix mix, RandomSource random, AtomicLong lastValue, int generation) {
        this.mix = mix;
        this.random = random;
        this.lastValue = lastValue;
        this.generation = generation;
    }

    /** The highest key of a list that is appended to until the value is reached. */
    public static long listsUntil(Mix mix, int generation, long value) {
        return generation == 0 ? mix.keys() : (value / generation + 1) * mix.keys();
    }

    /** Greatest key below those of the lists in use. */
    private long base() {
        return listsUntil(mix, generation, lastValue.get()) - mix.keys();
    }

    /** The next wish. */
    public Wish next() {
        int kind = random.nextInt(PERCENT);
        if (kind < mix.statementPercent()) {
            return statement();
        }
        int others = kind - mix.statementPercent();
        if (others < mix.transferPercent()) {
            return transfer();
        }
        return others < mix.transferPercent() + mix.observePercent() ? observe() : transact();
    }

    private Wish statement() {
        if (mix.singlePercent() == PERCENT && mix.strayPercent() == 0) {
            return new Wish.ReadList(key());
        }
        return switch (random.nextInt(9)) {
            case 0 ->
                generation == 0
                        ? new Wish.ReadAllLists(mix.keys(), chance(mix.snapshotPercent()))
                        : new Wish.ReadSomeLists(someKeys(), chance(mix.snapshotPercent()));
            case 1 -> new Wish.Audit(mix.accounts(), mix.accounts() * mix.balance(), chance(mix.snapshotPercent()));
            case 2 -> new Wish.IndexAudit(random.nextInt(2) == 0, mix.accounts(), chance(mix.snapshotPercent()));
            case 3, 4, 5, 6 -> new Wish.ReadSomeLists(someKeys(), chance(mix.snapshotPercent()));
            default -> new Wish.ReadList(key());
        };
    }

    private Wish observe() {
        long[] keys = new long[mix.keys()];
        for (int i = 0; i < keys.length; i++) {
            int place = random.nextInt(i + 1);
            keys[i] = keys[place];
            keys[place] = base() + i + 1;
        }
        int split = random.nextInt(keys.length) + 1;
        return new Wish.Observe(
                Arrays.copyOf(keys, split),
                Arrays.copyOfRange(keys, split, keys.length),
                mix.accounts(),
                mix.accounts() * mix.balance(),
                chance(mix.snapshotPercent()));
    }

    private Wish transfer() {
        long from = 1L + random.nextInt(mix.accounts());
        long to = 1 + (from + random.nextInt(mix.accounts() - 1)) % mix.accounts();
        return new Wish.Transfer(
                chance(mix.singlePercent()), from, to, random.nextInt((int) mix.balance()), chance(ANEW_PERCENT));
    }

    private Wish transact() {
        boolean single = chance(mix.singlePercent());
        boolean anywhere = !single || chance(mix.strayPercent());
        long first = key();
        int keys = anywhere ? mix.keys() : 1;
        int appends = random.nextInt(Math.min(keys, mix.maxAppends()) + 1);
        int reads = appends == 0
                ? 1 + random.nextInt(Math.min(keys, mix.maxReads()))
                : random.nextInt(Math.min(keys, mix.maxReads()) + 1);
        long[] values = new long[appends];
        for (int i = 0; i < appends; i++) {
            values[i] = lastValue.incrementAndGet();
        }
        return new Wish.Transact(
                single,
                first,
                distinctKeys(first, reads, anywhere),
                distinctKeys(first, appends, anywhere),
                values,
                chance(mix.stumblePercent()),
                chance(mix.rollBackPercent()));
    }

    private long[] someKeys() {
        int most = Math.min(mix.keys(), MOST_KEYS_READ);
        return distinctKeys(0, Math.min(mix.keys(), 2 + random.nextInt(most)), true);
    }

    /** So many different keys; the first one alone unless they may be any. */
    private long[] distinctKeys(long first, int count, boolean anywhere) {
        long[] keys = new long[count];
        for (int i = 0; i < count; i++) {
            do {
                keys[i] = anywhere ? key() : first;
            } while (contains(keys, i, keys[i]));
        }
        return keys;
    }

    private static boolean contains(long[] keys, int count, long key) {
        for (int i = 0; i < count; i++) {
            if (keys[i] == key) {
                return true;
            }
        }
        return false;
    }

    private long key() {
        return base() + 1 + random.nextInt(mix.keys());
    }

    private boolean chance(int percent) {
        return random.nextInt(PERCENT) < percent;
    }
}
