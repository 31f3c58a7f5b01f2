package dev.fulmar.reconfig.move;

import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.spi.Presence;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds all single-partition transactions of a partition up while one of its buckets is handed over. Those on other
 * keys too: no request commits whose outcome the other partition would lack. Transactions over several partitions pass,
 * for the hand-off waits for their locks; a change of theirs makes it come too early. For the partition's thread.
 */
final class FrozenData implements DataAccess {
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean isThawed;

    @Override
    public Presence ofKey(KeySpace space, long position) {
        return ofAll();
    }

    @Override
    public Presence ofAll() {
        return isThawed ? Presence.PRESENT : new Presence.Absent(this::hold);
    }

    @Override
    public boolean guardsFragments() {
        return false;
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
