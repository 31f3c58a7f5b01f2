package dev.fulmar.coordinator.durability.backup;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.ForwardingFile;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.pmemlog.recovery.LogReader;
import dev.fulmar.pmemlog.recovery.LogScan;
import dev.fulmar.pmemlog.recovery.StreamSummary;
import dev.fulmar.pmemlog.segment.LogControl;
import dev.fulmar.pmemlog.segment.SegmentNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Read-only view of a backup together with log from elsewhere, as if they were one data directory. The checkpoints are
 * the backup's, each segment of the log is the last given place's that has it, and the control file names them all.
 */
public final class RestoreView implements Storage {
    private final Storage backup;
    private final String logDirectory;
    private final SortedMap<Long, Place> segments;
    private final byte[] control;
    private final boolean hasMore;

    private record Place(Storage storage, String name) {}

    /** A place with more log. */
    public record LogPlace(Storage storage, String directory) {}

    private RestoreView(
            Storage backup, String logDirectory, SortedMap<Long, Place> segments, byte[] control, boolean hasMore) {
        this.backup = backup;
        this.logDirectory = logDirectory;
        this.segments = segments;
        this.control = control;
        this.hasMore = hasMore;
    }

    /** Fails if a place has no log or another database's, or if segments are missing between them. */
    public static RestoreView of(Storage backup, String logDirectory, List<LogPlace> more) {
        try {
            LogControl own = control(backup, logDirectory);
            SortedMap<Long, Place> segments = new TreeMap<>();
            add(new LogPlace(backup, logDirectory), segments);
            for (LogPlace place : more) {
                LogControl other = control(place.storage(), place.directory());
                if (other != null && own != null && other.logId() != own.logId()) {
                    throw refused("the log given is of another database than the backup");
                }
                if (add(place, segments) == 0) {
                    throw refused("there is no log in the directory " + place.directory()
                            + " that was given; name a data directory, its log, or an archive");
                }
            }
            long first = own == null ? 1 : own.firstSegment();
            segments.keySet().removeIf(number -> number < first);
            checkGaps(segments, first);
            long last = segments.isEmpty() ? 0 : segments.lastKey();
            LogControl all = new LogControl(own == null ? 0 : own.logId(), 1, first, last);
            MemoryFile file = new MemoryFile(new byte[0]);
            all.writeTo(file);
            return new RestoreView(backup, logDirectory, segments, file.bytes, !more.isEmpty());
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.STORAGE_FAILURE, "the log to restore from cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Fails if the whole log, as scanned, ends before the backup's own log does. Then a place has an older copy of a
     * segment than the backup, and commits that the backup promises would silently not be there.
     */
    void checkReach(LogScan whole) {
        if (!hasMore) {
            return;
        }
        SortedMap<Integer, StreamSummary> reached = whole.streams();
        LogReader.scan(backup, logDirectory).streams().forEach((stream, own) -> {
            StreamSummary found = reached.get(stream);
            if (found == null || found.lastSequence() < own.lastSequence()) {
                throw refused(
                        "the log given was copied before the backup ended; give a newer copy of it, or none to restore"
                                + " the backup as it is");
            }
        });
    }

    private static void checkGaps(SortedMap<Long, Place> segments, long first) {
        long expected = first;
        for (long number : segments.keySet()) {
            if (number != expected) {
                throw refused("segment " + expected + " of the log is missing between the backup and the log given;"
                        + " give the directory that has it with --log, which may be repeated");
            }
            expected++;
        }
    }

    private static FulmarException refused(String why) {
        return new FulmarException(ErrorCode.INVALID_CONFIGURATION, why);
    }

    private static @Nullable LogControl control(Storage storage, String directory) throws IOException {
        String name = SegmentNames.control(directory);
        if (!storage.exists(name)) {
            return null;
        }
        try (StorageFile file = storage.open(name)) {
            return LogControl.readFrom(file).control();
        }
    }

    /** Returns how many segments the place has. */
    private static int add(LogPlace place, SortedMap<Long, Place> segments) throws IOException {
        int count = 0;
        for (String name : place.storage().list(place.directory())) {
            long number = SegmentNames.segmentNumber(name);
            if (number >= 0) {
                String whole = place.directory().isEmpty() ? name : place.directory() + "/" + name;
                segments.put(number, new Place(place.storage(), whole));
                count++;
            }
        }
        return count;
    }

    private @Nullable Place place(String name) {
        if (!name.startsWith(logDirectory + "/")) {
            return null;
        }
        return segments.get(SegmentNames.segmentNumber(name.substring(logDirectory.length() + 1)));
    }

    @Override
    public StorageFile open(String name) throws IOException {
        if (name.equals(SegmentNames.control(logDirectory))) {
            return new MemoryFile(control);
        }
        Place place = place(name);
        return new ReadOnlyFile(name, place == null ? backup.open(name) : place.storage.open(place.name));
    }

    @Override
    public StorageFile openSynchronous(String name) throws IOException {
        return open(name);
    }

    @Override
    public boolean exists(String name) throws IOException {
        return name.equals(SegmentNames.control(logDirectory)) || place(name) != null || backup.exists(name);
    }

    @Override
    public List<String> list(String directory) throws IOException {
        if (!directory.equals(logDirectory)) {
            return backup.list(directory);
        }
        List<String> names = new ArrayList<>();
        for (long number : segments.keySet()) {
            String name = SegmentNames.segment(directory, number);
            names.add(name.substring(directory.length() + 1));
        }
        return names;
    }

    @Override
    public void rename(String from, String to) throws IOException {
        throw readOnly(from);
    }

    @Override
    public void delete(String name) throws IOException {
        throw readOnly(name);
    }

    @Override
    public void forceDirectory(String directory) {}

    private static IOException readOnly(String name) {
        return new IOException(name + " belongs to a backup and is not changed");
    }

    /** A read-only file, which no caller may change by mistake. */
    private static final class ReadOnlyFile extends ForwardingFile {
        private final String name;

        ReadOnlyFile(String name, StorageFile file) {
            super(file);
            this.name = name;
        }

        @Override
        public void write(long position, ByteBuffer source) throws IOException {
            throw readOnly(name);
        }

        @Override
        public void truncate(long size) throws IOException {
            throw readOnly(name);
        }

        @Override
        public void discard(long position, long bytes) throws IOException {
            throw readOnly(name);
        }

        @Override
        public void force() throws IOException {
            throw readOnly(name);
        }
    }

    /** A file that is nowhere else. */
    private static final class MemoryFile implements StorageFile {
        private byte[] bytes;

        MemoryFile(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public int read(long position, ByteBuffer target) {
            int count = (int) Math.clamp(bytes.length - position, 0L, target.remaining());
            target.put(bytes, (int) position, count);
            return count;
        }

        @Override
        public void write(long position, ByteBuffer source) {
            int end = Math.toIntExact(position) + source.remaining();
            bytes = end > bytes.length ? Arrays.copyOf(bytes, end) : bytes;
            source.get(bytes, (int) position, source.remaining());
        }

        @Override
        public void truncate(long size) {}

        @Override
        public void discard(long position, long bytes) {}

        @Override
        public void force() {}

        @Override
        public void close() {}
    }
}
