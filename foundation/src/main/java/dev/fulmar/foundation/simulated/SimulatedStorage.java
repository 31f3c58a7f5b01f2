package dev.fulmar.foundation.simulated;

import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.StorageNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A process's access to its node's disk. */
final class SimulatedStorage implements Storage {
    private final SimulatedDisk disk;
    private final SimulatedProcess process;

    SimulatedStorage(SimulatedDisk disk, SimulatedProcess process) {
        this.disk = disk;
        this.process = process;
    }

    @Override
    public StorageFile open(String name) throws IOException {
        checkAlive();
        return new OpenFile(name, disk.openOrCreate(StorageNames.checkFile(name)), false);
    }

    @Override
    public StorageFile openSynchronous(String name) throws IOException {
        checkAlive();
        return new OpenFile(name, disk.openOrCreate(StorageNames.checkFile(name)), true);
    }

    @Override
    public boolean exists(String name) throws IOException {
        checkAlive();
        return disk.find(StorageNames.checkFile(name)) != null;
    }

    @Override
    public List<String> list(String directory) throws IOException {
        checkAlive();
        return disk.list(StorageNames.checkDirectory(directory));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        checkAlive();
        disk.rename(StorageNames.checkFile(from), StorageNames.checkFile(to));
    }

    @Override
    public void delete(String name) throws IOException {
        checkAlive();
        disk.delete(StorageNames.checkFile(name));
    }

    @Override
    public void forceDirectory(String directory) throws IOException {
        checkAlive();
        disk.forceDirectory(StorageNames.checkDirectory(directory));
        process.standStill(disk.faults().latencyNanos());
    }

    private void checkAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IOException(process + " is dead");
        }
    }

    /** A handle. */
    private final class OpenFile implements StorageFile {
        private final String name;
        private final SimulatedFile file;
        private final boolean synchronous;
        private boolean closed;
        private boolean forceFailed;

        OpenFile(String name, SimulatedFile file, boolean synchronous) {
            this.name = name;
            this.file = file;
            this.synchronous = synchronous;
        }

        @Override
        public long size() throws IOException {
            checkOpen();
            return file.size();
        }

        @Override
        public int read(long position, ByteBuffer target) throws IOException {
            checkOpen();
            disk.faults().beforeRead(name);
            return file.read(position, target);
        }

        @Override
        public void write(long position, ByteBuffer source) throws IOException {
            checkOpen();
            if (!synchronous) {
                disk.reserve(file, position + source.remaining());
                file.write(position, source);
                return;
            }
            checkNoForceFailed();
            try {
                disk.reserve(file, position + source.remaining());
            } catch (IOException e) {
                forceFailed = true;
                throw e;
            }
            if (!reachesTheDevice()) {
                file.write(position, source);
            } else if (disk.forcesLate()) {
                disk.effect(file.writeLate(position, source));
            } else {
                file.writeDurably(position, source);
            }
            checkForceSucceeded();
        }

        @Override
        public void truncate(long size) throws IOException {
            checkOpen();
            file.truncate(size);
        }

        /** As zeros that were written: a crash may leave the bytes that were there, in part too. */
        @Override
        public void discard(long position, long bytes) throws IOException {
            checkOpen();
            long end = Math.min(position + bytes, file.size());
            if (position < end) {
                file.write(position, ByteBuffer.allocate((int) (end - position)));
            }
        }

        @Override
        public void force() throws IOException {
            checkOpen();
            checkNoForceFailed();
            if (reachesTheDevice()) {
                disk.effect(file.force());
            }
            checkForceSucceeded();
        }

        /** Takes a force's time. False if the device says that it failed, or lies. */
        private boolean reachesTheDevice() {
            process.standStill(disk.faults().latencyNanos());
            forceFailed = disk.faults().forceFails(name);
            return !forceFailed && !disk.faults().forceLies();
        }

        private void checkForceSucceeded() throws IOException {
            if (forceFailed) {
                throw new IOException("Input/output error: force of " + name);
            }
        }

        private void checkNoForceFailed() throws IOException {
            if (forceFailed) {
                throw new IOException("an earlier force of " + name + " failed; what it holds is unknown");
            }
        }

        @Override
        public void close() {
            closed = true;
        }

        private void checkOpen() throws IOException {
            checkAlive();
            if (closed) {
                throw new IOException(name + " is closed");
            }
        }
    }
}
