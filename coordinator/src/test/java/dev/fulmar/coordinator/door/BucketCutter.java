package dev.fulmar.coordinator.door;

import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationLog;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationReplay;
import dev.fulmar.coordinator.reconfiguration.StepListener;
import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.table.BucketCut;
import dev.fulmar.engine.table.BucketTransfer;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Cuts buckets in two at the middle of their rows, wherever the log of their partition is followed or read. */
public final class BucketCutter implements ReconfigurationReplay {
    private static final byte VERSION = 1;
    private static final int PIECE = 100;

    /**
     * Cuts the first bucket of the partition that has rows of two keys, or else the first one. The future has the
     * reason if nothing came of it, and is empty once the cut is safe.
     */
    public CompletableFuture<Optional<FulmarException>> cut(ReconfigurationLog log, PartitionId partition) {
        Told told = new Told();
        log.write(partition, data -> data.buckets().mayAttach() ? cutFirst(data.buckets()) : null, told);
        return told.fate;
    }

    private static byte[] cutFirst(BucketTransfer buckets) {
        for (int bucket : buckets.bounds().buckets()) {
            KeyRange half = buckets.upperHalf(bucket).orElse(null);
            if (half != null) {
                return cut(buckets, bucket, half);
            }
        }
        int first = buckets.bounds().buckets().first();
        KeyRange all = buckets.bounds().rangesOf(first).getFirst();
        long middle = all.first() + ((all.last() - all.first()) >>> 1);
        return cut(buckets, first, new KeyRange(all.space(), middle, all.last()));
    }

    /** The bounds of the partition's buckets. */
    public static CompletableFuture<BucketBounds> bounds(ReconfigurationLog log, PartitionId partition) {
        CompletableFuture<BucketBounds> bounds = new CompletableFuture<>();
        log.write(
                partition,
                data -> {
                    bounds.complete(data.buckets().bounds());
                    return null;
                },
                new Told());
        return bounds;
    }

    private static byte[] cut(BucketTransfer buckets, int bucket, KeyRange half) {
        cut(buckets, bucket, half.space(), half.first());
        return ByteBuffer.allocate(2 + Integer.BYTES + Long.BYTES)
                .put(VERSION)
                .put((byte) half.space().ordinal())
                .putInt(bucket)
                .putLong(half.first())
                .array();
    }

    private static void cut(BucketTransfer buckets, int bucket, KeySpace space, long position) {
        BucketCut cut = buckets.cut(bucket, space, position);
        boolean few = false;
        while (!few) {
            few = cut.next(PIECE);
        }
        cut.finish(Long.MAX_VALUE);
    }

    @Override
    public void replay(PartitionId partition, PartitionData data, byte[] step) {
        BucketTransfer buckets = data.buckets();
        ByteBuffer in = ByteBuffer.wrap(step);
        if (in.get() != VERSION) {
            throw new FulmarException(ErrorCode.VERSION_MISMATCH, "a cut of another version");
        }
        KeySpace space = KeySpace.values()[in.get()];
        buckets.clearWay("a bucket is cut; try again");
        cut(buckets, in.getInt(), space, in.getLong());
    }

    private record Told(CompletableFuture<Optional<FulmarException>> fate) implements StepListener {
        Told() {
            this(new CompletableFuture<>());
        }

        @Override
        public void safe() {
            fate.complete(Optional.empty());
        }

        @Override
        public void refused(FulmarException cause) {
            fate.complete(Optional.of(cause));
        }

        @Override
        public void lost(FulmarException cause) {
            fate.completeExceptionally(cause);
        }
    }
}
