package dev.fulmar.coordinator.door;

import dev.fulmar.coordinator.reconfiguration.ReconfigurationLog;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationReplay;
import dev.fulmar.coordinator.reconfiguration.RequestOutcomes;
import dev.fulmar.coordinator.reconfiguration.StepListener;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowChunk;
import dev.fulmar.engine.table.BucketExtraction;
import dev.fulmar.engine.table.BucketMoves;
import dev.fulmar.engine.table.BucketStaging;
import dev.fulmar.engine.table.BucketTransfer;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends the rows of a bucket to another partition, one chunk after the other, and says how to hand it over. */
public final class BucketSender {
    /** Not that of {@link BucketCutter}, whose steps the same log may have. */
    private static final byte VERSION = 2;

    private static final byte BEGIN = 0;
    private static final byte CHUNK = 1;
    private static final byte DROP = 2;
    private static final byte REMEMBER = 3;
    private static final int HEADER_BYTES = 2 + Long.BYTES;

    private final ReconfigurationLog source;
    private final ReconfigurationLog destination;
    private final long move;
    private final PartitionId from;
    private final PartitionId to;
    private final int bucket;
    private final RowChunk chunk;
    private volatile int stagedNumber;
    private volatile RequestOutcomes.Place outcomesPlace = RequestOutcomes.Place.BEGIN;
    private volatile long commits;

    /**
     * @param source of the node that leads the partition that the bucket leaves
     * @param destination of the node that leads the other one
     * @param chunkBytes size of a chunk
     */
    public BucketSender(
            ReconfigurationLog source,
            ReconfigurationLog destination,
            long move,
            PartitionId from,
            PartitionId to,
            int bucket,
            int chunkBytes) {
        this.source = source;
        this.destination = destination;
        this.move = move;
        this.from = from;
        this.to = to;
        this.bucket = bucket;
        chunk = new RowChunk(chunkBytes);
    }

    /** Executes steps again, and has others execute what is none. */
    public static ReconfigurationReplay replay(ReconfigurationReplay others) {
        return (partition, data, step) -> {
            ByteBuffer in = ByteBuffer.wrap(step);
            if (in.get() != VERSION) {
                others.replay(partition, data, step);
                return;
            }
            byte kind = in.get();
            long move = in.getLong();
            BucketMoves moves = data.buckets().moves();
            switch (kind) {
                case BEGIN -> moves.stage(move, in.getInt());
                case CHUNK -> Objects.requireNonNull(moves.staging(move)).take(rest(in));
                case DROP -> moves.drop(move);
                case REMEMBER -> data.requests().take(rest(in));
                default -> throw new FulmarException(ErrorCode.VERSION_MISMATCH, "a step of another kind");
            }
        };
    }

    private static byte[] rest(ByteBuffer in) {
        byte[] rest = new byte[in.remaining()];
        in.get(rest);
        return rest;
    }

    private byte[] step(byte kind, byte[] content) {
        return ByteBuffer.allocate(HEADER_BYTES + content.length)
                .put(VERSION)
                .put(kind)
                .putLong(move)
                .put(content)
                .array();
    }

