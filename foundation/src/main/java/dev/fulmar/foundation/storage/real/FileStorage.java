package dev.fulmar.foundation.storage.real;

import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.StorageNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Files below a root directory. Symbolic links below the root are refused, for they could lead out of it. */
public final class FileStorage implements Storage {
    private static final Set<OpenOption> OPEN_OPTIONS = Set.of(
            StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE, LinkOption.NOFOLLOW_LINKS);

    private static final Set<OpenOption> READ_OPTIONS = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    private final Path root;
    private final boolean readOnly;

    /** Creates the root directory if it is absent. */
    public FileStorage(Path root) throws IOException {
        this(createDurably(root.toAbsolutePath()).toRealPath(), false);
    }

    /** A file's bytes are no use after a power failure if the name of a directory above it went. */
    private static Path createDurably(Path directory) throws IOException {
        Path parent = directory.getParent();
        if (parent != null && !Files.isDirectory(directory)) {
            createDurably(parent);
            Files.createDirectories(directory);
            force(parent);
        }
        return directory;
    }

    private static void force(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private FileStorage(Path root, boolean readOnly) {
        this.root = root;
        this.readOnly = readOnly;
    }

    /** Files that are there, to be read only: nothing is created, and every write fails. */
    public static FileStorage readOnly(Path root) throws IOException {
        return new FileStorage(root.toRealPath(), true);
    }

    @Override
    public StorageFile open(String name) throws IOException {
        return open(name, false);
    }

    @Override
    public StorageFile openSynchronous(String name) throws IOException {
        return open(name, true);
    }

    private StorageFile open(String name, boolean synchronous) throws IOException {
        Path path = resolve(StorageNames.checkFile(name));
        try {
            return open(name, path, synchronous);
        } catch (AccessDeniedException e) { // its message is the path alone
            throw reasoned(e, new AccessDeniedException(path.toString(), null, "permission denied"));
        } catch (NoSuchFileException e) {
            throw reasoned(e, new NoSuchFileException(path.toString(), null, "there is no such file"));
        }
    }

    private static IOException reasoned(IOException cause, IOException withReason) {
        withReason.initCause(cause);
        return withReason;
    }

    private StorageFile open(String name, Path path, boolean synchronous) throws IOException {
        Path parent = path.getParent();
        if (readOnly) {
            return new OpenFile(name, path, FileChannel.open(path, READ_OPTIONS), false);
        }
        if (parent != null) {
            createDurably(parent);
        }
        Set<OpenOption> options = new HashSet<>(OPEN_OPTIONS);
        if (synchronous) {
            options.add(StandardOpenOption.DSYNC);
        }
        return new OpenFile(name, path, FileChannel.open(path, options), synchronous);
    }

    @Override
    public boolean exists(String name) throws IOException {
        return Files.isRegularFile(resolve(StorageNames.checkFile(name)), LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public List<String> list(String directory) throws IOException {
        Path path = resolve(StorageNames.checkDirectory(directory));
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(path)) {
            return entries.filter(entry -> Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS))
                    .map(entry -> String.valueOf(entry.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void rename(String from, String to) throws IOException {
        checkWritable(from);
        Path target = resolve(StorageNames.checkFile(to));
        Path parent = target.getParent();
        if (parent != null) {
            createDurably(parent);
        }
        Files.move(resolve(StorageNames.checkFile(from)), target, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(String name) throws IOException {
        checkWritable(name);
        Files.deleteIfExists(resolve(StorageNames.checkFile(name)));
    }

    @Override
    public void forceDirectory(String directory) throws IOException {
        Path path = resolve(StorageNames.checkDirectory(directory));
        if (Files.isDirectory(path)) {
            force(path);
        }
    }

    private void checkWritable(String name) throws IOException {
        if (readOnly) {
            throw new IOException("'" + name + "' is only to be read");
        }
    }

    private Path resolve(String name) throws IOException {
        Path path = root;
        if (!name.isEmpty()) {
            for (String part : name.split("/", -1)) {
                path = path.resolve(part);
                if (Files.isSymbolicLink(path)) {
                    throw new IOException(
                            "'" + name + "' leads through a symbolic link at " + path + "; put the file itself there");
                }
            }
        }
        return path;
    }

    /** A file by its channel. */
    private final class OpenFile implements StorageFile {
        private final String name;
        private final Path path;
        private final FileChannel channel;
        private final boolean synchronous;
        private volatile boolean forceFailed;

        OpenFile(String name, Path path, FileChannel channel, boolean synchronous) {
            this.name = name;
            this.path = path;
            this.channel = channel;
            this.synchronous = synchronous;
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public int read(long position, ByteBuffer target) throws IOException {
            int total = 0;
            while (target.hasRemaining()) {
                int count = channel.read(target, position + total);
                if (count < 0) {
                    break;
                }
                total += count;
            }
            return total;
        }

        @Override
        public void write(long position, ByteBuffer source) throws IOException {
            if (!synchronous) {
                writeAll(position, source);
                return;
            }
            checkNoForceFailed();
            try {
                writeAll(position, source);
            } catch (IOException e) {
                forceFailed = true;
                throw e;
            }
        }

        private void writeAll(long position, ByteBuffer source) throws IOException {
            long next = position;
            while (source.hasRemaining()) {
                next += channel.write(source, next);
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public void discard(long position, long bytes) throws IOException {
            checkWritable(name);
            if (!channel.isOpen()) {
                throw new ClosedChannelException();
            }
            FileHoles.make(path, position, bytes);
        }

        /**
         * The kernel may forget dirty pages when a force fails, so a second force that succeeds would prove nothing.
         */
        @Override
        public void force() throws IOException {
            checkNoForceFailed();
            try {
                channel.force(false);
            } catch (IOException e) {
                forceFailed = true;
                throw e;
            }
        }

        private void checkNoForceFailed() throws IOException {
            if (forceFailed) {
                throw new IOException("an earlier force of " + name + " failed; what it holds is unknown");
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
