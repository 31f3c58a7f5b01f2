package dev.fulmar.pmemlog.log;

import dev.fulmar.pmemlog.segment.StreamEnd;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The streams of an operation log: the lanes of those that have an owner, and the ends of the others. A stream is the
 * records of one partition, of the catalog, or of a session of the object store.
 *
 * @param lanes of those that have an owner; never changed
 * @param others where those without an owner stand; never changed
 */
record StreamTable(PartitionLogBuffer[] lanes, SortedMap<Integer, StreamEnd> others) {
    int streamCount() {
        return lanes.length + others.size();
    }

    boolean hasLane(int stream) {
        return Arrays.stream(lanes).anyMatch(lane -> lane.stream() == stream);
    }

    StreamTable with(PartitionLogBuffer lane) {
        PartitionLogBuffer[] more = Arrays.copyOf(lanes, lanes.length + 1);
        more[lanes.length] = lane;
        SortedMap<Integer, StreamEnd> fewer = new TreeMap<>(others);
        fewer.remove(lane.stream());
        return new StreamTable(more, fewer);
    }

    /** End of every stream in the groups. */
    SortedMap<Integer, StreamEnd> ends() {
        SortedMap<Integer, StreamEnd> ends = new TreeMap<>(others);
        for (PartitionLogBuffer lane : lanes) {
            ends.put(lane.stream(), lane.drainedEnd());
        }
        return ends;
    }
}
