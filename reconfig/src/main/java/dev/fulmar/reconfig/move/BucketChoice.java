package dev.fulmar.reconfig.move;

import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.table.BucketCut;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

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
        Map<Integer, List<Piece>> all = pieces(bounds, counts.owned(), target);
        return all.entrySet().stream()
                .filter(bucket -> bucket.getValue().stream().anyMatch(piece -> mayMove(piece, partition, aside)))
                .min(Comparator.comparingLong(bucket -> counts.rowsOf(bucket.getKey())))
                .map(bucket -> choice(bounds, bucket.getKey(), bucket.getValue(), partition, aside));
    }

    /** All buckets with keys that belong elsewhere. */
    static List<Integer> leaving(BucketBounds bounds, List<KeyRange> owned, PartitionPlan target, int partition) {
        return pieces(bounds, owned, target).entrySet().stream()
                .filter(bucket -> leaves(bucket.getValue(), partition))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The keys of a partition's buckets, by their destinations. */
    private static Map<Integer, List<Piece>> pieces(BucketBounds bounds, List<KeyRange> owned, PartitionPlan target) {
        Map<Integer, List<Piece>> pieces = new TreeMap<>();
        bounds.visit(
                owned,
                (bucket, range) -> target.visit(
                        range,
                        (to, part) -> pieces.computeIfAbsent(bucket, none -> new ArrayList<>())
                                .add(new Piece(part, to))));
        return pieces;
    }

    private static boolean mayMove(Piece piece, int partition, Set<Integer> aside) {
        return piece.to() != partition && !aside.contains(piece.to());
    }

    private static boolean leaves(List<Piece> pieces, int partition) {
        return pieces.stream().anyMatch(piece -> piece.to() != partition);
    }

    private static BucketChoice choice(
            BucketBounds bounds, int bucket, List<Piece> pieces, int partition, Set<Integer> aside) {
        pieces.sort(Comparator.comparing((Piece piece) -> piece.range().space())
                .thenComparingLong(piece -> piece.range().first()));
        int to = pieces.stream()
                .filter(piece -> mayMove(piece, partition, aside))
                .findFirst()
                .orElseThrow()
                .to();
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
