package dev.fulmar.benchmarks.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The log that a JVM's garbage collector writes. */
final class CollectorLog {
    /** The line at the end of a pause; the time in front of it is {@link System#nanoTime()}. */
    private static final Pattern PAUSE = Pattern.compile("\\[(\\d+)ns] GC\\(\\d+\\) .*\\bPause .* (\\d+\\.\\d+)ms");

    private static final double NANOS_PER_MILLI = 1e6;

    private CollectorLog() {}

    /** A time in which the collector stopped the threads of its process. */
    record Pause(long startNanos, long durationNanos) {}

    /** The option that makes a JVM write the log. */
    static String option(Path file) {
        return "-Xlog:gc*=info:file=" + file + ":timenanos:filecount=0";
    }

    static List<Pause> pauses(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return pauses(lines);
        }
    }

    static List<Pause> pauses(Stream<String> lines) {
        return lines.map(PAUSE::matcher)
                .filter(Matcher::matches)
                .map(CollectorLog::pause)
                .toList();
    }

    private static Pause pause(Matcher line) {
        long durationNanos = Math.round(Double.parseDouble(line.group(2)) * NANOS_PER_MILLI);
        return new Pause(Long.parseLong(line.group(1)) - durationNanos, durationNanos);
    }
}
