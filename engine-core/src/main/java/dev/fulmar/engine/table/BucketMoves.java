package dev.fulmar.engine.table;

import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.partitioning.BucketLayout;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of a partition that are on their way to another one, or staged on their way here, by their moves.
 * Invariants:
 *
 * <ul>
 *   <li>A staged bucket has a number that no other bucket of the partition has, and keeps it when it is handed over.
 *   <li>Checkpoints and images have its rows under that number, and the layout of buckets tells that it is staged.
 *   <li>Restored from them, it numbers its next rows as it would have: rows before may be gone.
 *   <li>The partition's clock has passed the commit timestamps of its rows.
 *   <li>It has rows of today's tables: a table or index that comes, goes or changes drops all of them.
 *   <li>A bucket is handed over only if all of its rows, as they are, are staged at the other partition.
 * </ul>
 *
 * <p>For the partition's thread.
 */
public final class BucketMoves {
    /** Buckets that have left take at most this share of the node's memory for readers, which end then. */
    private static final int MOST_SHARE_KEPT = 8;

    private static final String TOO_MUCH_KEPT =
            "the snapshot is too old: buckets that moved since take too much memory; try again, or read less at a time";

    private final PartitionStorage storage;
    private final TreeMap<Long, BucketStaging> coming = new TreeMap<>();
    private final TreeMap<Long, BucketExtraction> leaving = new TreeMap<>();

    /** Cuts under way, whose copies of rows have memory of their own. */
    private final List<BucketCut> cuts = new ArrayList<>();

    /** Those of a checkpoint or image whose rows are being restored, as buckets of the partition. */
    private List<BucketLayout.Staged> restoring = List.of();

    /** Readers of images, whose rows do not change. */
    private final List<VersionReader> images = new ArrayList<>();

    BucketMoves(PartitionStorage storage) {
        this.storage = storage;
    }

    /** Begins to copy a bucket's rows for another partition; an earlier extraction for the move is ended. */
    public BucketExtraction extract(long move, int bucket) {
        BucketExtraction earlier = leaving.put(move, new BucketExtraction(storage, bucket));
        if (earlier != null) {
            earlier.end();
        }
        return leaving.get(move);
    }

    /** Whether a bucket is staged, copied for another partition, or cut. */
    public boolean isUnderWay() {
        return !coming.isEmpty() || !leaving.isEmpty() || !cuts.isEmpty();
    }

    /** The extraction of the move's bucket; null if none is under way. */
    public @Nullable BucketExtraction extraction(long move) {
        return leaving.get(move);
    }

    /** Ends the extraction of the move's bucket, which stays; does nothing if there is none. */
    public void endExtraction(long move) {
        BucketExtraction extraction = leaving.remove(move);
        if (extraction != null) {
            extraction.end();
        }
    }

    /** A number for {@link #stage}. */
    public int freeNumber() {
        return storage.buckets().freeNumber(storage.bucketBounds());
    }

    /** Begins to stage a bucket under the number, which no bucket has, for a move that has none yet. */
    public BucketStaging stage(long move, int number) {
        Invariants.check(!coming.containsKey(move), "a move stages a bucket once at a time");
        return add(new BucketLayout.Staged(move, number, 0), new BucketTransfer(storage).empty());
    }

    private BucketStaging add(BucketLayout.Staged staged, DetachedBucket bucket) {
        storage.buckets().reserve(staged.number());
        BucketStaging staging = new BucketStaging(storage, staged, bucket);
        coming.put(staged.move(), staging);
        return staging;
    }

    /** The staged bucket of the move; null if none is staged. */
    public @Nullable BucketStaging staging(long move) {
        return coming.get(move);
    }

    /** All staged buckets, by their moves. */
    public List<BucketStaging> stagings() {
        return List.copyOf(coming.values());
    }

    /**
     * The newest commit timestamp of rows that are staged by steps. The partition's clock must pass it: the rows keep
     * the timestamps of their source, and transactions after the hand-off commit later.
     */
    public long newestTimestamp() {
        return coming.values().stream()
                .mapToLong(BucketStaging::newestTimestamp)
                .max()
                .orElse(0);
    }

    /** The reader's image has the staged rows as they are; nothing comes to them before it leaves. */
    void hold(VersionReader reader) {
        images.add(reader);
    }

    /**
     * Whether images that are under way have the staged rows, so that no chunk is taken and no bucket handed over. A
     * caller asks again later. A staged bucket that is dropped ends such images.
     */
    public boolean isHeld() {
        images.removeIf(reader -> !reader.isOpen());
        return !images.isEmpty();
    }

    /**
     * Ends images that are under way. A copy that follows takes chunks as its primary did, and may have led until now
     * and built another copy: nobody waits for that image any more.
     */
    public void endImages() {
        images.forEach(reader -> reader.expire("rows that the image has of a reconfiguration are gone; try again"));
        images.clear();
    }

