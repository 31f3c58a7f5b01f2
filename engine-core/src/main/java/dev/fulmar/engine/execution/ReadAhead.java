package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.operator.PointRead;
import dev.fulmar.engine.memory.OffHeap;
import org.jspecify.annotations.Nullable;

/**
 * Prefetches the memory that the next statements of a batch are going to read, before the first of them runs. So the
 * processor fetches it for all of them at the same time and not statement by statement. Changes no outcome: what it
 * finds are hints, which a statement checks. One thread; allocates nothing.
 */
public final class ReadAhead {
    /** Statements that are read ahead together; what they read should stay in the cache until they run. */
    public static final int MOST = 32;

    private final @Nullable PointRead[] reads = new PointRead[MOST];
    private final long[] hashes = new long[MOST];
    /** Of each statement the line of the index, later the row; 0 if there is none. */
    private final long[] places = new long[MOST];

    private int size;
    /** Keeps the compiler from leaving out the reads. */
    @SuppressWarnings("UnusedVariable")
    private long read;

    /** Forgets the statements before. */
    public void clear() {
        size = 0;
    }

    /** Adds the next statement; nothing is read for one that is no look-up by unique key. */
    public void add(@Nullable PartitionStatement statement, Bindings bindings) {
        int position = size++;
        reads[position] = null;
        places[position] = 0;
        FragmentCode code = statement == null ? null : statement.onlyFragment();
        PointRead pointRead = code == null ? null : code.pointRead();
        if (code == null || pointRead == null) {
            return;
        }
        code.frame().parameters = bindings.slots();
        if (pointRead.begin(code.frame())) {
            long hash = pointRead.hash();
            reads[position] = pointRead;
            hashes[position] = hash;
            places[position] = pointRead.line(hash);
        }
    }

    /**
     * Reads for all that were added. Each step finds addresses in one loop and reads them in another one with little
     * else in it, for the processor looks only some hundred instructions ahead.
     */
    public void run() {
        int count = size;
        long sum = touch(count);
        for (int i = 0; i < count; i++) {
            places[i] = places[i] == 0 ? 0 : PointRead.row(places[i], hashes[i]);
        }
        sum += touch(count);
        for (int i = 0; i < count; i++) {
            PointRead pointRead = reads[i];
            if (pointRead != null && places[i] != 0) {
                sum += pointRead.touchRow(places[i]);
            }
        }
        for (int i = 0; i < count; i++) {
            PointRead pointRead = reads[i];
            if (pointRead != null && places[i] != 0) {
                sum += pointRead.touchBlock(places[i]);
            }
        }
        read += sum;
    }

    private long touch(int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            long place = places[i];
            if (place != 0) {
                sum += OffHeap.getLong(place);
            }
        }
        return sum;
    }

    /** The row that the statement, counted from the first that was added, will probably find; 0 if none is known. */
    public long row(int position) {
        return places[position];
    }
}
