package dev.fulmar.benchmarks.moving;

import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Case of the experiment.
 *
 * @param copies of each partition, k + 1
 * @param chunkKib size of a chunk; empty for the usual one
 * @param delayMillis pause between chunks; empty for the usual one
 * @param mostIncreasePercent budget for the time of calls; empty for none
 */
record MoveCase(int copies, String chunkKib, String delayMillis, String mostIncreasePercent) {
    private static final String K = "k";
    private static final String CHUNK = "chunk-kib";
    private static final String DELAY = "delay-ms";
    private static final String INCREASE = "max-p99-increase";
    private static final int BYTES_PER_KIB = 1 << 10;
    private static final int MICROS_PER_MILLI = 1_000;
    private static final List<String> NAMES = List.of(K, CHUNK, DELAY, INCREASE);

    /** The case that the words tell, as {@code k=1}; the defaults of {@code reconfigure} for what they do not tell. */
    static MoveCase of(Set<String> words) {
        TreeMap<String, String> given = new TreeMap<>();
        for (String word : new TreeSet<>(words)) {
            int end = Math.max(0, word.indexOf('='));
            String name = word.substring(0, end);
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException(
                        "'" + word + "' is no part of a case; write " + String.join("=N, ", NAMES) + "=N");
            }
            given.put(name, word.substring(end + 1));
        }
        return new MoveCase(
                1 + Integer.parseInt(given.getOrDefault(K, "0")),
                given.getOrDefault(CHUNK, ""),
                given.getOrDefault(DELAY, ""),
                given.getOrDefault(INCREASE, "").replace("%", ""));
    }

    /** Arguments of {@code @Reconfigure} that start the move to the plan. */
    Object[] start(String plan) {
        return new Object[] {
            "START", plan, times(chunkKib, BYTES_PER_KIB), times(delayMillis, MICROS_PER_MILLI), mostIncreasePercent
        };
    }

    private static String times(String given, int unit) {
        return given.isEmpty() ? "" : Integer.toString(Integer.parseInt(given) * unit);
    }

    private static String named(String name, String value) {
        return value.isEmpty() ? "" : " " + name + "=" + value;
    }

    @Override
    public String toString() {
        return K + "=" + (copies - 1) + named(CHUNK, chunkKib) + named(DELAY, delayMillis)
                + named(INCREASE, mostIncreasePercent);
    }
}
