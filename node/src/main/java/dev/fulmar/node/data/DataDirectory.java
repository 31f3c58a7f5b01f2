package dev.fulmar.node.data;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.real.FileStorage;
import dev.fulmar.pmemlog.backend.Backend;
import dev.fulmar.pmemlog.backend.BackendSettings;
import dev.fulmar.pmemlog.backend.Backends;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An open data directory: locked against other processes, and of a known format. */
public final class DataDirectory implements AutoCloseable {
    /** Directory of the operation log in it. */
    public static final String LOG = "log";

    private static final String LOCK_FILE = "lock";

    private static final String PARTITIONS = "partitions";
    private static final String PARTITIONING = "partitioning";
    private static final String BACKEND = "backend";
    private static final String FILE_BACKEND = "file";

    private static final Set<String> FORMATS =
            Set.of(FormatFile.VERSION_WITHOUT_CHECKSUM, FormatFile.VERSION, FormatFile.VERSION_WITH_SPARES);

    /** Settings of directories that earlier versions made, which did not store them. */
    private static final Map<String, String> BEFORE_IT_WAS_STORED =
            Map.of(BACKEND, FILE_BACKEND, FormatFile.SPARES, "0");

    private final Path path;
    private final FileStorage storage;
    private final FormatFile format;
    private final FileChannel lockFile;
    private final FileLock lock;
    private @Nullable Backend backend;

    private DataDirectory(Path path, FileStorage storage, FileChannel lockFile, FileLock lock) {
        this.path = path;
        this.storage = storage;
        this.format = new FormatFile(path, storage);
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /** Opens a directory whose data is in files, creating it if it is absent. */
    public static DataDirectory open(Path path, Map<String, String> layout) {
        return open(path, layout, FILE_BACKEND, new BackendSettings(path.toString(), 0, false));
    }

    /**
     * Opens the directory, creating it if it is absent.
     *
     * @param layout what must be the same from start to start, by name
     * @param kind of the backend that has the data; must be the same too
     */
    public static DataDirectory open(Path path, Map<String, String> layout, String kind, BackendSettings settings) {
        Map<String, String> all = new TreeMap<>(layout);
        all.put(BACKEND, kind);
        try {
            OwnerOnly.createDirectory(path);
            FileStorage storage = new FileStorage(path);
            FileChannel lockFile =
                    FileChannel.open(path.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = tryLock(lockFile);
            if (lock == null) {
                lockFile.close();
                throw new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "the data directory " + path.toAbsolutePath()
                                + " is in use by another process; stop that one, or choose another directory with --data");
            }
            DataDirectory directory = new DataDirectory(path, storage, lockFile, lock);
            try {
                boolean isNew = directory.checkFormat(all);
                directory.backend = Backends.open(kind, settings);
                if (isNew) { // only now: a backend that cannot be had must not be what the directory is for
                    directory.format.write(all);
                }
            } catch (IOException | RuntimeException e) {
                directory.close();
                throw e;
            }
            return directory;
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.STORAGE_FAILURE,
                    "the data directory " + path.toAbsolutePath() + " cannot be opened (" + e
                            + "); check path, permissions and device",
                    e);
        }
    }

    /**
     * Whether another process has the directory open. One that has it open itself should not ask: on some systems it
     * would lose its lock.
     */
    public static boolean isInUse(Path path) {
        try (FileChannel file = FileChannel.open(path.resolve(LOCK_FILE), StandardOpenOption.WRITE)) {
            FileLock lock = tryLock(file);
            if (lock == null) {
                return true;
            }
            lock.release();
            return false;
        } catch (IOException e) { // without a lock that this process may take there is none to respect
            return false;
        }
    }

    /**
     * Settings that must be the same from start to start of the directory's database, by name. They are empty if there
     * is no database, or if it cannot be read, which opening the directory reports.
     */
    public static Map<String, String> layoutOf(Path path) {
        if (!Files.isDirectory(path)) {
            return Map.of();
        }
        Map<String, String> found;
        try {
            found = new FormatFile(path, FileStorage.readOnly(path)).look().orElse(Map.of());
        } catch (IOException e) {
            return Map.of();
        }
        TreeMap<String, String> layout = new TreeMap<>();
        for (String name : List.of(PARTITIONS, FormatFile.SPARES, PARTITIONING)) {
            String value = found.get(name);
            if (value != null) {
                layout.put(name, value);
            }
        }
        return layout;
    }

    private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException e) { // by this very process
            return null;
        }
    }

    /** Returns whether there is no format yet. */
    private boolean checkFormat(Map<String, String> layout) throws IOException {
        Optional<Map<String, String>> found = format.read();
        if (found.isPresent()) {
            check(new TreeMap<>(found.get()), layout);
            if (FormatFile.VERSION_WITHOUT_CHECKSUM.equals(found.get().get(FormatFile.FORMAT))) {
                format.write(layout);
            }
            return false;
        }
        if (!storage.list(LOG).isEmpty()) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "the data directory " + path.toAbsolutePath() + " has a log but no " + FormatFile.NAME
                            + "; restore that file from a copy");
        }
        return true;
    }

    private void check(Map<String, String> found, Map<String, String> layout) {
        String version = found.remove(FormatFile.FORMAT);
        if (version == null || !FORMATS.contains(version)) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "the data directory " + path.toAbsolutePath() + " has the format " + version
                            + ", and this version of Fulmar knows those up to "
                            + FormatFile.VERSION_WITH_SPARES
                            + "; start the version that wrote it");
        }
        for (String name : layout.keySet()) {
            String stored = found.getOrDefault(name, BEFORE_IT_WAS_STORED.getOrDefault(name, ""));
            if (!layout.get(name).equals(stored)) {
                throw new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "the data directory " + path.toAbsolutePath() + " holds a database with " + name + "="
                                + stored + ", not " + layout.get(name) + "; start it with --set " + name + "="
                                + stored + ", or choose another directory with --data");
            }
        }
    }

    public Path path() {
        return path;
    }

    /** The backend with the data. */
    public Backend backend() {
        Backend open = backend;
        if (open == null) {
            throw Invariants.breach("a data directory has its backend once it is open");
        }
        return open;
    }

    /** The files of the data. */
    public Storage storage() {
        return backend().storage();
    }

    /**
     * Storage for the archived log; created if it is absent. Fails for this directory itself, for a segment that is
     * copied onto itself would be lost.
     */
    public Storage archive(Path directory) {
        try {
            OwnerOnly.createDirectory(directory);
            FileStorage archive = new FileStorage(directory);
            if (Files.isSameFile(directory, path)) {
                throw new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "the log.archive " + directory
                                + " is the data directory itself; name another directory, best on" + " another device");
            }
            return archive;
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the log.archive " + directory + " cannot be used (" + e + "); check path and permissions",
                    e);
        }
    }

    /** Releases the directory for other processes. */
    @Override
    public void close() {
        try {
            if (backend != null) {
                backend.close();
            }
            lock.release();
            lockFile.close();
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.STORAGE_FAILURE, "the lock of " + path.toAbsolutePath() + " could not be released", e);
        }
    }
}
