package dev.fulmar.engine.partitioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bounds are compared with a plain array of the owner of each of a few positions. */
class BucketBoundsTest {
    private static final int POSITIONS = 40;

    private final BucketBounds bounds =
            PartitionPlan.ranges(0, 10, 20, 30).bucketsOf(1, 4).bounds();

    @Test
    void bucketsOfAPlanAreThoseThatTheMapHas() {
        BucketMap map = PartitionPlan.hash(4).bucketsOf(2, 4);
        BucketMap other = BucketMap.single();
        other.become(map.bounds());
        for (long key = 0; key < 1000; key++) {
            assertThat(other.bucketOf(key)).isEqualTo(map.bucketOf(key));
        }
        assertThat(map.bounds().buckets()).containsExactly(0, 1, 2, 3);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void everyPositionHasTheBucketThatItGotLast(long seed) {
        Random random = new Random(seed);
        BucketBounds changed = new BucketBounds(
                RangeMap.single().toKeyRanges(), RangeMap.single().toKeyRanges());
        int[] owners = new int[POSITIONS];
        for (int step = 0; step < 400; step++) {
            int number = random.nextInt(6);
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    int first = random.nextInt(POSITIONS);
                    int last = first + random.nextInt(POSITIONS - first);
                    changed = changed.assign(KeySpace.INTEGER, first, last, number);
                    Arrays.fill(owners, first, last + 1, number);
                }
                case 2 -> {
                    int position = random.nextInt(POSITIONS);
                    int other = random.nextInt(6);
                    changed = changed.cut(KeySpace.INTEGER, number, position, other);
                    for (int i = position; i < POSITIONS; i++) {
                        owners[i] = owners[i] == number ? other : owners[i];
                    }
                }
                default -> {
                    if (changed.buckets().size() > 1 && changed.buckets().contains(number)) {
                        changed = changed.without(number);
                        assertThat(changed.buckets()).doesNotContain(number);
                        BucketMap now = BucketMap.single();
                        now.become(changed);
                        for (int i = 0; i < POSITIONS; i++) {
                            owners[i] = owners[i] == number ? now.bucketOf(i) : owners[i];
                        }
                    }
                }
            }
            BucketMap map = BucketMap.single();
            map.become(BucketBounds.of(changed.toBytes()));
            for (int i = 0; i < POSITIONS; i++) {
                assertThat(map.bucketOf(i)).as("step %d, position %d", step, i).isEqualTo(owners[i]);
            }
        }
    }

    @Test
    void withoutItsOnlyBucketASpaceBelongsToAnother() {
        BucketBounds apart = new BucketBounds(
                new KeyRanges(List.of(Long.MIN_VALUE), List.of(3)),
                new KeyRanges(List.of(Long.MIN_VALUE, 5L), List.of(1, 2)));
        assertThat(apart.without(3).hashes().owners()).containsExactly(1);
        assertThat(apart.without(1).integers()).isEqualTo(new KeyRanges(List.of(Long.MIN_VALUE), List.of(2)));
    }

    @Test
    void neighboursOfOneBucketAreOneRange() {
        BucketBounds one = new BucketBounds(RangeMap.single().toKeyRanges(), KeyRanges.NONE);
        BucketBounds two = one.assign(KeySpace.HASH, 10, 19, 1).assign(KeySpace.HASH, 20, 29, 1);
        assertThat(two.hashes()).isEqualTo(new KeyRanges(List.of(Long.MIN_VALUE, 10L, 30L), List.of(0, 1, 0)));
        assertThat(two.assign(KeySpace.HASH, 10, 29, 0)).isEqualTo(one);
        assertThat(one.assign(KeySpace.HASH, 5, Long.MAX_VALUE, 1).hashes())
                .isEqualTo(new KeyRanges(List.of(Long.MIN_VALUE, 5L), List.of(0, 1)));
    }

    /** Bytes that are in checkpoints already; what reads them must go on to. */
    @Test
    void theStoredFormStaysAsItIs() {
        BucketBounds few = new BucketBounds(
                new KeyRanges(List.of(Long.MIN_VALUE, 7L), List.of(0, 2)),
                new KeyRanges(List.of(Long.MIN_VALUE), List.of(1)));
        String stored = "01" + "02000000" + "0000000000000080" + "00000000" + "0700000000000000" + "02000000"
                + "01000000" + "0000000000000080" + "01000000";
        assertThat(HexFormat.of().formatHex(few.toBytes())).isEqualTo(stored);
        assertThat(BucketBounds.of(HexFormat.of().parseHex(stored))).isEqualTo(few);
    }

    @Test
    void bytesThatAreNoBoundsAreRefused() {
        byte[] bytes = bounds.toBytes();
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> BucketBounds.of(cut))
                    .as("%d bytes", length)
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
        }
        byte[] later = bytes.clone();
        later[0]++;
        assertThatThrownBy(() -> BucketBounds.of(later))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VERSION_MISMATCH));
    }

    /** Ranges of the list may overlap, and lie in any order. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void manyRangesAtOnceAreAsOneAfterAnother(long seed) {
        Random random = new Random(seed);
        BucketBounds changed = bounds;
        for (int step = 0; step < 200; step++) {
            List<KeyRange> ranges = new ArrayList<>();
            for (int i = random.nextInt(6); i > 0; i--) {
                long first = random.nextInt(POSITIONS);
                long last = random.nextInt(8) == 0 ? Long.MAX_VALUE : first + random.nextInt(10);
                ranges.add(new KeyRange(random.nextBoolean() ? KeySpace.HASH : KeySpace.INTEGER, first, last));
            }
            int number = random.nextInt(6);
            BucketBounds single = changed;
            for (KeyRange range : ranges) {
                single = single.assign(range.space(), range.first(), range.last(), number);
            }
            List<KeyRange> before = changed.rangesOf(number);
            assertThat(KeyRange.common(ranges, before))
                    .isEqualTo(ranges.stream()
                            .flatMap(range -> KeyRange.common(List.of(range), before).stream())
                            .toList())
                    .allMatch(part -> single(ranges, part) && single(before, part));
            assertSplit(ranges, before);
            changed = changed.assign(ranges, number);
            assertThat(changed).isEqualTo(single);
        }
    }

    /** Each position of the ranges is common to both, or is not. */
    private static void assertSplit(List<KeyRange> ranges, List<KeyRange> others) {
        List<KeyRange> rest = KeyRange.without(ranges, others);
        assertThat(KeyRange.common(rest, others)).isEmpty();
        for (KeyRange range : ranges) {
            List<KeyRange> parts = new ArrayList<>(KeyRange.common(List.of(range), others));
            parts.addAll(KeyRange.without(List.of(range), others));
            parts.sort(Comparator.comparingLong(KeyRange::first));
            assertThat(parts).isNotEmpty().allMatch(part -> part.space() == range.space());
            assertThat(parts.getFirst().first()).isEqualTo(range.first());
            assertThat(parts.getLast().last()).isEqualTo(range.last());
            for (int next = 1; next < parts.size(); next++) {
                assertThat(parts.get(next).first())
                        .isEqualTo(parts.get(next - 1).last() + 1);
            }
        }
    }

    /** Whether one of the ranges has all of the part. */
    private static boolean single(List<KeyRange> ranges, KeyRange part) {
        return ranges.stream()
                .anyMatch(range ->
                        range.contains(part.space(), part.first()) && range.contains(part.space(), part.last()));
    }

    @Test
    void whatTwoListsOfRangesHaveInCommon() {
        PartitionPlan plan = PartitionPlan.ranges(0, 10, 20);
        List<KeyRange> owned = plan.rangesOf(1);
        assertThat(owned).contains(new KeyRange(KeySpace.INTEGER, 10, 19)).hasSize(2);
        List<KeyRange> some = List.of(
                new KeyRange(KeySpace.INTEGER, 0, 12),
                new KeyRange(KeySpace.INTEGER, 19, 30),
                new KeyRange(KeySpace.HASH, 5, 5));
        assertThat(KeyRange.common(some, List.of(new KeyRange(KeySpace.INTEGER, 10, 19))))
                .containsExactly(new KeyRange(KeySpace.INTEGER, 10, 12), new KeyRange(KeySpace.INTEGER, 19, 19));
    }

    @Test
    void oneBucketOfAPlanWithRangesHasBothSpaces() {
        BucketBounds one = PartitionPlan.ranges(0, 10).bucketsOf(1, 1).bounds();
        assertThat(one.spaceOfIntegers()).isEqualTo(KeySpace.INTEGER);
        assertThat(one.buckets()).containsExactly(0);
    }

    @Test
    void aRangeBeginsBeforeItEnds() {
        assertThatThrownBy(() -> new KeyRange(KeySpace.HASH, 2, 1)).isInstanceOf(FulmarException.class);
        assertThat(new KeyRange(KeySpace.HASH, 1, 2).contains(KeySpace.HASH, 2)).isTrue();
        assertThat(new KeyRange(KeySpace.HASH, 1, 2).contains(KeySpace.INTEGER, 2))
                .isFalse();
    }
}
