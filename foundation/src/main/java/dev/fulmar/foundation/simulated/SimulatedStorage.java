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
        return new OpenFile(name, disk.openOrCreate(StorageNames.checkFile(name)));
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
        private boolean closed;
        private boolean forceFailed;

        OpenFile(String name, SimulatedFile file) {
            this.name = name;
            this.file = file;
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
            disk.reserve(file, position + source.remaining());
            file.write(position, source);
        }

        @Override
        public void truncate(long size) throws IOException {
            checkOpen();
            file.truncate(size);
        }

        @Override
        public void force() throws IOException {
            checkOpen();
            process.standStill(disk.faults().latencyNanos());
            if (forceFailed) {
                throw new IOException("an earlier force of " + name + " failed; what it holds is unknown");
            }
            if (disk.faults().forceFails()) {
                forceFailed = true;
                throw new IOException("Input/output error: force of " + name);
            }
            if (!disk.faults().forceLies()) {
                file.force();
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
