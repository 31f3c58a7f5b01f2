package dev.fulmar.coordinator.door;

import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.spi.Presence;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A guard that says of some integer keys that their rows are not here, or have moved. One thread. */
public final class AbsentKeys implements DataAccess {
    private final Set<Long> away = new TreeSet<>();
    private final Set<Long> moved = new TreeSet<>();
    private final List<Runnable> fetches = new ArrayList<>();
    private int questions;
    private boolean guardsRoutes;

    @Override
    public Presence ofKey(KeySpace space, long position) {
        questions++;
        if (space == KeySpace.INTEGER && moved.contains(position)) {
            return new Presence.Moved();
        }
        return space == KeySpace.INTEGER && away.contains(position)
                ? new Presence.Absent(fetches::add)
                : Presence.PRESENT;
    }

    @Override
    public Presence ofAll() {
        questions++;
        return away.isEmpty() ? Presence.PRESENT : new Presence.Absent(fetches::add);
    }

    @Override
    public boolean guardsRoutes() {
        return guardsRoutes;
    }

    /** From now on also calls that are routed by a key need it. */
    public void guardRoutes() {
        guardsRoutes = true;
    }

    public void takeAway(long key) {
        away.add(key);
    }

    /** The key's rows are here, and what waited for them goes on. */
    public void arrive(long key) {
        away.remove(key);
        List<Runnable> resumed = List.copyOf(fetches);
        fetches.clear();
        resumed.forEach(Runnable::run);
    }

    public void move(long key) {
        moved.add(key);
    }

    public void forgetMoved() {
        moved.clear();
    }

    public int questions() {
        return questions;
    }
}
