package dev.fulmar.reconfig.step;

import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import java.util.List;

/** A step of a move of a bucket, at the partition that the bucket leaves or at the one to which it goes. */
public sealed interface MoveStep {
    /**
     * A bucket is cut in two. Logs of earlier versions have it; ranges leave by {@link Separate} today.
     *
     * @param bucket its number
     * @param position first of the new bucket, in the space
     * @param newBucket number of the new one
     */
    record Cut(int bucket, KeySpace space, long position, int newBucket) implements MoveStep {}

    /**
     * Ranges leave a bucket for a new one.
     *
     * @param bucket its number
     * @param ranges keys of the new bucket
     * @param newBucket number of the new one
     * @param isInPlace whether rows that stay were not copied
     */
    record Separate(int bucket, List<KeyRange> ranges, int newBucket, boolean isInPlace) implements MoveStep {
        public Separate {
            ranges = List.copyOf(ranges);
        }
    }

    /**
     * A bucket is staged from now on.
     *
     * @param move by which later steps name it
     * @param bucket number that it gets
     */
    record Stage(long move, int bucket) implements MoveStep {}

    /** The staged bucket has the rows of the next chunk. */
    @SuppressWarnings("ArrayRecordComponent") // one owner, never compared
    record Take(long move, byte[] rows) implements MoveStep {}

    /** The partition remembers outcomes of another one's requests. */
    @SuppressWarnings("ArrayRecordComponent") // one owner, never compared
    record Remember(byte[] outcomes) implements MoveStep {}

    /** The staged bucket is no more. */
    record Drop(long move) implements MoveStep {}
}
