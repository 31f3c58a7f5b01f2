package dev.fulmar.benchmarks.powercut;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Files and directories in memory, of which a power cut keeps all forced data, and of the rest what {@link Survivors}
 * choose. Nodes have numbers, as a kernel knows them. Thread-safe.
 */
public final class ForgetfulFiles {
    /** The directory in which all else is. */
    public static final long ROOT = 1;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, Node> nodes;
    private long lastNumber;
    private boolean powerIsOut;

    private sealed interface Node {}

    private static final class FileNode implements Node {
        private final FileContent content;

        FileNode(FileContent content) {
            this.content = content;
        }
    }

    /** A directory as it is seen and as it is on the device; the changes lead from this to that. */
    private static final class Directory implements Node {
        private final TreeMap<String, Long> seen = new TreeMap<>();
        private final TreeMap<String, Long> durable = new TreeMap<>();
        private final List<Change> unforced = new ArrayList<>();

        void change(Change change) {
            change.apply(seen);
            unforced.add(change);
        }
    }

    /** One name goes, one comes; empty for none. Both at once, as a rename does. */
    private record Change(String goes, String comes, long number) {
        void apply(TreeMap<String, Long> names) {
            names.remove(goes);
            if (!comes.isEmpty()) {
                names.put(comes, number);
            }
        }
    }

    /** Attributes of a file or directory. */
    public record Attributes(long number, boolean directory, long size) {}

    /** An empty file system. */
    public ForgetfulFiles() {
        nodes = new TreeMap<>(Map.of(ROOT, new Directory()));
        lastNumber = ROOT;
    }

    private ForgetfulFiles(Map<Long, Node> nodes, long lastNumber) {
        this.nodes = nodes;
        this.lastNumber = lastNumber;
    }

    private interface Action<T> {
        T run() throws IOException;
    }

    private <T> T locked(Action<T> action) throws IOException {
        lock.lock();
        try {
            if (powerIsOut) {
                throw new PowerIsOut();
            }
            return action.run();
        } finally {
            lock.unlock();
        }
    }

    private void doLocked(Step step) throws IOException {
        locked(() -> {
            step.run();
            return true;
        });
    }

    private interface Step {
        void run() throws IOException;
    }

    /** Cuts the power: from now on no call gets an answer. Returns the files that the next power-on finds. */
    public ForgetfulFiles cut(Survivors survivors) {
        lock.lock();
        try {
            powerIsOut = true;
            TreeMap<Long, Node> left = new TreeMap<>();
            keep(ROOT, survivors, left);
            return new ForgetfulFiles(left, lastNumber);
        } finally {
            lock.unlock();
        }
    }

    private void keep(long number, Survivors survivors, Map<Long, Node> left) {
        switch (nodes.get(number)) {
            case FileNode file -> left.put(number, new FileNode(file.content.left(survivors)));
            case Directory directory -> {
                Directory kept = new Directory();
                kept.durable.putAll(directory.durable);
                directory
                        .unforced
                        .subList(0, survivors.ofChanges(directory.unforced.size()))
                        .forEach(change -> change.apply(kept.durable));
                kept.seen.putAll(kept.durable);
                left.put(number, kept);
                kept.seen.values().forEach(each -> keep(each, survivors, left));
            }
            case null -> throw new IllegalStateException("a name leads to a node that is not there: " + number);
        }
    }

    private Directory directory(long number) throws FileSystemError {
        return switch (nodes.get(number)) {
            case Directory directory -> directory;
            case FileNode _ -> throw new FileSystemError(FileSystemError.NO_DIRECTORY, "not a directory");
            case null -> throw new FileSystemError(FileSystemError.NO_ENTRY, "no such node");
        };
    }

    private FileContent content(long number) throws FileSystemError {
        return switch (nodes.get(number)) {
            case FileNode file -> file.content;
            case Directory _ -> throw new FileSystemError(FileSystemError.IS_DIRECTORY, "a directory");
            case null -> throw new FileSystemError(FileSystemError.NO_ENTRY, "no such node");
        };
    }

