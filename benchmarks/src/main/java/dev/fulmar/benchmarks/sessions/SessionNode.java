package dev.fulmar.benchmarks.sessions;

import dev.fulmar.benchmarks.run.LocalDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** A node in a process of its own that says its figures when it is asked. It ends when its standard input does. */
final class SessionNode {
    static final String PORT = "port ";
    static final String FIGURES = "figures ";

    /** Question for the figures. */
    static final String ASK = "figures";

    /** The same after a collection of all garbage. */
    static final String COLLECT = "collect";

    private static final int MOST_COLLECTIONS = 20;
    private static final int CALM_COLLECTIONS = 3;
    private static final long CALM_BYTES = 16 << 10;
    private static final long REST_MILLIS = 100;

    private SessionNode() {}

    /** Arguments are settings, {@code name=value}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Map<String, String> settings = new TreeMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            settings.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (LocalDatabase database = LocalDatabase.start(settings)) {
            System.out.println(PORT + database.port());
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                long heapBytes = line.equals(COLLECT) ? collected() : used();
                System.out.println(FIGURES + NodeFigures.of(database, heapBytes).text());
            }
        }
    }

    private static long used() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** The heap in use when further collections free nothing: references of several kinds go one after another. */
    private static long collected() throws InterruptedException {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long least = Long.MAX_VALUE;
        int calm = 0;
        for (int i = 0; i < MOST_COLLECTIONS && calm < CALM_COLLECTIONS; i++) {
            memory.gc();
            long now = used();
            calm = least - now <= CALM_BYTES ? calm + 1 : 0;
            least = Math.min(least, now);
            Thread.sleep(REST_MILLIS);
        }
        return least;
    }
}
