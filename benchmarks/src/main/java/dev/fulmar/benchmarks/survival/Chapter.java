package dev.fulmar.benchmarks.survival;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Random configuration of one database that {@link Survival} loads, kills and restarts: its partitions, threads, load
 * and durability.
 *
 * @param chains that are appended to, with the keys from 1 up
 * @param noteCharacters most of each append's text, which the log has and the tables keep one of
 * @param checkpointLog setting {@code checkpoint.log-size}
 */
record Chapter(
        int partitions,
        int sites,
        boolean sharesThreads,
        int chains,
        int noteCharacters,
        String checkpointLog,
        String durability) {
    private static final String TEXT = "an append writes a piece of this. ".repeat(256);

    static Chapter draw(SplittableRandom random, String durability) {
        return new Chapter(
                1 + random.nextInt(4),
                1 + random.nextInt(2),
                random.nextBoolean(),
                4 + random.nextInt(12),
                random.nextInt(3) == 0 ? 1000 : TEXT.length(),
                random.nextInt(4) == 0 ? "64m" : "1m",
                durability);
    }

    /** Of the node's start. */
    List<String> options() {
        return List.of(
                "--partitions",
                Integer.toString(partitions),
                "--sites",
                Integer.toString(sites),
                "--memory",
                "256m",
                "--durability",
                durability,
                "--set",
                "sites.share-threads=" + sharesThreads,
                "--set",
                "checkpoint.log-size=" + checkpointLog);
    }

    String note(SplittableRandom random) {
        int length = random.nextInt(noteCharacters);
        int from = random.nextInt(TEXT.length() - length);
        return TEXT.substring(from, from + length);
    }
}
