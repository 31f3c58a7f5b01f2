package dev.fulmar.pmemlog.log;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.segment.SegmentHeader;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Exchange of segments between the log, which uses them up, and the preparer, which makes them. */
final class SegmentSupply {
    private final ConcurrentLinkedQueue<PreparedSegment> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger readyCount = new AtomicInteger();
    private final ConcurrentLinkedQueue<SegmentHeader> freed = new ConcurrentLinkedQueue<>();
    private volatile @Nullable FulmarException shortage;

    /** Gives the log a segment. */
    void offer(PreparedSegment segment) {
        ready.add(segment);
        readyCount.incrementAndGet();
    }

    /** The next segment; null if none is ready. */
    @Nullable PreparedSegment take() {
        PreparedSegment segment = ready.poll();
        if (segment != null) {
            readyCount.decrementAndGet();
        }
        return segment;
    }

    int readyCount() {
        return readyCount.get();
    }

    /** Gives back a segment whose records are not needed any more. Segments come back in the order of their numbers. */
    void free(SegmentHeader segment) {
        freed.add(segment);
    }

    /** A segment that came back; null if none did. */
    @Nullable SegmentHeader takeFreed() {
        return freed.poll();
    }

    /** The reason for which no segment can be made ready; null if one can. */
    @Nullable FulmarException shortage() {
        return shortage;
    }

    void shortage(@Nullable FulmarException cause) {
        shortage = cause;
    }
}
