package dev.fulmar.benchmarks.exhaustion;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The node's process may open a few files more, and strangers take those for their connections. Checkpoints are due
 * all the time and want files as well.
 */
final class DescriptorShortage implements Shortage {
    private static final int LEFT = 12;
    private static final int CONNECTIONS_AT_ONCE = 8;

    private final IdleConnections strangers = new IdleConnections();
    private int limit;

    @Override
    public String name() {
        return "descriptors";
    }

    @Override
    public Optional<String> obstacle() {
        return SystemCommand.obstacle(
                "prlimit", "--pid", Long.toString(ProcessHandle.current().pid()), "--nofile");
    }

    @Override
    public Map<String, String> settings() {
        return Map.of("checkpoint.log-size", "4m");
    }

    @Override
    public Set<Integer> statuses() {
        return Set.of(BROKEN);
    }

    @Override
    public void prepare(Path directory) {
        // The limit is set while the node runs.
    }

    @Override
    public void begin(Victim victim) throws IOException {
        limit = openFiles(victim.process()) + LEFT;
        SystemCommand.run("prlimit", "--pid", Long.toString(victim.process()), "--nofile=" + limit + ":");
    }

    @Override
    public void press(Victim victim) throws IOException {
        for (int i = 0; i < CONNECTIONS_AT_ONCE; i++) {
            strangers.add(victim.ports());
        }
    }

    @Override
    public boolean isReached(Victim victim) throws IOException {
        return openFiles(victim.process()) >= limit;
    }

    @Override
    public void end(Victim victim) throws IOException {
        if (victim.exitStatus().isEmpty()) {
            String hard = SystemCommand.run(
                    "prlimit",
                    "--pid",
                    Long.toString(victim.process()),
                    "--nofile",
                    "--noheadings",
                    "--raw",
                    "--output=HARD");
            SystemCommand.run("prlimit", "--pid", Long.toString(victim.process()), "--nofile=" + hard + ":");
        }
        strangers.end();
    }

    private static int openFiles(long process) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(process), "fd"))) {
            return (int) files.count();
        }
    }

    @Override
    public void close() throws IOException {
        strangers.end();
    }
}