    private long find(long parent, String name) throws FileSystemError {
        Long number = directory(parent).seen.get(name);
        if (number == null) {
            throw new FileSystemError(FileSystemError.NO_ENTRY, name);
        }
        return number;
    }

    Attributes attributes(long number) throws IOException {
        return locked(() -> switch (nodes.get(number)) {
            case FileNode file -> new Attributes(number, false, file.content.size());
            case Directory _ -> new Attributes(number, true, 0);
            case null -> throw new FileSystemError(FileSystemError.NO_ENTRY, "no such node");
        });
    }

    Attributes lookUp(long parent, String name) throws IOException {
        return locked(() -> attributes(find(parent, name)));
    }

    /** The names and numbers in a directory. */
    TreeMap<String, Attributes> list(long number) throws IOException {
        return locked(() -> {
            TreeMap<String, Attributes> entries = new TreeMap<>();
            for (Map.Entry<String, Long> entry : directory(number).seen.entrySet()) {
                entries.put(entry.getKey(), attributes(entry.getValue()));
            }
            return entries;
        });
    }

    Attributes createFile(long parent, String name) throws IOException {
        return create(parent, name, new FileNode(new FileContent()));
    }

    Attributes createDirectory(long parent, String name) throws IOException {
        return create(parent, name, new Directory());
    }

    private Attributes create(long parent, String name, Node node) throws IOException {
        return locked(() -> {
            Directory directory = directory(parent);
            if (directory.seen.containsKey(name)) {
                throw new FileSystemError(FileSystemError.EXISTS, name);
            }
            long number = ++lastNumber;
            nodes.put(number, node);
            directory.change(new Change("", name, number));
            return attributes(number);
        });
    }

    /** A file that is open stays readable without a name; its bytes are given free by the next cut. */
    void removeFile(long parent, String name) throws IOException {
        doLocked(() -> {
            content(find(parent, name));
            directory(parent).change(new Change(name, "", 0));
        });
    }

    void removeDirectory(long parent, String name) throws IOException {
        doLocked(() -> {
            if (!directory(find(parent, name)).seen.isEmpty()) {
                throw new FileSystemError(FileSystemError.NOT_EMPTY, name);
            }
            directory(parent).change(new Change(name, "", 0));
        });
    }

    /** Within one directory only; a file that has the new name goes. */
    void rename(long from, String name, long to, String newName) throws IOException {
        doLocked(() -> {
            if (from != to) {
                throw new FileSystemError(FileSystemError.OTHER_DEVICE, name);
            }
            long number = find(from, name);
            if (!name.equals(newName)) {
                directory(from).change(new Change(name, newName, number));
            }
        });
    }

    byte[] read(long number, long position, int length) throws IOException {
        return locked(() -> content(number).read(position, length));
    }

    void write(long number, long position, byte[] bytes) throws IOException {
        doLocked(() -> content(number).write(position, bytes));
    }

    void truncate(long number, long size) throws IOException {
        doLocked(() -> content(number).truncate(size));
    }

    /** Puts a file's bytes and size on the device, but not its name. */
    void force(long number) throws IOException {
        doLocked(() -> content(number).force());
    }

    /** Puts these bytes of a file on the device. */
    void force(long number, long position, int length) throws IOException {
        doLocked(() -> content(number).force(position, length));
    }

    /** Puts a directory's names on the device. */
    void forceDirectory(long number) throws IOException {
        doLocked(() -> {
            Directory directory = directory(number);
            directory.unforced.forEach(change -> change.apply(directory.durable));
            directory.unforced.clear();
        });
    }

    /** Directories whose unforced names a cut would put at risk. */
    public int dirtyDirectories() {
        lock.lock();
        try {
            return (int) nodes.values().stream()
                    .filter(node -> node instanceof Directory directory && !directory.unforced.isEmpty())
                    .count();
        } finally {
            lock.unlock();
        }
    }

    /** Files whose unforced bytes or size a cut would put at risk. */
    public int dirtyFiles() {
        lock.lock();
        try {
            return (int) nodes.values().stream()
                    .filter(node -> node instanceof FileNode file && file.content.isDirty())
                    .count();
        } finally {
            lock.unlock();
        }
    }
}
