package dev.fulmar.node.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.data.OwnerOnly;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events in a file that only grows, a JSON object per line. Each line ends with a digest of itself and of the line before, so that a line that was changed or
 * taken out is found. Whoever may write the file can write all of it anew: send a copy elsewhere as it grows. Thread-safe; never blocks who notes
 * something.
 */
public final class AuditFile implements AuditTrail, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditFile.class);
    private static final int QUEUE_CAPACITY = 16_384;
    private static final int MOST_CHARACTERS = 1_000;
    private static final String CHAIN = "chain";
    private static final String FIRST_CHAIN = "0".repeat(64);
    private static final ObjectMapper JSON = new ObjectMapper();

    private record Entry(Instant time, AuditEvent event) {}

    private final FileChannel file;
    private final Executor executor;
    private final ArrayBlockingQueue<Entry> waiting = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicLong lost = new AtomicLong();
    private String chain;

    /**
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
            boolean torn = Files.exists(path) && !endsWithNewline(path);
            chain = lastChain(path);
            file = OwnerOnly.appendTo(path);
            if (torn) {
                file.write(ByteBuffer.wrap(new byte[] {'\n'}));
            }
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the audit log " + path + " cannot be written (" + e
                            + "); check path and permissions, or name another" + " file with the setting audit",
                    e);
        }
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
        scheduled.set(false);
        List<Entry> entries = new ArrayList<>();
        waiting.drainTo(entries);
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
        try {
            ByteBuffer bytes = ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(false);
        } catch (IOException e) {
            LOG.error("the audit log cannot be written, {} events are lost: {}", entries.size(), lines, e);
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
        chain = digest(chain, line.toString());
        return line.put(CHAIN, chain).toString() + "\n";
    }

    private static String shortened(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
    }

    private static String digest(String before, String line) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest((before + line).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new FulmarException(ErrorCode.INTERNAL, "this Java runtime lacks SHA-256; use a complete one", e);
        }
    }

    /**
     * Checks the digests of a file's lines.
     *
     * @return how many lines there are
     */
    public static long verify(Path path) throws IOException {
        String before = FIRST_CHAIN;
        long number = 0;
        try (BufferedReader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                number++;
                ObjectNode line = parse(text);
                String found = line.path(CHAIN).asText();
                line.remove(CHAIN);
                before = digest(before, line.toString());
                if (!before.equals(found)) {
                    throw new FulmarException(
                            ErrorCode.CORRUPTION,
                            "line " + number + " of " + path + " does not follow from those before it: it was changed,"
                                    + " or one before it was taken out, or the node died while it wrote");
                }
            }
        }
        return number;
    }

    private static ObjectNode parse(String text) {
        try {
            return JSON.readTree(text) instanceof ObjectNode line ? line : JSON.createObjectNode();
        } catch (JsonProcessingException e) {
            return JSON.createObjectNode(); // does not follow from anything
        }
    }

    private static String lastChain(Path path) throws IOException {
        String last = FIRST_CHAIN;
        if (Files.exists(path)) {
            try (BufferedReader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
                for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                    last = parse(text).path(CHAIN).asText(last);
                }
            }
        }
        return last;
    }

    private static boolean endsWithNewline(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            ByteBuffer end = ByteBuffer.allocate(1);
            return channel.size() == 0 || (channel.read(end, channel.size() - 1) == 1 && end.get(0) == '\n');
        }
    }

    /** After the executor has ended. */
    @Override
    public void close() {
        write();
        try {
            file.close();
        } catch (IOException e) {
            LOG.warn("the audit log could not be closed", e);
        }
    }
}
