package dev.fulmar.simulator.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Common knowledge of a run's clients about the catalog: whether each thing that they asked for exists. Each name is
 * made once.
 */
final class CatalogKnowledge {
    private final Map<String, Presence> presences = new TreeMap<>();
    private final List<ChangingTable> tables = new ArrayList<>();
    private boolean isFull;

    private enum Presence {
        THERE,
        ABSENT,
        /** Its making or dropping is under way, or its outcome is unknown. */
        UNKNOWN
    }

    /** Names that a change is about to make and to drop. */
    final class Change {
        private final List<String> made;
        private final List<String> dropped;
        private final Map<String, Presence> before = new HashMap<>();

        private Change(Collection<String> made, Collection<String> dropped) {
            this.made = List.copyOf(made);
            this.dropped = List.copyOf(dropped);
            for (String name : this.made) {
                before.put(name, Presence.ABSENT);
            }
            for (String name : this.dropped) {
                before.put(name, presences.getOrDefault(name, Presence.UNKNOWN));
            }
            before.keySet().forEach(name -> presences.put(name, Presence.UNKNOWN));
        }

        /** It was acknowledged. */
        void done() {
            made.forEach(name -> presences.put(name, Presence.THERE));
            dropped.forEach(name -> presences.put(name, Presence.ABSENT));
        }

        /** It certainly had no effect. */
        void refused() {
            presences.putAll(before);
        }
    }

    /** Begins a change; its outcome is unknown until it is said to be done or refused. */
    Change begin(Collection<String> made, Collection<String> dropped) {
        return new Change(made, dropped);
    }

    /**
     * A change was refused for there is no room for any: what a statement that ended has left behind is not dropped
     * either.
     */
    void catalogIsFull() {
        isFull = true;
    }

    boolean isFull() {
        return isFull;
    }

    void add(ChangingTable table) {
        tables.add(table);
    }

    /** Tables that clients asked for. */
    List<ChangingTable> tables() {
        return tables;
    }

    boolean isThere(String name) {
        return presences.get(name) == Presence.THERE;
    }

    /**
     * Contradictions between a catalog and this knowledge.
     *
     * @param before names that were there before the first change
     */
    List<String> contradictions(SortedSet<String> before, SortedSet<String> found) {
        List<String> wrong = new ArrayList<>();
        for (String name : before) {
            if (!found.contains(name)) {
                wrong.add(name + " is gone, which nobody dropped");
            }
        }
        presences.forEach((name, presence) -> {
            if (presence == Presence.THERE && !found.contains(name)) {
                wrong.add(name + " was acknowledged and is not there");
            } else if (presence == Presence.ABSENT && found.contains(name)) {
                wrong.add(name + " is there, which was refused or dropped");
            }
        });
        TreeSet<String> others = new TreeSet<>(found);
        others.removeAll(before);
        others.removeAll(presences.keySet());
        others.forEach(name -> wrong.add(name + " is there, which nobody made"));
        return wrong;
    }
}
