package dev.fulmar.node.wiring;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** A copy of a data directory with one file that is no longer what it was, and what a node makes of it. */
final class DamagedDirectory {
    /** Where a file is looked at for what it holds; the rest of it is zeros that were written ahead. */
    private static final int BLOCK_BYTES = 1 << 16;

    /** What became of the file; the words are those of the table's head. */
    enum Damage {
        DAMAGED,
        TRUNCATED,
        EMPTIED,
        DELETED,
        UNREADABLE
    }

    /**
     * What a node makes of it.
     *
     * @param started whether it started
     * @param contents what the tables hold then
     * @param said the warnings, or why it did not start
     */
    record Outcome(boolean started, String contents, String said) {}

    private final Path image;
    private final Path directory;

    /**
     * Makes nothing yet.
     *
     * @param image what is copied
     * @param directory where the copies come, one after the other
     */
    DamagedDirectory(Path image, Path directory) {
        this.image = image;
        this.directory = directory;
    }

    /** Starts a node on a fresh copy. */
    Outcome outcome(String file, Damage damage) throws IOException {
        delete(directory);
        copy(image, directory);
        Path damaged = directory.resolve(file);
        apply(damage, damaged);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        log.start();
        root.addAppender(log);
        try (FulmarNode node = FulmarNode.start(DirectoryImage.configuration(directory))) {
            String contents = contents(node);
            return new Outcome(true, contents, warnings(log));
        } catch (FulmarException e) {
            return new Outcome(false, "", e.code() + " " + e.getMessage());
        } finally {
            root.detachAppender(log);
            if (Files.exists(damaged)) {
                Files.setPosixFilePermissions(damaged, PosixFilePermissions.fromString("rw-------"));
            }
        }
    }

    private static String warnings(ListAppender<ILoggingEvent> log) {
        StringBuilder text = new StringBuilder();
        for (ILoggingEvent event : List.copyOf(log.list)) {
            if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
                text.append(event.getFormattedMessage()).append('\n');
            }
        }
        return text.toString();
    }

    private static void apply(Damage damage, Path file) throws IOException {
        switch (damage) {
            case DAMAGED -> flip(file, middleByte(file));
            case TRUNCATED -> resize(file, usedBytes(file) / 2);
            case EMPTIED -> resize(file, 0);
            case DELETED -> Files.delete(file);
            case UNREADABLE -> Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        }
    }

    private static void flip(Path file, long position) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(position);
            int value = open.read();
            open.seek(position);
            open.write(Math.max(value, 0) ^ 1 << 7);
        }
    }

    private static void resize(Path file, long size) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(size);
        }
    }

    /** As many bytes that are not zero come before it as after it: it is none that nobody reads. */
    private static long middleByte(Path file) throws IOException {
        byte[] bytes = new byte[Math.toIntExact(usedBytes(file))];
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
            open.readFully(bytes);
        }
        int used = 0;
        for (byte value : bytes) {
            used += value == 0 ? 0 : 1;
        }
        int position = 0;
        for (int seen = 0; seen < used / 2; position++) {
            seen += bytes[position] == 0 ? 0 : 1;
        }
        return position;
    }

    /** Up to the last byte that is not zero. */
    private static long usedBytes(Path file) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
            byte[] block = new byte[BLOCK_BYTES];
            for (long position = (open.length() - 1) / BLOCK_BYTES * BLOCK_BYTES;
                    position >= 0;
                    position -= BLOCK_BYTES) {
                open.seek(position);
                int count = open.read(block);
                for (int index = count - 1; index >= 0; index--) {
                    if (block[index] != 0) {
                        return position + index + 1;
                    }
                }
            }
            return 0;
        }
    }

    /** Copies what files hold, and leaves holes where they hold zeros. */
    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : paths.toList()) {
                Path target = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    copyFile(path, target, usedBytes(path));
                }
            }
        }
    }

    private static void copyFile(Path from, Path to, long usedBytes) throws IOException {
        try (RandomAccessFile source = new RandomAccessFile(from.toFile(), "r");
                RandomAccessFile target = new RandomAccessFile(to.toFile(), "rw")) {
            byte[] bytes = new byte[Math.toIntExact(usedBytes)];
            source.readFully(bytes);
            target.write(bytes);
            target.setLength(source.length());
        }
    }

    static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> paths = Files.walk(directory)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    /** What the tables hold, as a text; or that some statement fails. */
    static String contents(FulmarNode node) {
        List<String> rows = new ArrayList<>();
        for (String query :
                List.of("SELECT COUNT(*), SUM(ID), SUM(V) FROM ACCOUNT", "SELECT COUNT(*), SUM(ID), SUM(ID) FROM T")) {
            byte[] result = run(node, query);
            ResultBlock row = new ResultBlock().wrap(result, 0, result.length).at(0);
            rows.add(row.getLong(0) + " " + row.getLong(1) + " " + row.getLong(2));
        }
        return String.join(", ", rows);
    }

    /** Asks again as long as a partition of a cluster has no primary. */
    static byte[] run(FulmarNode node, String sql) {
        byte[] none = new ParameterWriter(64, 64).toByteArray();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            TransactionResponse response = node.database()
                    .submit(new TransactionRequest.AdHoc(0, 0, 0, sql, none))
                    .orTimeout(20, TimeUnit.SECONDS)
                    .join();
            if (response instanceof Committed committed) {
                return committed.results();
            }
            boolean mayCome = response instanceof Failed failed && failed.code() == ErrorCode.NOT_CONNECTED;
            if (!mayCome || System.nanoTime() - deadline > 0) {
                throw new AssertionError(sql + ": " + response);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** In a process that may not read everything: image, directory, then names of files; a line for each. */
    public static void main(String[] arguments) throws IOException {
        DamagedDirectory damaged = new DamagedDirectory(Path.of(arguments[0]), Path.of(arguments[1]));
        int status = 0;
        try {
            for (String file : List.of(arguments).subList(2, arguments.length)) {
                Outcome outcome = damaged.outcome(file, Damage.UNREADABLE);
                String said = outcome.said.replace('\n', ' ').replace('\t', ' ');
                System.out.println(file + "\t" + outcome.started + "\t" + outcome.contents + "\t" + said);
            }
        } catch (RuntimeException | AssertionError e) {
            e.printStackTrace();
            status = 1;
        }
        System.exit(status); // a start that failed may leave threads
    }
}
