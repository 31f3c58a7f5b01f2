package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.check.Invariants;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Extents of the master heap that have no slots. One whose former slots the checkpoint log still speaks of gets no new
 * ones: a recovery would take the old entries for them. One thread.
 */
final class IdleExtents {
    /** Extents for each one without slots whose space the file keeps for rows to come. */
    private static final int EXTENTS_FOR_A_SPARE = 8;

    /** Of extents that had slots: how many of these the checkpoint log still has an entry for. */
    private final SortedMap<Integer, Integer> fading = new TreeMap<>();

    /** Extents that no entry is left for, once the segment that is written back is no more part of the log. */
    private final SortedSet<Integer> faded = new TreeSet<>();

    /** Extents whose space the file has, or may have. */
    private final BitSet kept = new BitSet();

    /** The extent has no slots any more; the checkpoint log has so many entries for those that it had. */
    void add(int extent, int entries) {
        kept.set(extent);
        if (entries > 0) {
            fading.merge(extent, entries, Integer::sum);
        }
    }

    /** The extent gets slots. */
    void remove(int extent) {
        kept.clear(extent);
    }

    /** Whether the checkpoint log has an entry for a slot that the extent had. */
    boolean isFading(int extent) {
        return fading.containsKey(extent) || faded.contains(extent);
    }

    /** Whether more of them wait for entries to go than have slots: the file would grow without end. */
    boolean isFadingMuch(int extentsInUse) {
        return fading.size() > extentsInUse;
    }

    /** After all extents that {@link #isFading} tells of. */
    int fadingLimit() {
        int last = fading.isEmpty() ? -1 : fading.lastKey();
        return 1 + Math.max(last, faded.isEmpty() ? -1 : faded.last());
    }

    /** While recovering: an entry for a slot that the extent had. */
    void entry(int extent) {
        fading.merge(extent, 1, Integer::sum);
    }

    /** One entry fewer for a slot that the extent had, once {@link #segmentGone}. */
    void entryGone(int extent) {
        int left = fading.merge(extent, -1, Integer::sum);
        Invariants.check(left >= 0, "an entry for a slot that an extent had is gone once");
        if (left == 0) {
            fading.remove(extent);
            faded.add(extent);
        }
    }

    /** No recovery reads the entries any more that are gone. */
    void segmentGone() {
        faded.clear();
    }

    /** The file has become so short. */
    void cut(int extentCount) {
        kept.clear(extentCount, Math.max(extentCount, kept.length()));
    }

    /** Extents without slots that a file is to keep when so many have some. */
    static int spare(int extentsInUse) {
        return Math.ceilDiv(extentsInUse, EXTENTS_FOR_A_SPARE);
    }

    /** Whether the file keeps the space of more extents than of so many. */
    boolean hasExcess(int spare) {
        return kept.cardinality() > spare;
    }

    /** The extents whose space is more than that of so many, the first ones of the file. They are not kept then. */
    BitSet takeExcess(int spare) {
        BitSet excess = (BitSet) kept.clone();
        int next = 0;
        for (int i = 0; i < spare && next >= 0; i++) {
            next = excess.nextSetBit(next);
            if (next >= 0) {
                excess.clear(next);
            }
        }
        kept.andNot(excess);
        return excess;
    }
}
