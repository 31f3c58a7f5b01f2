package dev.fulmar.coordinator.durability.recovery;

import java.util.Comparator;
import java.util.stream.IntStream;

/** Deals streams out to the threads that replay them: a thread reads the log once for all of its streams. */
final class StreamAssignment {
    private StreamAssignment() {}

    /**
     * The thread of each stream. The longest stream comes first, and each goes to the thread that has the least to do,
     * so that one thread is not still busy when the others have long been done.
     *
     * @param records of each stream
     */
    static int[] deal(long[] records, int threads) {
        int[] threadOf = new int[records.length];
        long[] load = new long[threads];
        int[] longestFirst = IntStream.range(0, records.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(stream -> -records[stream])
                        .thenComparing(stream -> stream))
                .mapToInt(Integer::intValue)
                .toArray();
        for (int stream : longestFirst) {
            int idlest = 0;
            for (int thread = 1; thread < threads; thread++) {
                idlest = load[thread] < load[idlest] ? thread : idlest;
            }
            threadOf[stream] = idlest;
            load[idlest] += Math.max(1, records[stream]);
        }
        return threadOf;
    }
}
