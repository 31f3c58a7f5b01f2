package dev.fulmar.coordinator.statement;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.PartitioningHash;
import dev.fulmar.foundation.random.RandomSource;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids of rows and random numbers for statements. Those of a request with a handle follow from it. So a request that is
 * sent again has the same values, and goes to the partition that remembers it. Others are a node's own. Thread-safe.
 */
public final class GivenSeeds {
    /** Requests without a handle so far. */
    private final AtomicLong withoutHandle = new AtomicLong();

    private final long ownHigh;
    private final long ownLow;

    public GivenSeeds(RandomSource random) {
        this.ownHigh = random.nextLong();
        this.ownLow = random.nextLong();
    }

    /**
     * The values of one request.
     *
     * @param rowSeed of the ids of rows
     * @param high first half of the handle, or of the node's own secret
     * @param low the other half
     * @param count of requests without a handle; 0 for one with a handle
     */
    public record OfRequest(long rowSeed, long high, long low, long count) {
        /** The id of the row at the place among the request's numbers. */
        public long row(int place) {
            return PartitioningHash.ofWide(rowSeed, place);
        }

        /** 64 random bits for the place, from which nobody can conclude the handle or the secret. */
        public long random(int place) {
            byte[] all = ByteBuffer.allocate(3 * Long.BYTES + Integer.BYTES)
                    .putLong(high)
                    .putLong(low)
                    .putLong(count)
                    .putInt(place)
                    .array();
            return ByteBuffer.wrap(digest(all)).getLong();
        }

        private static byte[] digest(byte[] bytes) {
            try {
                return MessageDigest.getInstance("SHA-256").digest(bytes);
            } catch (NoSuchAlgorithmException e) {
                throw Invariants.breach("each Java has SHA-256: " + e);
            }
        }
    }

    /** The values of the request. */
    public OfRequest of(TransactionRequest request) {
        if (request.clientId() == 0) {
            long count = withoutHandle.incrementAndGet();
            return new OfRequest(PartitioningHash.ofLong(count), ownHigh, ownLow, count);
        }
        return new OfRequest(
                PartitioningHash.ofWide(request.clientId(), request.requestId()),
                request.clientId(),
                request.requestId(),
                0);
    }
}
