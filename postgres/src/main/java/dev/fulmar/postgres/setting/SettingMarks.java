package dev.fulmar.postgres.setting;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The savepoints of a transaction, with what its settings were there. Several may have one name, of which the last one
 * counts. Not thread-safe.
 */
final class SettingMarks {
    /**
     * A savepoint.
     *
     * @param local values that SET LOCAL hides there
     * @param changed values that have changed since, and before the next savepoint, as they were there
     */
    record Mark(String name, Map<String, String> local, Map<String, String> changed) {}

    private final List<Mark> marks = new ArrayList<>();

    /** Sets a savepoint; the map must stay as it is. */
    void set(String name, Map<String, String> local) {
        marks.add(new Mark(name, local, new TreeMap<>()));
    }

    /** A value changes, which was another one before. */
    void changes(String key, String earlier) {
        if (!marks.isEmpty()) {
            marks.getLast().changed().putIfAbsent(key, earlier);
        }
    }

    /** Forgets the savepoint and all behind it; what has changed since has changed since the one before it. */
    void release(String name) {
        int place = last(name);
        if (place < 0) {
            return;
        }
        Mark released = merged(place);
        marks.removeLast();
        released.changed().forEach(this::changes);
    }

    /** Forgets all savepoints behind that one, which has their changes now; null if there is none of the name. */
    @Nullable Mark backTo(String name) {
        int place = last(name);
        return place < 0 ? null : merged(place);
    }

    private Mark merged(int place) {
        Mark mark = marks.get(place);
        List<Mark> behind = marks.subList(place + 1, marks.size());
        behind.forEach(later -> later.changed().forEach(mark.changed()::putIfAbsent));
        behind.clear();
        return mark;
    }

    private int last(String name) {
        int place = marks.size() - 1;
        while (place >= 0 && !marks.get(place).name().equals(name)) {
            place--;
        }
        return place;
    }

    void clear() {
        marks.clear();
    }
}
