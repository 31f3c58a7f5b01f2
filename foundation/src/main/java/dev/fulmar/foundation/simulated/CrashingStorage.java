package dev.fulmar.foundation.simulated;

import dev.fulmar.foundation.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A process's storage that ends the process at a chosen point: before, within or after any of its changes. It can leave
 * out what a program with a bug leaves out.
 */
public final class CrashingStorage implements Storage {
    private final SimulatedProcess process;
    private final Storage storage;
    private final Set<Bug> bugs = EnumSet.noneOf(Bug.class);
    private boolean powerFails = true;
    private long crashAtPoint = Long.MAX_VALUE;
    private long points;
    private Watcher watcher = torn -> {};

    /** Sees the process at each of its points, where it could end. */
    @FunctionalInterface
    public interface Watcher {
        /** @param torn what is half written, if the process would end within a write */
        void point(@Nullable TornWrite torn);
    }

    /** A synchronous write that did not return. */
    public record TornWrite(String name, long position, ByteBuffer bytes) {}

    /** Planted bugs: steps that a program forgets. */
    public enum Bug {
        SYNCHRONOUS_WRITES_ARE_NOT,
        FORCES_ARE_SKIPPED,
        DIRECTORIES_ARE_NOT_FORCED,
        WHAT_WAS_READ_IS_NOT_CERTIFIED
    }

    /** The end of the process. */
    public static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Crash(long point) {
            super("crash at point " + point);
        }
    }

    public CrashingStorage(SimulatedProcess process) {
        this.process = process;
        this.storage = process.storage();
    }

    public CrashingStorage with(Set<Bug> planted) {
        bugs.addAll(planted);
        return this;
    }

    /** Shows the watcher every point from now on. */
    public CrashingStorage watchedBy(Watcher newWatcher) {
        watcher = newWatcher;
        return this;
    }

    /**
     * Ends the process so many points from now: by a power failure, or by a kill that leaves the operating system
     * running.
     */
    public void crashAfter(long morePoints, boolean powerFailure) {
        crashAtPoint = points + morePoints;
        powerFails = powerFailure;
    }

    /** Points passed so far. */
    public long points() {
        return points;
    }

    private boolean isCrashPoint(@Nullable TornWrite torn) {
        points++;
        watcher.point(torn);
        return points >= crashAtPoint;
    }

    private void point() {
        if (isCrashPoint(null)) {
            crash();
        }
    }

    private void crash() {
        if (powerFails) {
            process.crash();
        } else {
            process.kill();
        }
        throw new Crash(points);
    }

    @Override
    public StorageFile open(String name) throws IOException {
        if (!storage.exists(name)) {
            point();
        }
        return new OpenFile(name, storage.open(name), null);
    }

    @Override
    public StorageFile openSynchronous(String name) throws IOException {
        if (!storage.exists(name)) {
            point();
        }
        return new OpenFile(name, storage.open(name), storage.openSynchronous(name));
    }

    @Override
    public boolean exists(String name) throws IOException {
        return storage.exists(name);
    }

    @Override
    public List<String> list(String directory) throws IOException {
        return storage.list(directory);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        point();
        storage.rename(from, to);
        point();
    }

    @Override
    public void delete(String name) throws IOException {
        point();
        storage.delete(name);
        point();
    }

    @Override
    public void forceDirectory(String directory) throws IOException {
        point();
        if (!bugs.contains(Bug.DIRECTORIES_ARE_NOT_FORCED)) {
            storage.forceDirectory(directory);
        }
        point();
    }

    private final class OpenFile implements StorageFile {
        private final String name;
        private final StorageFile file;
        private final @Nullable StorageFile synchronous;

        OpenFile(String name, StorageFile file, @Nullable StorageFile synchronous) {
            this.name = name;
            this.file = file;
            this.synchronous = synchronous;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public int read(long position, ByteBuffer target) throws IOException {
            return file.read(position, target);
        }

        @Override
        public void write(long position, ByteBuffer source) throws IOException {
            point();
            StorageFile target = synchronous;
            if (target == null || bugs.contains(Bug.SYNCHRONOUS_WRITES_ARE_NOT)) {
                target = file;
            } else if (bugs.contains(Bug.WHAT_WAS_READ_IS_NOT_CERTIFIED) && isThere(position, source.duplicate())) {
                source.position(source.limit());
                return;
            }
            if (isCrashPoint(new TornWrite(name, position, source.duplicate()))) {
                file.write(position, source);
                crash();
            }
            target.write(position, source);
            point();
        }

        private boolean isThere(long position, ByteBuffer bytes) throws IOException {
            ByteBuffer found = ByteBuffer.allocate(bytes.remaining());
            file.read(position, found);
            return found.flip().equals(bytes);
        }

        @Override
        public void truncate(long size) throws IOException {
            point();
            file.truncate(size);
            point();
        }

        @Override
        public void discard(long position, long bytes) throws IOException {
            point();
            file.discard(position, bytes);
            point();
        }

        @Override
        public void force() throws IOException {
            point();
            if (!bugs.contains(Bug.FORCES_ARE_SKIPPED)) {
                file.force();
            }
            point();
        }

        @Override
        public void close() throws IOException {
            file.close();
            if (synchronous != null) {
                synchronous.close();
            }
        }
    }
}
