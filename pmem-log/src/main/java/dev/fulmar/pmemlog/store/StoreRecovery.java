package dev.fulmar.pmemlog.store;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.checkpoint.CheckpointStore;
import dev.fulmar.pmemlog.checkpoint.LoadReport;
import dev.fulmar.pmemlog.recovery.LogScan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rebuilds the objects from checkpoint and log. */
final class StoreRecovery {
    private final ObjectTable objects;
    private final StoreCheckpoints dirty;
    private long last;

    /** A commit after the checkpoint. */
    private record Commit(long timestamp, byte[] payload) {}

    StoreRecovery(ObjectTable objects, StoreCheckpoints dirty) {
        this.objects = objects;
        this.dirty = dirty;
    }

    /** Loads the checkpoint; returns the timestamp of its snapshot. */
    long load(CheckpointStore checkpoints) {
        LoadReport report = checkpoints.load(
                StoreCheckpoints.PARTITION,
                (table, bucket, row, array, offset, length) -> objects.put(new StoredObject(
                        row,
                        new Version(
                                LittleEndian.getLong(array, offset),
                                Arrays.copyOfRange(
                                        array, offset + StoreCheckpoints.IMAGE_HEADER_BYTES, offset + length),
                                null))));
        last = report.position().commitTimestamp();
        return last;
    }

    /** Replays what the log has after the checkpoint, in the order of the timestamps; returns the last of them. */
    long replay(LogScan scan) {
        List<Commit> commits = new ArrayList<>();
        long covered = last;
        scan.replay(stream -> true, (record, segment, offset) -> {
            if (record.commitTimestamp() > covered) {
                commits.add(new Commit(record.commitTimestamp(), record.payload()));
            }
        });
        commits.sort(Comparator.comparingLong(Commit::timestamp));
        for (Commit commit : commits) {
            apply(commit);
            last = commit.timestamp;
        }
        objects.collectFree();
        return last;
    }

    private void apply(Commit commit) {
        byte[] payload = commit.payload;
        if (payload.length == 0 || payload[0] != ChangeCodec.VERSION) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "the store's log has a commit in a form that this version of Fulmar does not know;"
                            + " start the version that wrote it");
        }
        int at = 1;
        while (at < payload.length) {
            long id = LittleEndian.getLong(payload, at);
            int bytes = LittleEndian.getInt(payload, at + 8);
            int from = LittleEndian.getInt(payload, at + 12);
            at += ChangeCodec.HEADER_BYTES;
            StoredObject object = objects.get(id);
            if (object == null) {
                object = new StoredObject(id, null);
                objects.put(object);
            }
            object.install(new Version(commit.timestamp, imageAfter(object, payload, at, bytes, from), null));
            dirty.changed(object);
            at += Math.max(0, bytes);
        }
    }

    private static byte @Nullable [] imageAfter(StoredObject object, byte[] payload, int at, int bytes, int from) {
        if (bytes == ChangeCodec.GONE) {
            return null;
        }
        if (from == ChangeCodec.WHOLE) {
            return Arrays.copyOfRange(payload, at, at + bytes);
        }
        Version before = object.newest();
        byte[] image = before == null ? null : before.image;
        if (image == null || from + bytes > image.length) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "the store is corrupt: the log changes object " + object.id
                            + ", which neither it nor the checkpoint has; restore the files from a copy");
        }
        byte[] after = image.clone();
        System.arraycopy(payload, at, after, from, bytes);
        return after;
    }
}
