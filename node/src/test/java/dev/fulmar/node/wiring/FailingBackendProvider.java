package dev.fulmar.node.wiring;

import dev.fulmar.foundation.storage.ForwardingFile;
import dev.fulmar.foundation.storage.ForwardingStorage;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.real.FileStorage;
import dev.fulmar.pmemlog.backend.Backend;
import dev.fulmar.pmemlog.backend.BackendProvider;
import dev.fulmar.pmemlog.backend.BackendSettings;
import dev.fulmar.pmemlog.backend.DurabilityLevel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** Files on a device that begins to fail when a test says so. */
public final class FailingBackendProvider implements BackendProvider {
    static final String NAME = "failing";

    /**
     * Whether synchronous writes of the log's segments fail; the bytes may be there or not. Files that another thread
     * still prepares to become segments are well, so that the first failure is that of a commit.
     */
    static final AtomicBoolean FAILS = new AtomicBoolean();

    /** While this is not open, synchronous writes of the log's segments wait for it. */
    static final AtomicReference<CountDownLatch> GATE = new AtomicReference<>(new CountDownLatch(0));

    /** The file of every write that failed. */
    static final Queue<String> ATTEMPTS = new ConcurrentLinkedQueue<>();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Backend open(BackendSettings settings) {
        try {
            return new FailingBackend(new FailingStorage(new FileStorage(Path.of(settings.directory()))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record FailingBackend(Storage storage) implements Backend {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public DurabilityLevel durability() {
            return DurabilityLevel.PROCESS_CRASH;
        }

        @Override
        public String explanation() {
            return "a device that fails";
        }

        @Override
        public boolean isEmulated() {
            return true;
        }

        @Override
        public int blockBytes() {
            return 4096;
        }

        @Override
        public void close() {}
    }

    private static final class FailingStorage extends ForwardingStorage {
        private final Map<String, FailingFile> synchronousFiles = new ConcurrentHashMap<>();

        FailingStorage(Storage storage) {
            super(storage);
        }

        @Override
        public StorageFile openSynchronous(String name) throws IOException {
            FailingFile file = new FailingFile(name, super.openSynchronous(name));
            synchronousFiles.put(name, file);
            return file;
        }

        @Override
        public void rename(String from, String to) throws IOException {
            super.rename(from, to);
            FailingFile file = synchronousFiles.remove(from);
            if (file != null) {
                file.name = to;
                synchronousFiles.put(to, file);
            }
        }
    }

    private static final class FailingFile extends ForwardingFile {
        private volatile String name;

        FailingFile(String name, Storage.StorageFile file) {
            super(file);
            this.name = name;
        }

        @Override
        public void write(long position, ByteBuffer source) throws IOException {
            if (FAILS.get() && name.contains("segment-")) {
                ATTEMPTS.add(name);
                throw new IOException("Input/output error");
            }
            if (name.contains("segment-")) {
                awaitGate();
            }
            super.write(position, source);
        }

        private static void awaitGate() throws IOException {
            try {
                GATE.get().await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }
}
