package dev.fulmar.pmemlog.recovery;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.pmemlog.record.RecordCheck;
import dev.fulmar.pmemlog.record.RecordFormat;
import dev.fulmar.pmemlog.record.RecordReader;
import dev.fulmar.pmemlog.segment.GroupHeader;
import dev.fulmar.pmemlog.segment.LogControl;
import dev.fulmar.pmemlog.segment.StreamEnd;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The result of verifying a log before recovery: verdict, end, segments and streams, from which threads replay the
 * records. Several threads may replay it at once, each the streams that it asks for.
 */
public final class LogScan {
    private final Storage storage;
    private final String directory;
    private final LogVerdict verdict;
    private final List<String> remarks;
    private final @Nullable LogControl control;
    private final List<SegmentSummary> segments;
    private final Map<Integer, StreamHistory> streams;
    private final End end;

    /**
     * End of the log.
     *
     * @param lastGroup number of the last group, 0 if there is none
     * @param lastGroupPlace where that is; null if there is none
     * @param life of that group's writer, 0 if there is none
     * @param segmentIndex of the segment in which the next group belongs, in the list of segments
     * @param offset where in it the next group belongs
     */
    record End(long lastGroup, @Nullable GroupPlace lastGroupPlace, int life, int segmentIndex, int offset) {}

    LogScan(
            Storage storage,
            String directory,
            LogVerdict verdict,
            List<String> remarks,
            @Nullable LogControl control,
            List<SegmentSummary> segments,
            Map<Integer, StreamHistory> streams,
            End end) {
        this.storage = storage;
        this.directory = directory;
        this.verdict = verdict;
        this.remarks = List.copyOf(remarks);
        this.control = control;
        this.segments = List.copyOf(segments);
        this.streams = streams;
        this.end = end;
    }

    /** The verdict on the log. */
    public LogVerdict verdict() {
        return verdict;
    }

    /** Harmless defects, such as a damaged copy of data that exist twice. */
    public List<String> remarks() {
        return remarks;
    }

    /** Directory of the log. */
    public String directory() {
        return directory;
    }

    /** Content of the control file; null if there is none. */
    public @Nullable LogControl control() {
        return control;
    }

    /** The segments from the first that is needed on. */
    public List<SegmentSummary> segments() {
        return segments;
    }

    /** Number of the last group, 0 if there is none. */
    public long lastGroup() {
        return end.lastGroup();
    }

    /** Place of the last group; null if there is none. */
    public @Nullable GroupPlace lastGroupPlace() {
        return end.lastGroupPlace();
    }

    /** Number of times that the log had been opened when its last group was written. */
    public int life() {
        return end.life();
    }

    /** Index in {@link #segments()} of the segment in which the log goes on. */
    public int endSegmentIndex() {
        return end.segmentIndex();
    }

    /** Offset in that segment at which the log goes on. */
    public int endOffset() {
        return end.offset();
    }

    /** Summary of each stream in the log. */
    public SortedMap<Integer, StreamSummary> streams() {
        SortedMap<Integer, StreamSummary> summaries = new TreeMap<>();
        streams.forEach((stream, history) -> summaries.put(stream, history.summary()));
        return summaries;
    }

    /** End of each stream. */
    public SortedMap<Integer, StreamEnd> streamEnds() {
        SortedMap<Integer, StreamEnd> ends = new TreeMap<>();
        streams.forEach((stream, history) -> ends.put(stream, history.end()));
        return ends;
    }

    /** Fails if the log is corrupt. */
    public void check() {
        if (verdict instanceof LogVerdict.Corrupt corrupt) {
            throw corruption(corrupt.file(), corrupt.offset(), corrupt.reason());
        }
    }

    /**
     * Gives the handler the records of the streams, each stream in the order of its sequence and without what a later
     * epoch made void. Fails if the log is corrupt. What the handler throws comes out.
     */
    public void replay(IntPredicate wanted, RecordHandler handler) {
        check();
        inspect(stream -> stream != RecordFormat.LOG_STREAM && wanted.test(stream), (record, segment, offset) -> {
            if (!isVoid(record, segment, offset)) {
                handler.record(record, segment, offset);
            }
        });
    }

    private boolean isVoid(RecordReader record, long segment, int offset) {
        StreamHistory history = streams.get(record.stream());
        return history != null && history.isVoid(record, segment, offset);
    }

    /**
     * Gives the handler every record up to the last good one, the log's own and the void ones too, even of a corrupt
     * log.
     */
    public void inspect(RecordHandler handler) {
        inspect(stream -> true, handler);
    }

    private void inspect(IntPredicate wanted, RecordHandler handler) {
        for (SegmentSummary segment : segments) {
            if (segment.endOffset() > segment.header().blockBytes()) {
                readSegment(segment, wanted, handler);
            }
        }
    }

    private void readSegment(SegmentSummary segment, IntPredicate wanted, RecordHandler handler) {
        RecordReader record = new RecordReader();
        try (SegmentReader reader = new SegmentReader(storage, segment.file())) {
            int offset = segment.header().blockBytes();
            while (offset < segment.endOffset()) {
                GroupHeader group = reader.groupAt(segment.header(), offset);
                if (group == null || !reader.isWhole(group)) {
                    throw corruption(segment.file(), offset, "a group that was there a moment ago is gone");
                }
                readGroup(reader, group, record, wanted, handler);
                offset += segment.header().wholeBlocks(GroupHeader.BYTES + group.bodyBytes());
            }
        }
    }

    /** The group's checksum was found right, and with it those of its records. What is not wanted is passed over. */
    private static void readGroup(
            SegmentReader reader, GroupHeader group, RecordReader record, IntPredicate wanted, RecordHandler handler) {
        int offset = group.offset() + GroupHeader.BYTES;
        int end = offset + group.bodyBytes();
        while (offset < end) {
            RecordCheck check = record.wrapChecked(reader.memory(), reader.index(offset), end - offset);
            if (check != RecordCheck.VALID) {
                throw corruption(reader.fileName(), offset, "instead of a record there is " + check.description());
            }
            if (wanted.test(record.stream())) {
                handler.record(record, group.segment(), offset);
            }
            offset += record.storedBytes();
        }
    }

    private static FulmarException corruption(String file, int offset, String reason) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "the log is corrupt in " + file + " at offset " + offset + ": " + reason
                        + "; restore the file from a copy, or rebuild this node from another one");
    }
}
