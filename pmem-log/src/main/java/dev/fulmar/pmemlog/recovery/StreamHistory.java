package dev.fulmar.pmemlog.recovery;

import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordReader;
import dev.fulmar.pmemlog.segment.StreamEnd;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks, while recovery reads a log, that the records of one stream follow each other, and tells which of them are
 * void. A later epoch, or a copy that began later, makes earlier records void.
 */
final class StreamHistory {
    private long baseSequence;
    private final List<EpochStart> epochStarts = new ArrayList<>();
    private long lastSequence;
    private int lastEpoch;

    /** Place of the record with which a copy from another node began; records before it are void. */
    private @Nullable GroupPlace copyPlace;

    /** From its sequence on, what earlier epochs wrote is void. */
    private record EpochStart(int epoch, long sequence) {}

    StreamHistory(StreamEnd base) {
        this.baseSequence = base.sequence();
        this.lastSequence = base.sequence();
        this.lastEpoch = base.epoch();
    }

    StreamEnd end() {
        return new StreamEnd(lastEpoch, lastSequence);
    }

    StreamSummary summary() {
        return new StreamSummary(baseSequence, lastSequence, lastEpoch, copyPlace != null);
    }

    /** Adds the record; returns why it cannot follow, or null. */
    @Nullable String append(RecordReader record, long segment, int offset) {
        if (record.kind() == RecordKind.COPY) {
            return copyBegins(record, segment, offset);
        }
        boolean newEpoch = record.kind() == RecordKind.EPOCH;
        if (newEpoch && lastSequence == 0 && record.sequence() > 0) {
            // A copy that begins where another one stands: its stream has nothing before the epoch.
            baseSequence = record.sequence() - 1;
            lastSequence = baseSequence;
        }
        boolean follows = newEpoch
                ? record.epoch() > lastEpoch && record.sequence() > 0 && record.sequence() <= lastSequence + 1
                : record.epoch() == lastEpoch && record.sequence() == lastSequence + 1;
        if (!follows) {
            return "record " + record.sequence() + " of epoch " + record.epoch() + " cannot follow record "
                    + lastSequence + " of epoch " + lastEpoch + " in stream " + record.stream();
        }
        if (newEpoch) {
            baseSequence = Math.min(baseSequence, record.sequence() - 1);
            epochStarts.add(new EpochStart(record.epoch(), record.sequence()));
        }
        lastSequence = record.sequence();
        lastEpoch = record.epoch();
        return null;
    }

    private @Nullable String copyBegins(RecordReader record, long segment, int offset) {
        if (record.sequence() <= 0) {
            return "a copy cannot begin behind record " + record.sequence() + " in stream " + record.stream();
        }
        copyPlace = new GroupPlace(segment, offset, record.storedBytes());
        epochStarts.clear();
        baseSequence = record.sequence();
        lastSequence = record.sequence();
        lastEpoch = record.epoch();
        return null;
    }

    /** Whether a later epoch, or a copy that began later, made the record void. */
    boolean isVoid(RecordReader record, long segment, int offset) {
        GroupPlace copy = copyPlace;
        if (copy != null && (segment < copy.segment() || (segment == copy.segment() && offset < copy.offset()))) {
            return true;
        }
        for (EpochStart start : epochStarts) {
            if (start.epoch > record.epoch() && start.sequence <= record.sequence()) {
                return true;
            }
        }
        return false;
    }
}
