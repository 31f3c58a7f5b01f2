package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.survival.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Nodes that are killed with SIGKILL: the operating system keeps all their writes. */
final class KilledMachine implements Machine {
    private final Path data;
    private @Nullable ServerProcess running;

    KilledMachine(Path data) {
        this.data = data;
    }

    @Override
    public Node start(List<String> options) throws IOException {
        ServerProcess started = ServerProcess.start(data, options.toArray(String[]::new));
        running = started;
        return started;
    }

    @Override
    public List<String> startAndEnd(List<String> options, long millis) throws IOException, InterruptedException {
        return ServerProcess.startAndEnd(data, millis, Process::destroyForcibly, options.toArray(String[]::new));
    }

    @Override
    public Path keep() {
        return data;
    }

    @Override
    public void close() {
        ServerProcess last = running;
        if (last != null) {
            last.process().destroyForcibly();
        }
    }
}
