package dev.fulmar.benchmarks.exhaustion;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Shortage of threads: the node's process is moved to a control group of its own with the limit {@code pids.max}, and
 * gets no further thread. A node makes few threads while it runs; it wants some when it has lost its session with
 * ZooKeeper.
 */
final class ThreadShortage implements Shortage {
    private static final Path VERSION_1 = Path.of("/sys/fs/cgroup/pids");
    private static final Path VERSION_2 = Path.of("/sys/fs/cgroup");

    /** Longer than a session with ZooKeeper outlasts. */
    private static final Duration PAUSE = Duration.ofSeconds(7);

    private boolean hasPaused;
    private final Path group = (Files.isDirectory(VERSION_1) ? VERSION_1 : VERSION_2)
            .resolve("fulmar-exhaustion-" + ProcessHandle.current().pid());

    @Override
    public String name() {
        return "threads";
    }

    @Override
    public Optional<String> obstacle() {
        try {
            Files.createDirectory(group);
            try {
                Files.writeString(group.resolve("pids.max"), "max");
                return Optional.empty();
            } finally {
                Files.delete(group);
            }
        } catch (IOException e) {
            return Optional.of("no control group for pids can be made: " + e);
        }
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
    public void prepare(Path directory) throws IOException {
        Files.createDirectory(group);
    }

    @Override
    public void begin(Victim victim) throws IOException {
        Files.writeString(group.resolve("cgroup.procs"), Long.toString(victim.process()));
        Files.writeString(
                group.resolve("pids.max"),
                Files.readString(group.resolve("pids.current")).strip());
    }

    /**
     * Stops the process until ZooKeeper has given its session up, as a swapped-out process stands still. The next
     * session has threads of its own.
     */
    @Override
    public void press(Victim victim) throws IOException {
        if (hasPaused) {
            return;
        }
        hasPaused = true;
        try {
            victim.cluster().node(victim.node()).signal("STOP");
            Thread.sleep(PAUSE.toMillis());
            victim.cluster().node(victim.node()).signal("CONT");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the pause was cut short", e);
        }
    }

    @Override
    public boolean isReached(Victim victim) throws IOException {
        return !Files.readString(group.resolve("pids.events")).strip().endsWith(" 0");
    }

    @Override
    public void end(Victim victim) throws IOException {
        Files.writeString(group.resolve("pids.max"), "max");
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(group);
    }
}
