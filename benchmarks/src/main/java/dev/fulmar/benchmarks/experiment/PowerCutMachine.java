package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.powercut.Device;
import dev.fulmar.benchmarks.powercut.ForgetfulFiles;
import dev.fulmar.benchmarks.powercut.FuseMount;
import dev.fulmar.benchmarks.powercut.Lie;
import dev.fulmar.benchmarks.powercut.Survivors;
import dev.fulmar.benchmarks.survival.Machine;
import dev.fulmar.client.FulmarClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Nodes on files that lose unforced bytes when the power is cut. The cut comes first and the node's end after it, so
 * that nothing is answered in between.
 */
final class PowerCutMachine implements Machine {
    private static final String DATA = "data";
    private static final long MOST_WAIT_NANOS = 500_000_000;
    private static final long LOOK_NANOS = 20_000;

    private final Path place;
    private final Path kept;
    private final SplittableRandom random;
    private final Lie lie;
    private final Figures figures;
    private ForgetfulFiles files = new ForgetfulFiles();
    private FuseMount mount;
    private @Nullable ServerProcess running;

    /** Figures of the power cuts. */
    static final class Figures {
        private long cuts;
        private long withUnforcedBytes;
        private long withUnforcedNames;

        long cuts() {
            return cuts;
        }

        /** Cuts that found files with bytes that were not forced. */
        long withUnforcedBytes() {
            return withUnforcedBytes;
        }

        /** Cuts that found directories with names that were not forced. */
        long withUnforcedNames() {
            return withUnforcedNames;
        }
    }

    PowerCutMachine(Path directory, Lie lie, SplittableRandom random, Figures figures) throws IOException {
        this.place = Files.createDirectories(directory.resolve("mount"));
        this.kept = directory.resolve("kept");
        this.random = random;
        this.lie = lie;
        this.figures = figures;
        this.mount = mount();
    }

    private FuseMount mount() throws IOException {
        return FuseMount.mount(files, place, new Device(lie, random.nextLong()));
    }

    @Override
    public Node start(List<String> options) throws IOException {
        ServerProcess started = ServerProcess.start(place.resolve(DATA), options.toArray(String[]::new));
        running = started;
        return new PoweredNode(started);
    }

    @Override
    public List<String> startAndEnd(List<String> options, long millis) throws IOException, InterruptedException {
        return ServerProcess.startAndEnd(place.resolve(DATA), millis, this::cut, options.toArray(String[]::new));
    }

    private void cut(Process process) throws IOException, InterruptedException {
        awaitRisk();
        figures.cuts++;
        figures.withUnforcedBytes += files.dirtyFiles() > 0 ? 1 : 0;
        figures.withUnforcedNames += files.dirtyDirectories() > 0 ? 1 : 0;
        ForgetfulFiles left = files.cut(Survivors.draw(random));
        process.destroyForcibly();
        mount.close(); // else a process that waits for its files would never end
        process.waitFor();
        files = left;
        mount = mount();
    }

    /**
     * In two of three cuts waits, though not for long, for a moment in which there are unforced bytes, or unforced
     * names.
     */
    private void awaitRisk() {
        int kind = random.nextInt(3);
        long deadline = System.nanoTime() + MOST_WAIT_NANOS;
        while (System.nanoTime() - deadline < 0
                && (kind == 0 ? files.dirtyFiles() : kind == 1 ? files.dirtyDirectories() : 1) == 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public Path keep() throws IOException {
        Path source = place.resolve(DATA);
        try (Stream<Path> tree = Files.walk(source)) {
            for (Path each : tree.toList()) {
                Path target = kept.resolve(source.relativize(each).toString());
                if (Files.isDirectory(each)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(each, target);
                }
            }
        }
        return kept;
    }

    @Override
    public void close() throws IOException {
        ServerProcess last = running;
        if (last != null) {
            last.process().destroyForcibly();
        }
        mount.close();
        Files.delete(place);
    }

    private final class PoweredNode implements Node {
        private final ServerProcess server;

        PoweredNode(ServerProcess server) {
            this.server = server;
        }

        @Override
        public FulmarClient connect(int maxOutstanding) {
            return server.connect(maxOutstanding);
        }

        @Override
        public void end() throws IOException, InterruptedException {
            cut(server.process());
        }

        @Override
        public void stop() {
            server.stop();
        }
    }
}
