package dev.fulmar.reconfig.move;

import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.table.BucketCut;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The next action at a partition that has keys which belong elsewhere by the target plan. */
sealed interface BucketChoice {
    /**
     * Some keys of a bucket are to be in one of their own. These are those that leave it, or those of one destination
     * where none stays. So the rows that stay, which may be many, are looked at once, however many destinations there
     * are. A partition's only bucket leaves keys of others behind: a partition keeps a bucket, though without rows.
     *
     * @param ranges these keys, at most {@value BucketCut#MOST_RANGES}
     */
    record Separate(int bucket, List<KeyRange> ranges) implements BucketChoice {
        public Separate {
            ranges = List.copyOf(ranges);
        }
    }

    /**
     * All keys of a bucket go to one destination.
     *
     * @param ranges the keys of the partition in it
     */
    record Move(int bucket, int to, List<KeyRange> ranges) implements BucketChoice {
        public Move {
            ranges = List.copyOf(ranges);
        }
    }

    /** Keys of a bucket that have one destination. */
    record Piece(KeyRange range, int to) {}

    /**
     * The bucket with the fewest rows of those with keys that belong elsewhere; empty if there is none. So a
     * destination gets few calls first, which warm it up.
     *
     * @param target by which keys belong to partitions
     * @param aside destinations to which nothing is to move now
     */
    static Optional<BucketChoice> of(BucketCounts counts, PartitionPlan target, int partition, Set<Integer> aside) {
        BucketBounds bounds = counts.bounds();
        Leaving leaving = new Leaving(bounds, counts.owned(), target, partition);
        List<Integer> smallFirst = new ArrayList<>(bounds.buckets());
        smallFirst.sort(Comparator.comparingLong(counts::rowsOf));
        for (int bucket : smallFirst) {
            List<Piece> pieces = leaving.pieces(bucket);
            pieces.sort(Comparator.comparing((Piece piece) -> piece.range().space())
                    .thenComparingLong(piece -> piece.range().first()));
            Optional<Piece> first = pieces.stream()
                    .filter(piece -> piece.to() != partition && !aside.contains(piece.to()))
                    .findFirst();
            if (first.isPresent()) {
                return Optional.of(
                        choice(bounds, bucket, pieces, partition, first.get().to()));
            }
        }
        return Optional.empty();
    }

    /** All buckets with keys that belong elsewhere. */
    static List<Integer> leaving(BucketBounds bounds, List<KeyRange> owned, PartitionPlan target, int partition) {
        Leaving leaving = new Leaving(bounds, owned, target, partition);
        return bounds.buckets().stream()
                .filter(bucket -> leaving.leaves(leaving.pieces(bucket)))
                .toList();
    }

    /** The keys of a partition's buckets, by their destinations. */
    final class Leaving {
        private final BucketBounds bounds;
        private final List<KeyRange> owned;
        private final List<List<KeyRange>> wanted;
        private final int partition;

        private Leaving(BucketBounds bounds, List<KeyRange> owned, PartitionPlan target, int partition) {
            this.bounds = bounds;
            this.owned = owned;
            wanted = target.rangesByPartition();
            this.partition = partition;
        }

        private List<Piece> pieces(int bucket) {
            List<Piece> pieces = new ArrayList<>();
            List<KeyRange> own = KeyRange.common(owned, bounds.rangesOf(bucket));
            for (int to = 0; to < wanted.size(); to++) {
                int destination = to;
                KeyRange.common(own, wanted.get(to)).forEach(range -> pieces.add(new Piece(range, destination)));
            }
            return pieces;
        }

        private boolean leaves(List<Piece> pieces) {
            return pieces.stream().anyMatch(piece -> piece.to() != partition);
        }
    }

    private static BucketChoice choice(BucketBounds bounds, int bucket, List<Piece> pieces, int partition, int to) {
        boolean someStay = pieces.stream().anyMatch(piece -> piece.to() == partition);
        List<KeyRange> leaving = pieces.stream()
                .filter(piece -> someStay ? piece.to() != partition : piece.to() == to)
                .map(Piece::range)
                .limit(BucketCut.MOST_RANGES)
                .toList();
        if (leaving.size() < pieces.size()) {
            return new Separate(bucket, leaving);
        }
        List<KeyRange> others = bounds.assign(leaving, bucket == 0 ? 1 : 0).rangesOf(bucket);
        return bounds.buckets().size() == 1 && !others.isEmpty()
                ? new Separate(bucket, others.subList(0, 1))
                : new Move(bucket, to, leaving);
    }
}