    /** The bounds of the partition's buckets, and those that are staged. */
    public BucketLayout layout() {
        return new BucketLayout(
                storage.bucketBounds(),
                Stream.concat(coming.values().stream().map(BucketStaging::description), restoring.stream())
                        .toList());
    }

    /**
     * Fails unless the partition can do its part of the hand-off now; no transaction is under way.
     *
     * @param plan by which the partition has its keys before it
     * @throws FulmarException {@link ErrorCode#SERVER_BUSY} if rows have changed since they were sent, if they
     *     are not all here, or if the bucket is in use otherwise; and {@link ErrorCode#INVALID_CONFIGURATION} for other
     *     keys than those of the bucket
     */
    public void check(HandOff handOff, int partition, PartitionPlan plan) {
        if (handOff.from() == partition) {
            checkExtraction(handOff, plan);
        } else if (handOff.to() == partition) {
            BucketStaging staging = coming.get(handOff.move());
            if (staging == null || staging.chunks() != handOff.chunks() || isHeld()) {
                throw notReady(handOff, "its rows are not all staged at partition " + partition);
            }
            checkCovered(handOff.ranges(), staging.number());
        }
    }

    private void checkCovered(List<KeyRange> ranges, int number) {
        if (ranges.isEmpty()
                || covered(assigned(ranges, number)).stream()
                        .anyMatch(other -> storage.partitioned().stream()
                                .anyMatch(store -> store.bucket(other).rowCount() > 0))) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a bucket with " + ranges.size() + " ranges has no keys, or keys of rows that are here already;"
                            + " choose one anew");
        }
    }

    /** Buckets that have no keys left by other bounds; by the plan they have had none of this partition. */
    private List<Integer> covered(BucketBounds after) {
        SortedSet<Integer> left = after.buckets();
        return storage.bucketBounds().buckets().stream()
                .filter(number -> !left.contains(number))
                .toList();
    }

    private void checkExtraction(HandOff handOff, PartitionPlan plan) {
        BucketExtraction extraction = leaving.get(handOff.move());
        if (extraction == null
                || extraction.bucket() != handOff.bucket()
                || extraction.chunks() != handOff.chunks()
                || !extraction.isWhole()) {
            throw notReady(handOff, "rows of bucket " + handOff.bucket() + " have changed since they were sent");
        }
        List<KeyRange> keys = KeyRange.common(
                plan.rangesOf(handOff.from()), storage.bucketBounds().rangesOf(handOff.bucket()));
        if (!new HashSet<>(keys).equals(new HashSet<>(handOff.ranges()))
                || storage.bucketBounds().buckets().size() == 1) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "bucket " + handOff.bucket() + " of partition " + handOff.from() + " has " + keys.size()
                            + " ranges among "
                            + storage.bucketBounds().buckets().size()
                            + " buckets, and cannot leave with "
                            + handOff.ranges().size()
                            + " ranges that are not the same");
        }
    }

    private static FulmarException notReady(HandOff handOff, String why) {
        return new FulmarException(
                ErrorCode.SERVER_BUSY, "move " + handOff.move() + " cannot be handed over yet: " + why);
    }

    private BucketBounds assigned(List<KeyRange> ranges, int number) {
        return storage.bucketBounds().assign(ranges, number);
    }

    /**
     * Does the partition's part of the hand-off, if it has one: the bucket leaves, or it is one of the partition's from
     * now on. Readers of earlier snapshots see it where it was. No transaction is under way, and no catalog change is
     * prepared.
     *
     * @param commitTimestamp of the hand-off, the same at both partitions
     */
    public void handOver(HandOff handOff, int partition, long commitTimestamp) {
        if (handOff.from() == partition) {
            endExtraction(handOff.move());
            retire(handOff.bucket(), commitTimestamp);
        } else if (handOff.to() == partition) {
            BucketStaging staging = coming.remove(handOff.move());
            if (staging == null) {
                throw Invariants.breach("a bucket is handed over where it is staged");
            }
            BucketBounds bounds = assigned(handOff.ranges(), staging.number());
            storage.buckets().release(staging.number());
            covered(bounds).forEach(number -> leave(number, commitTimestamp));
            new BucketTransfer(storage).attachMarked(staging.bucket(), staging.number(), bounds);
            if (storage.undoLog().isRetaining()) {
                history().arrived(staging.number(), commitTimestamp);
            }
        }
    }

    /** The bucket leaves for good. Its memory goes by {@link PartitionStorage#freeSome}, once no reader needs it. */
    private void retire(int number, long commitTimestamp) {
        BucketBounds rest = storage.bucketBounds().without(number);
        leave(number, commitTimestamp);
        storage.buckets().map().become(rest);
    }

    private void leave(int number, long commitTimestamp) {
        left(number, new BucketTransfer(storage).take(number), commitTimestamp);
    }

    /** Two others are in the place of the bucket, one of them under its number. */
    void replaced(int number, DetachedBucket bucket, int newNumber, long timestamp) {
        left(number, bucket, timestamp);
        if (storage.undoLog().isRetaining()) {
            history().arrived(number, timestamp);
            history().arrived(newNumber, timestamp);
        }
    }

    private void left(int number, DetachedBucket bucket, long commitTimestamp) {
        if (storage.undoLog().isRetaining()) {
            if (!storage.marks().isCollecting()) {
                bucket.leaveCheckpoints();
            }
            history().left(number, bucket, commitTimestamp);
            if (history().reservedBytes() > storage.budget().limitBytes() / MOST_SHARE_KEPT) {
                storage.horizon().expireAll(TOO_MUCH_KEPT);
            }
        } else {
            free(bucket);
        }
    }

    private BucketHistory history() {
        return storage.buckets().history();
    }

    /**
     * Whether a bucket that has left can give its memory back, which {@link PartitionStorage#freeSome} does, since the
     * last reader that needed it is gone.
     */
    public boolean hasUnread() {
        return history().isDue(storage.horizon().timestamp());
    }

    /** Forgets hand-offs that no reader is before; gives so many kept versions back first, if a bucket waits for it. */
    void releaseHistory(int mostRecords) {
        UndoLog versions = storage.undoLog();
        if (hasUnread()) {
            versions.reclaim(mostRecords);
        }
        if (versions.isEmpty() && !versions.hasGarbage()) {
            history()
                    .release(
                            storage.horizon().timestamp(),
                            bucket -> free(versions.hasForgotten() ? bucket::closeAtOnce : bucket::closeSome));
        }
    }

    /** The bucket is in no partition any more; a checkpoint under way may have its rows. */
    void free(DetachedBucket bucket) {
        free(bucket::closeSome);
    }

    private void free(IntPredicate memory) {
        if (!storage.marks().keep(memory)) {
            storage.freeLater(memory);
        }
    }

    /**
     * Drops the move's staged bucket with its rows; does nothing if there is none. Its memory goes by
     * {@link PartitionStorage#freeSome}.
     */
    public void drop(long move) {
        BucketStaging staging = coming.remove(move);
        if (staging != null) {
            endImages();
            storage.buckets().release(staging.number());
            DetachedBucket bucket = staging.bucket();
            bucket.tables().forEach(store -> storage.marks().left(store.bucket(0)));
            free(bucket);
        }
    }

    /** A cut begins. */
    void cutBegins(BucketCut cut) {
        cuts.add(cut);
    }

    /** The cut is over, or given up. */
    void cutEnds(BucketCut cut) {
        cuts.remove(cut);
    }

    /** Another node leads the partition: extractions and cuts, which no log has, are given up. */
    public void deposed() {
        List.copyOf(cuts).forEach(BucketCut::discard);
        List.copyOf(leaving.keySet()).forEach(this::endExtraction);
    }

    /** Gives the memory of all that is under way back. */
    void close() {
        List.copyOf(cuts).forEach(BucketCut::discard);
        dropAll();
    }

    /** Drops all staged buckets. */
    void dropAll() {
        stagings().forEach(staging -> drop(staging.move()));
    }

    /** Staged rows by tables, in memory of their own. */
    List<TableStore> stores() {
        List<TableStore> all = new ArrayList<>();
        coming.values().forEach(staging -> all.addAll(staging.bucket().tables()));
        return all;
    }

    /** Bytes of native memory of staged buckets, and of those that have left and are kept for readers. */
    long reservedBytes() {
        return history().reservedBytes()
                + coming.values().stream()
                        .mapToLong(BucketStaging::reservedBytes)
                        .sum();
    }

    /**
     * Rows of the table that come to the bucket without a number get at least this one, also if the bucket is staged.
     */
    public void passRowNumbers(int table, int bucket, long next) {
        TableStore store = storage.table(table);
        for (BucketStaging staging : coming.values()) {
            if (staging.number() == bucket && !store.definition().isReplicated()) {
                staging.bucket().table(table).passRowNumbers(0, next);
                return;
            }
        }
        store.passRowNumbers(bucket, next);
    }

    /** Rows of these come as those of buckets of the partition, until {@link #finishRestore}. */
    void restore(List<BucketLayout.Staged> staged) {
        restoring = List.copyOf(staged);
    }

    /** Whether the number is that of a staged bucket whose rows are being restored. */
    boolean isRestoring(int number) {
        return restoring.stream().anyMatch(one -> one.number() == number);
    }

    /** All rows are there, in no index yet: staged buckets leave the partition's tables, and are staged. */
    void finishRestore() {
        List<BucketLayout.Staged> restored = restoring;
        restoring = List.of();
        for (BucketLayout.Staged one : restored) {
            BlockHeap heap = storage.buckets().take(one.number());
            DetachedBucket bucket = new BucketTransfer(storage).detached(heap);
            for (TableStore store : storage.partitioned()) {
                bucket.table(store.definition().id()).attach(0, store.detach(one.number()));
            }
            add(one, bucket);
        }
    }
}
