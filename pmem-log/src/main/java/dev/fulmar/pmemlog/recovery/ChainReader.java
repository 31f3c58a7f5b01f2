package dev.fulmar.pmemlog.recovery;

import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.pmemlog.record.RecordCheck;
import dev.fulmar.pmemlog.record.RecordFormat;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordReader;
import dev.fulmar.pmemlog.recovery.LogScan.End;
import dev.fulmar.pmemlog.recovery.LogVerdict.Corrupt;
import dev.fulmar.pmemlog.segment.GroupHeader;
import dev.fulmar.pmemlog.segment.Seal;
import dev.fulmar.pmemlog.segment.SealReason;
import dev.fulmar.pmemlog.segment.SegmentHeader;
import dev.fulmar.pmemlog.segment.SegmentNames;
import dev.fulmar.pmemlog.segment.StreamEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows the chain of groups through the segments. It ends where the next group is not, and then everything behind the
 * end is searched for a group that attests that there was more.
 */
final class ChainReader {
    private final Storage storage;
    private final String directory;
    private final List<SegmentHeader> headers;
    private final List<SegmentSummary> segments = new ArrayList<>();
    private final SortedMap<Integer, StreamHistory> streams = new TreeMap<>();
    private final RecordReader record = new RecordReader();
    private SortedMap<Integer, Long> segmentStreams = new TreeMap<>();
    private long lastGroup;
    private @Nullable GroupPlace lastGroupPlace;
    private int life;
    private @Nullable SealReason lastSeal;
    private End end = new End(0, null, 0, 0, 0);

    ChainReader(Storage storage, String directory, List<SegmentHeader> headers) {
        this.storage = storage;
        this.directory = directory;
        this.headers = headers;
    }

    List<SegmentSummary> segments() {
        return segments;
    }

    Map<Integer, StreamHistory> streams() {
        return streams;
    }

    End end() {
        return end;
    }

    LogVerdict read() {
        Corrupt corrupt = null;
        int endIndex = -1;
        int endOffset = 0;
        for (int index = 0; index < headers.size(); index++) {
            SegmentHeader home = headers.get(index);
            int offset = home.blockBytes();
            if (corrupt == null && (endIndex < 0 || continuesIn(index))) {
                try (SegmentReader reader = open(index)) {
                    GroupHeader group = nextGroup(reader, home, offset);
                    while (group != null && reader.isWhole(group) && corrupt == null) {
                        corrupt = readGroup(reader, group);
                        if (corrupt == null) {
                            offset += home.wholeBlocks(GroupHeader.BYTES + group.bodyBytes());
                            group = nextGroup(reader, home, offset);
                        }
                    }
                }
                endIndex = index;
                endOffset = offset;
            }
            segments.add(new SegmentSummary(fileName(index), home, offset, segmentStreams));
            segmentStreams = new TreeMap<>();
        }
        return corrupt != null ? corrupt : judgeEnd(endIndex, endOffset);
    }

    /** Whether the segment's first group is the one that the chain needs next. */
    private boolean continuesIn(int index) {
        SegmentHeader home = headers.get(index);
        if (segments.getLast().endOffset() == headers.get(index - 1).blockBytes()) {
            return false;
        }
        try (SegmentReader reader = open(index)) {
            return nextGroup(reader, home, home.blockBytes()) != null;
        }
    }

    /** The header of the next group if it is there; its body may be broken. */
    private @Nullable GroupHeader nextGroup(SegmentReader reader, SegmentHeader home, int offset) {
        GroupHeader group = reader.groupAt(home, offset);
        if (group == null || group.life() < life) {
            return null;
        }
        boolean logBeginsHere =
                lastGroup == 0 && home.number() == headers.getFirst().number();
        boolean follows = (logBeginsHere && home.number() > 1) || group.number() == lastGroup + 1;
        return follows ? group : null;
    }

    private @Nullable Corrupt readGroup(SegmentReader reader, GroupHeader group) {
        int offset = group.offset() + GroupHeader.BYTES;
        int bodyEnd = offset + group.bodyBytes();
        lastSeal = null;
        for (int i = 0; i < group.recordCount(); i++) {
            RecordCheck check = record.wrap(reader.memory(), reader.index(offset), bodyEnd - offset);
            if (check != RecordCheck.VALID) {
                return new Corrupt(reader.fileName(), offset, "instead of a record there is " + check.description());
            }
            String breach = accept(group.segment(), offset);
            if (breach != null) {
                return new Corrupt(reader.fileName(), offset, breach);
            }
            offset += record.storedBytes();
        }
        if (offset != bodyEnd) {
            return new Corrupt(reader.fileName(), offset, "a group does not end with its last record");
        }
        lastGroup = group.number();
        lastGroupPlace = new GroupPlace(group.segment(), group.offset(), GroupHeader.BYTES + group.bodyBytes());
        life = group.life();
        return null;
    }

