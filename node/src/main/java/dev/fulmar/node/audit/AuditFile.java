package dev.fulmar.node.audit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.data.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An append-only audit log, a JSON object per line. Each line ends with a digest of itself and of the line before, so
 * that a line that was changed or taken out is found. A user with write access to the file can write all of it anew:
 * send a copy elsewhere as it grows. Thread-safe; never blocks the thread that notes an event.
 */
public final class AuditFile implements AuditTrail, AutoCloseable {
    /** Name of the audit log in a data directory. */
    public static final String NAME = "audit.log";

    private static final Logger LOG = LoggerFactory.getLogger(AuditFile.class);
    private static final int QUEUE_CAPACITY = 16_384;
    private static final int MOST_CHARACTERS = 1_000;

    /**
     * A start checks only the end of a log that is larger: that takes a fraction of a second, and
     * {@code fulmar audit verify} checks all of it.
     */
    private static final long MOST_BYTES_CHECKED = 64L << 20;

    private static final String CHAIN = "chain";
    private static final ObjectMapper JSON = new ObjectMapper();

    private record Entry(Instant time, AuditEvent event) {}

    private final FileChannel file;
    private final Executor executor;
    private final ArrayBlockingQueue<Entry> waiting = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicLong lost = new AtomicLong();
    private final ReentrantLock writing = new ReentrantLock();
    private final boolean isRegular;
    private String chain;

    /** End of the last whole line. */
    private long position;

    /**
     * Goes on with what is there. A log that was damaged, or that cannot be read, is set aside with a warning and a new
     * one begun, which says so: it is no data, so it keeps no database from its start. A last line that is not whole is
     * what a crash leaves, and goes.
     *
     * @param path its directory is made if it is absent: a node that keeps nothing else on disk has none yet
     * @param executor of one thread; writes, and waits for the disk
     */
    public AuditFile(Path path, Executor executor) {
        this.executor = executor;
        try {
            Path directory = path.toAbsolutePath().getParent();
            if (directory != null) {
                OwnerOnly.createDirectory(directory);
            }
            AuditScan found = scan(path);
            chain = found.chain();
            file = OwnerOnly.appendTo(path);
            isRegular = Files.isRegularFile(path);
            if (found.incompleteBytes() > 0) {
                file.truncate(found.wholeBytes());
                LOG.warn("the last line of the audit log {} was not whole and is cut", path);
                noteLater(found.incompleteBytes() + " bytes of a last line that was not whole were cut", "CUT");
            }
            position = isRegular ? file.size() : 0;
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the audit log " + path + " cannot be written (" + e
                            + "); check path and permissions, or name another file with the setting audit",
                    e);
        }
    }

    /** Scans the existing audit log; a log that no line can follow is set aside, and counts as empty. */
    private AuditScan scan(Path path) throws IOException {
        AuditScan none = new AuditScan(0, AuditScan.FIRST_CHAIN, 0, 0, 0);
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                || (Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path))) {
            return none; // a terminal or a pipe has no past
        }
        String problem;
        try {
            AuditScan found = AuditScan.of(path, MOST_BYTES_CHECKED);
            FileChannel.open(path, StandardOpenOption.WRITE).close();
            if (found.isWhole()) {
                return found;
            }
            problem = "is damaged: after " + found.wholeBytes() + " bytes a line does not follow from those before it";
        } catch (IOException e) {
            problem = "cannot be read and written (" + e + ")";
        }
        Path aside = freeName(path);
        Files.move(path, aside);
        LOG.warn("the audit log {} {}; it is kept as {}, and a new one begins", path, problem, aside);
        noteLater("the audit log before this one " + problem + "; it is kept as " + aside.getFileName(), "DAMAGED");
        return none;
    }

    private static Path freeName(Path path) {
        int number = 1;
        Path name = path.resolveSibling(path.getFileName() + ".damaged-" + number);
        while (Files.exists(name, LinkOption.NOFOLLOW_LINKS)) {
            number++;
            name = path.resolveSibling(path.getFileName() + ".damaged-" + number);
        }
        return name;
    }

    /** Notes an event of the node, which is written with the next ones, the start of the node for example. */
    private void noteLater(String what, String outcome) {
        waiting.add(new Entry(Instant.now(), new AuditEvent(AuditEvent.Kind.NODE, "", "", what, outcome)));
    }

    @Override
    public void note(AuditEvent event) {
        if (!waiting.offer(new Entry(Instant.now(), event))) {
            lost.incrementAndGet();
        }
        if (scheduled.compareAndSet(false, true)) {
            try {
                executor.execute(this::write);
            } catch (RejectedExecutionException e) {
                LOG.debug("the end of the audit log is written when it closes", e);
            }
        }
    }

    private void write() {
        writing.lock();
        try {
            if (file.isOpen()) { // else the node has ended, or did not start
                writeWaiting();
            }
        } finally {
            writing.unlock();
        }
    }

    private void writeWaiting() {
        scheduled.set(false);
        List<Entry> entries = new ArrayList<>();
        waiting.drainTo(entries);
        String before = chain;
        StringBuilder lines = new StringBuilder();
        for (Entry entry : entries) {
            lines.append(line(entry.time, entry.event));
        }
        long missing = lost.getAndSet(0);
        if (missing > 0) {
            lines.append(line(
                    Instant.now(),
                    new AuditEvent(
                            AuditEvent.Kind.NODE, "", "", missing + " events came too fast and are lost", "LOST")));
        }
        append(lines.toString(), before, entries.size() + missing);
    }

    /** Appends lines, or takes back what could not be written whole, so that later lines follow from earlier ones. */
    private void append(String lines, String before, long events) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(false);
            position += bytes.limit();
        } catch (IOException e) {
            lost.addAndGet(events);
            String beginning = lines.length() <= MOST_CHARACTERS ? lines : lines.substring(0, MOST_CHARACTERS) + "...";
            LOG.error("the audit log cannot be written, {} events are lost: {}", events, beginning, e);
            chain = before;
            takeBack();
        }
    }

    private void takeBack() {
        try {
            if (isRegular && file.size() > position) {
                file.truncate(position);
            }
        } catch (IOException e) {
            LOG.error("a part of a line stays in the audit log; the next start sets it aside", e);
        }
    }

    private String line(Instant time, AuditEvent event) {
        ObjectNode line = JSON.createObjectNode()
                .put("time", time.toString())
                .put("kind", event.kind().name())
                .put("user", shortened(event.user()))
                .put("address", event.address())
                .put("what", shortened(event.what()))
                .put("outcome", event.outcome());
        byte[] bytes = line.toString().getBytes(StandardCharsets.UTF_8);
        chain = AuditScan.digest(chain, bytes, bytes.length - 1); // the brace comes after the digest
        return line.put(CHAIN, chain).toString() + "\n";
    }

    private static String shortened(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
    }

    /** Checks the digests of a file's lines, and fails if one does not follow from those before it. */
    public static AuditScan verify(Path path) throws IOException {
        AuditScan found = AuditScan.of(path);
        if (!found.isWhole()) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "line " + found.badLine() + " of " + path + ", after " + found.wholeBytes()
                            + " bytes, does not follow from those before it: it was changed, or one before it was taken out");
        }
        return found;
    }

    /** Writes what was noted; what comes later is forgotten. */
    @Override
    public void close() {
        writing.lock();
        try {
            if (file.isOpen()) {
                writeWaiting();
                file.close();
            }
        } catch (IOException e) {
            LOG.warn("the audit log could not be closed", e);
        } finally {
            writing.unlock();
        }
    }
}
