package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.run.LocalDatabase;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.TreeMap;

/** A node in a process of its own, so that its memory and its collector's pauses are not mixed with the clients'. */
final class ChildNode {
    static final String PORT = "port ";

    private ChildNode() {}

    /** Arguments are settings, {@code name=value}. Runs until standard input ends. */
    public static void main(String[] arguments) throws IOException {
        Map<String, String> settings = new TreeMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            settings.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        try (LocalDatabase database = LocalDatabase.start(settings)) {
            System.out.println(PORT + database.port());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
