package dev.fulmar.reconfig.move;

import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.spi.Presence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Holds single-partition transactions up that need keys of a bucket while it is handed over. A call also waits if it
 * was routed by such a key: no request commits whose outcome the other partition would lack. Others go on. Transactions
 * over several partitions pass, for the hand-off waits for their locks; a change of theirs makes it come too early. For
 * the partition's thread.
 */
final class FrozenData implements DataAccess {
    /** The last position of each range, by its first one, of each space. */
    private final Map<KeySpace, TreeMap<Long, Long>> frozen = new TreeMap<>();

    private final List<Runnable> waiting = new ArrayList<>();
    private boolean isThawed;

    /** @param ranges of the bucket, which do not overlap */
    FrozenData(List<KeyRange> ranges) {
        ranges.forEach(range ->
                frozen.computeIfAbsent(range.space(), space -> new TreeMap<>()).put(range.first(), range.last()));
    }

    @Override
    public Presence ofKey(KeySpace space, long position) {
        return isThawed || !isFrozen(space, position) ? Presence.PRESENT : new Presence.Absent(this::hold);
    }

    private boolean isFrozen(KeySpace space, long position) {
        TreeMap<Long, Long> ranges = frozen.get(space);
        Map.Entry<Long, Long> range = ranges == null ? null : ranges.floorEntry(position);
        return range != null && position <= range.getValue();
    }

    @Override
    public Presence ofAll() {
        return isThawed ? Presence.PRESENT : new Presence.Absent(this::hold);
    }

    @Override
    public boolean guardsFragments() {
        return false;
    }

    @Override
    public boolean guardsRoutes() {
        return !isThawed;
    }

    private void hold(Runnable resume) {
        if (isThawed) {
            resume.run();
        } else {
            waiting.add(resume);
        }
    }

    /** From now on nothing is held up, and what was goes on. */
    void thaw() {
        isThawed = true;
        waiting.forEach(Runnable::run);
        waiting.clear();
    }
}
