package dev.fulmar.engine.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A tiny store with undo, in place of tables. */
final class KeyValues implements UndoPort {
    private record Change(String key, @Nullable Long before) {}

    final TreeMap<String, Long> values = new TreeMap<>();
    /** Commit timestamps by key. */
    final TreeMap<String, Long> stamps = new TreeMap<>();

    private final List<Change> changes = new ArrayList<>();
    private long committed;

    @Nullable RuntimeException undoFailure;

    void put(String key, long value) {
        changes.add(new Change(key, values.put(key, value)));
    }

    long get(String key) {
        return values.getOrDefault(key, 0L);
    }

    @Override
    public long position() {
        return committed + changes.size();
    }

    @Override
    public void undoTo(long position) {
        if (undoFailure != null) {
            throw undoFailure;
        }
        while (position() > position) {
            Change change = changes.removeLast();
            if (change.before() == null) {
                values.remove(change.key());
            } else {
                values.put(change.key(), change.before());
            }
        }
    }

    @Override
    public void commitTo(long position, long commitTimestamp) {
        while (committed < position) {
            stamps.put(changes.removeFirst().key(), commitTimestamp);
            committed++;
        }
    }

    Map<String, Long> uncommitted() {
        TreeMap<String, Long> open = new TreeMap<>();
        for (Change change : changes) {
            open.put(change.key(), get(change.key()));
        }
        return open;
    }
}