    /** Begins to stage; the future has the reason if that fails. */
    public CompletableFuture<Optional<FulmarException>> begin() {
        Told told = new Told();
        destination.write(
                to,
                there -> {
                    BucketMoves moves = there.buckets().moves();
                    int number = moves.freeNumber();
                    moves.stage(move, number);
                    stagedNumber = number;
                    return step(
                            BEGIN,
                            ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
                },
                told);
        return told.fate;
    }

    /** Number that the bucket gets in the other partition. */
    public int stagedNumber() {
        return stagedNumber;
    }

    /** Sends chunks until the bucket is whole there, or a step fails. */
    public CompletableFuture<Optional<FulmarException>> send() {
        CompletableFuture<Optional<FulmarException>> sent = new CompletableFuture<>();
        next(sent);
        return sent;
    }

    private void next(CompletableFuture<Optional<FulmarException>> sent) {
        Consumer<FulmarException> refused = cause -> sent.complete(Optional.of(cause));
        source.inspect(
                from,
                here -> {
                    byte[] rows;
                    try {
                        rows = fill(here.buckets());
                    } catch (FulmarException failed) {
                        refused.accept(failed);
                        return;
                    }
                    if (rows == null) {
                        remember(here.requests(), sent);
                    } else {
                        destination.write(
                                to, there -> take(there.buckets(), rows), new Told(() -> next(sent), refused));
                    }
                },
                refused);
    }

    /** Outcomes of requests follow the rows. */
    private void remember(RequestOutcomes requests, CompletableFuture<Optional<FulmarException>> sent) {
        long now = requests.commits();
        RequestOutcomes.Batch batch = requests.since(outcomesPlace);
        outcomesPlace = batch.next();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        batch.parts().forEach(all::writeBytes);
        byte[] outcomes = all.toByteArray();
        destination.write(
                to,
                there -> {
                    there.requests().take(outcomes);
                    return step(REMEMBER, outcomes);
                },
                new Told(
                        () -> {
                            if (batch.isLast()) {
                                commits = now;
                                sent.complete(Optional.empty());
                            } else {
                                next(sent);
                            }
                        },
                        cause -> sent.complete(Optional.of(cause))));
    }

    private byte @Nullable [] fill(BucketTransfer buckets) {
        BucketExtraction extraction = buckets.moves().extraction(move);
        if (extraction == null) {
            extraction = buckets.moves().extract(move, bucket);
        } else if (extraction.isWhole()) {
            return null;
        }
        chunk.clear();
        extraction.fill(chunk, Integer.MAX_VALUE);
        return chunk.toByteArray();
    }

    private byte[] take(BucketTransfer there, byte[] rows) {
        BucketStaging staging = there.moves().staging(move);
        if (staging == null) {
            throw new FulmarException(ErrorCode.TRANSACTION_RESTART, "the bucket is not staged any more");
        }
        staging.take(rows);
        return step(CHUNK, rows);
    }

    /** Forgets the move at both partitions. */
    public CompletableFuture<Optional<FulmarException>> forget() {
        source.inspect(from, here -> here.buckets().moves().endExtraction(move), cause -> {});
        Told told = new Told();
        destination.write(
                to,
                there -> {
                    there.buckets().moves().drop(move);
                    return step(DROP, new byte[0]);
                },
                told);
        return told.fate;
    }

    /** The hand-off of the bucket, with all keys that the plan gives it. */
    public CompletableFuture<HandOff> handOff(PartitionPlan plan) {
        CompletableFuture<HandOff> described = new CompletableFuture<>();
        source.inspect(
                from,
                here -> {
                    BucketExtraction extraction = here.buckets().moves().extraction(move);
                    List<KeyRange> ranges = KeyRange.common(
                            plan.rangesOf(from.number()),
                            here.buckets().bounds().rangesOf(bucket));
                    long chunks = extraction == null ? -1 : extraction.chunks();
                    described.complete(new HandOff(move, from.number(), to.number(), bucket, chunks, commits, ranges));
                },
                described::completeExceptionally);
        return described;
    }

    private record Told(
            CompletableFuture<Optional<FulmarException>> fate, Runnable isSafe, Consumer<FulmarException> isRefused)
            implements StepListener {
        Told() {
            this(() -> {}, cause -> {});
        }

        Told(Runnable isSafe, Consumer<FulmarException> isRefused) {
            this(new CompletableFuture<>(), isSafe, isRefused);
        }

        @Override
        public void safe() {
            fate.complete(Optional.empty());
            isSafe.run();
        }

        @Override
        public void refused(FulmarException cause) {
            fate.complete(Optional.of(cause));
            isRefused.accept(cause);
        }

        @Override
        public void lost(FulmarException cause) {
            fate.completeExceptionally(cause);
            isRefused.accept(cause);
        }
    }
}
