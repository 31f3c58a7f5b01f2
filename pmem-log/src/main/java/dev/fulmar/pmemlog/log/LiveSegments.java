package dev.fulmar.pmemlog.log;

import dev.fulmar.pmemlog.segment.SegmentHeader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Tracks a log's full segments, and frees them in order once no stream needs their records any more. */
final class LiveSegments {
    private final Deque<Live> full = new ArrayDeque<>();
    private final Map<Integer, Long> released = new ConcurrentHashMap<>();
    private final AtomicBoolean releasedMore = new AtomicBoolean();

    /**
     * @param lastSequences of each stream with records in the segment, the last sequence
     */
    private record Live(SegmentHeader header, SortedMap<Integer, Long> lastSequences) {}

    /** The segment is full. For the log's thread, as are all but {@link #release}. */
    void add(SegmentHeader header, SortedMap<Integer, Long> lastSequences) {
        full.add(new Live(header, lastSequences));
        releasedMore.set(true);
    }

    /** Number of the oldest, or the given one if there is none. */
    long first(long current) {
        Live oldest = full.peek();
        return oldest == null ? current : oldest.header.number();
    }

    int count() {
        return full.size();
    }

    /** Records of the stream up to the sequence are not needed. For any thread. */
    void release(int stream, long sequence) {
        released.merge(stream, sequence, Math::max);
        releasedMore.set(true);
    }

    /** The stream goes on behind the sequence, with a copy of which nothing has been released. For any thread. */
    void restart(int stream, long sequence) {
        released.put(stream, sequence - 1);
    }

    /**
     * Gives back segments that are not needed, as far as those before them are not needed either; returns their number.
     */
    int freeTo(SegmentSupply supply) {
        if (!releasedMore.get() || !releasedMore.getAndSet(false)) {
            return 0;
        }
        int count = 0;
        Live oldest = full.peek();
        while (oldest != null && isReleased(oldest)) {
            supply.free(full.remove().header);
            oldest = full.peek();
            count++;
        }
        return count;
    }

    private boolean isReleased(Live segment) {
        for (Map.Entry<Integer, Long> stream : segment.lastSequences.entrySet()) {
            if (released.getOrDefault(stream.getKey(), 0L) < stream.getValue()) {
                return false;
            }
        }
        return true;
    }
}
