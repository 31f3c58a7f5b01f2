package dev.fulmar.benchmarks.moving;

import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Case of the experiment.
 *
 * @param copies of each partition, k + 1
 * @param chunkKib size of a chunk
 * @param delayMillis pause between chunks
 * @param mostIncreasePercent budget for the time of calls; empty for none
 */
record MoveCase(int copies, int chunkKib, int delayMillis, String mostIncreasePercent) {
    private static final String K = "k";
    private static final String CHUNK = "chunk-kib";
    private static final String DELAY = "delay-ms";
    private static final String INCREASE = "max-p99-increase";
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
                Integer.parseInt(given.getOrDefault(CHUNK, "64")),
                Integer.parseInt(given.getOrDefault(DELAY, "1")),
                given.getOrDefault(INCREASE, "").replace("%", ""));
    }

    /** Arguments of {@code @Reconfigure} that start the move to the plan. */
    Object[] start(String plan) {
        return new Object[] {
            "START", plan, Integer.toString(chunkKib << 10), Integer.toString(1_000 * delayMillis), mostIncreasePercent
        };
    }

    @Override
    public String toString() {
        return K + "=" + (copies - 1) + " " + CHUNK + "=" + chunkKib + " " + DELAY + "=" + delayMillis
                + (mostIncreasePercent.isEmpty() ? "" : " " + INCREASE + "=" + mostIncreasePercent);
    }
}
