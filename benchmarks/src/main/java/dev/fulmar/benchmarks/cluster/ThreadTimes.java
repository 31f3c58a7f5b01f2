package dev.fulmar.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Seconds of processor that threads of processes have used so far, by their names without numbers, as Linux counts
 * them.
 *
 * @param seconds in hundredths at best
 */
record ThreadTimes(Map<String, Double> seconds) {
    private static final double TICKS_PER_SECOND = 100;
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    /** Of processes that live. */
    static ThreadTimes of(List<Long> processes) throws IOException {
        Map<String, Double> sums = new TreeMap<>();
        for (long process : processes) {
            try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process), "task"))) {
                for (Path thread : threads.toList()) {
                    add(sums, statusOf(thread));
                }
            }
        }
        return new ThreadTimes(sums);
    }

    /** Memory that a process holds now. */
    static long residentBytes(long process) throws IOException {
        Path status = Path.of("/proc", Long.toString(process), "status");
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .findFirst()
                .orElseThrow(() -> new IOException(status + " does not tell the resident memory"));
    }

    private static String statusOf(Path thread) {
        try {
            return Files.readString(thread.resolve("stat"));
        } catch (IOException ended) { // between the listing and the reading
            return "";
        }
    }

    /** @param status a line of {@code /proc/N/task/M/stat} */
    static void add(Map<String, Double> sums, String status) {
        int nameEnd = status.lastIndexOf(')');
        if (nameEnd < 0) {
            return;
        }
        String name = status.substring(status.indexOf('(') + 1, nameEnd)
                .replaceAll("[-#]?\\d+.*$", "")
                .strip();
        String[] fields = status.substring(nameEnd + 2).split(" ", -1);
        double seconds = (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND;
        sums.merge(name, seconds, Double::sum);
    }

    ThreadTimes since(ThreadTimes before) {
        Map<String, Double> differences = new TreeMap<>();
        seconds.forEach((name, now) -> differences.put(name, now - before.seconds.getOrDefault(name, 0.0)));
        return new ThreadTimes(differences);
    }

    /** Without the virtual machine's compilers, which work off what was asked for long before. */
    ThreadTimes withoutCompilers() {
        Map<String, Double> others = new TreeMap<>(seconds);
        others.keySet().removeIf(name -> name.matches("C[12] Compil.*"));
        return new ThreadTimes(others);
    }

    double total() {
        return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /**
     * Microseconds for each of so many transactions; threads that used less than a hundredth of the total are left out.
     */
    Map<String, Double> microsEach(long transactions) {
        Map<String, Double> each = new TreeMap<>();
        double least = total() / 100;
        seconds.forEach((name, used) -> {
            if (used >= least) {
                each.put(name, used * 1e6 / transactions);
            }
        });
        return each;
    }
}