    /** Takes the record; returns why that cannot be, or null. */
    private @Nullable String accept(long segment, int offset) {
        int stream = record.stream();
        if (stream == RecordFormat.LOG_STREAM || record.kind() == RecordKind.SEAL) {
            return acceptSeal();
        }
        lastSeal = null;
        StreamHistory history = streams.computeIfAbsent(stream, any -> new StreamHistory(new StreamEnd(0, 0)));
        segmentStreams.merge(stream, record.sequence(), Math::max);
        return history.append(record, segment, offset);
    }

    private @Nullable String acceptSeal() {
        Seal seal = Seal.read(record);
        if (seal == null || record.stream() != RecordFormat.LOG_STREAM || record.kind() != RecordKind.SEAL) {
            return "a record of the log itself that is no seal";
        }
        lastSeal = seal.reason();
        seal.streams().forEach((stream, base) -> streams.computeIfAbsent(stream, any -> new StreamHistory(base)));
        for (Map.Entry<Integer, StreamHistory> stream : streams.entrySet()) {
            if (!stream.getValue().end().equals(seal.streams().get(stream.getKey()))) {
                return "a seal says that stream " + stream.getKey() + " stood at "
                        + seal.streams().get(stream.getKey()) + ", but it stands at "
                        + stream.getValue().end();
            }
        }
        return null;
    }

    private LogVerdict judgeEnd(int index, int offset) {
        end = new End(lastGroup, lastGroupPlace, life, index, offset);
        Corrupt corrupt = findAttestation();
        if (corrupt != null) {
            return corrupt;
        }
        if (lastGroup == 0 && headers.getFirst().number() > 1) {
            return new Corrupt(fileName(0), headers.getFirst().blockBytes(), "the first group of the log is not there");
        }
        if (brokenGroupAt(index, offset)) {
            return new LogVerdict.Cut(fileName(index), offset, "a group that is not whole");
        }
        if (lastSeal == SealReason.CLOSED) {
            return new LogVerdict.Closed(fileName(index), offset);
        }
        return new LogVerdict.Cut(fileName(index), offset, leftovers(index, offset));
    }

    private boolean brokenGroupAt(int index, int offset) {
        SegmentHeader home = headers.get(index);
        if (offset >= home.segmentBytes()) {
            return false;
        }
        try (SegmentReader reader = open(index)) {
            return nextGroup(reader, home, offset) != null;
        }
    }

    private String leftovers(int index, int offset) {
        SegmentHeader home = headers.get(index);
        try (SegmentReader reader = open(index)) {
            return offset >= home.segmentBytes() || reader.isZero(offset, home.blockBytes())
                    ? "nothing"
                    : "a group that is not whole or what an earlier use of the file left";
        }
    }

    /** Searches everything behind the chain for a group that was written after more than the chain has was durable. */
    private @Nullable Corrupt findAttestation() {
        for (int index = 0; index < headers.size(); index++) {
            SegmentHeader home = headers.get(index);
            try (SegmentReader reader = open(index)) {
                int offset = segments.get(index).endOffset();
                for (; offset < home.segmentBytes(); offset += home.blockBytes()) {
                    GroupHeader group = reader.groupAt(home, offset);
                    if (group != null && group.attested() > lastGroup) {
                        // What follows nothing in its segment was written where that segment begins.
                        boolean beganSegment = index > end.segmentIndex() && offset > home.blockBytes();
                        return new Corrupt(
                                fileName(beganSegment ? index : end.segmentIndex()),
                                beganSegment ? home.blockBytes() : end.offset(),
                                "group " + (lastGroup + 1) + " is missing or damaged, but it was durable when group "
                                        + group.number() + " was written, which is in " + fileName(index)
                                        + " at offset " + offset);
                    }
                }
            }
        }
        return null;
    }

    private SegmentReader open(int index) {
        return new SegmentReader(storage, fileName(index));
    }

    private String fileName(int index) {
        return SegmentNames.segment(directory, headers.get(index).number());
    }
}
