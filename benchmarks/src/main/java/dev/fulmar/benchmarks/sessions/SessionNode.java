package dev.fulmar.benchmarks.sessions;

import dev.fulmar.benchmarks.run.CollectedHeap;
import dev.fulmar.benchmarks.run.LocalDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
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
                long heapBytes = line.equals(COLLECT) ? CollectedHeap.bytes() : CollectedHeap.usedBytes();
                System.out.println(FIGURES + NodeFigures.of(database, heapBytes).text());
            }
        }
    }
}
