package dev.fulmar.reconfig.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.execution.SequencePlaces;
import dev.fulmar.engine.partitioning.KeyRanges;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.SeededRandom;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanDocumentTest {
    /** The old plan of the paper's Figure 5; its partitions 1 to 4 are 0 to 3 here. */
    private static final PartitionPlan OLD = PartitionPlan.ranges(0, 3, 5, 9);

    private static PartitionPlan read(PartitionPlan earlier, String partitions) {
        return PlanDocument.read("{\"plan\": {\"*\": {" + partitions + "}}}").on(earlier);
    }

    private static void refuses(PartitionPlan earlier, String partitions, String... message) {
        assertThatThrownBy(() -> read(earlier, partitions)).isInstanceOfSatisfying(FulmarException.class, refused -> {
            assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION);
            assertThat(refused.getMessage()).contains(message);
        });
    }

    @Test
    void theNewPlanOfThePapersFigure5() {
        PartitionPlan plan = read(OLD, """
                "Partition 0": "[-2)",
                "Partition 1": "[3-5)",
                "Partition 2": ["[2-3)", "[5-6)"],
                "Partition 3": "[6-)"
                """);
        assertThat(plan.integers())
                .isEqualTo(new KeyRanges(List.of(Long.MIN_VALUE, 2L, 3L, 5L, 6L), List.of(0, 2, 1, 2, 3)));
        assertThat(plan.hashes()).as("not named, so as before").isEqualTo(OLD.hashes());
        assertThat(PlanDifference.between(OLD, plan))
                .extracting(RangeMove::toString)
                .containsExactly("2 0 -> 2", "[6-9) 2 -> 3");
    }

    @Test
    void aSingleKeyOutranksTheRangeAroundIt() {
        PartitionPlan plan = read(OLD, """
                "Partition 0": ["7", "9223372036854775807", "-9223372036854775808"],
                "Partition 1": ["8"],
                "P3": ["3", "'it''s'"],
                "2": "550e8400-e29b-41d4-a716-446655440000"
                """);
        assertThat(plan.integers())
                .isEqualTo(new KeyRanges(
                        List.of(Long.MIN_VALUE, 3L, 4L, 5L, 7L, 8L, 9L, Long.MAX_VALUE),
                        List.of(0, 3, 1, 2, 0, 1, 3, 0)));
        byte[] text = "it's".getBytes(StandardCharsets.UTF_8);
        assertThat(plan.partitionOf(text, 0, text.length)).isEqualTo(3);
        UUID key = UUID.fromString("550e8400-e29b-41d4-a716-446655440000");
        assertThat(plan.partitionOfWide(key.getMostSignificantBits(), key.getLeastSignificantBits()))
                .isEqualTo(2);
        assertThat(PlanDifference.between(OLD, plan))
                .filteredOn(move -> move.range().first() == move.range().last())
                .hasSameSizeAs(PlanDifference.between(OLD, plan));
    }

    @Test
    void whereIntegersAreHashedASingleOneMovesByItsHash() {
        PartitionPlan hash = PartitionPlan.hash(4);
        PartitionPlan plan = read(
                hash,
                "\"Partition 1\": [\"17\", \"[#0000000000000000-#4000000000000000)\"],"
                        + "\"Partition 0\": \"[#4000000000000000-)\"");
        assertThat(plan.partitionOf(17)).isEqualTo(1);
        assertThat(plan.hashes().starts().getFirst()).isEqualTo(Long.MIN_VALUE);
        assertThat(plan.hashes().starts()).contains(0x4000000000000000L ^ Long.MIN_VALUE);
        refuses(hash, "\"Partition 0\": \"[3-5)\"", "[3-5) of partition 0", "hashes integers");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "[-5)|-9223372036854775808|4",
                "[-5-)|-5|9223372036854775807",
                "[--5)|-9223372036854775808|-6",
                "[-5--3)|-5|-4",
                "[5-6)|5|5",
                "[-)|-9223372036854775808|9223372036854775807"
            })
    void signsAndMissingEndsAreToldApart(String text, long first, long last) {
        assertThat(EntryText.read(0, text)).isInstanceOfSatisfying(PlanEntry.Range.class, range -> {
            assertThat(range.first()).isEqualTo(first);
            assertThat(range.last()).isEqualTo(last);
        });
    }

    @Test
    void keysOfTwoPartitionsOrOfNoneAreNamed() {
        refuses(OLD, "\"0\": \"[-6)\", \"1\": \"[5-)\"", "has 5 twice", "[-6) of partition 0", "[5-) of partition 1");
        refuses(OLD, "\"0\": \"[-)\", \"1\": \"[5-9)\"", "has [5-9) twice");
        refuses(OLD, "\"0\": \"[-5)\", \"1\": \"[6-)\"", "no partition has the key 5", "behind [-5) of partition 0");
        refuses(OLD, "\"0\": \"[-5)\", \"1\": \"[5-8)\"", "no partition has [8-)", "behind [5-8) of partition 1");
        refuses(OLD, "\"0\": \"[1-)\"", "no partition has [-1)", "before [1-) of partition 0");
        refuses(OLD, "\"0\": \"7\", \"1\": \"7\"", "both partition 0 and partition 1 have 7");
        refuses(OLD, "\"0\": \"[#0000000000000000-#8000000000000000)\"", "no partition has [#8000000000000000-)");
    }

    @Test
    void singleKeysFillTheGapsOfRanges() {
        PartitionPlan plan = read(OLD, "\"0\": [\"[-5)\", \"6\"], \"1\": [\"5\", \"[7-)\"]");
        assertThat(plan.integers()).isEqualTo(new KeyRanges(List.of(Long.MIN_VALUE, 5L, 6L, 7L), List.of(0, 1, 0, 1)));
        refuses(OLD, "\"0\": [\"[-5)\", \"6\"], \"1\": [\"[7-)\"]", "no partition has [5-7)");
    }

    @Test
    void whatIsNoPlanIsRefusedWithItsPlace() {
        refuses(OLD, "\"Partition 4\": \"7\"", "names partition 4", "0 to 3");
        refuses(OLD, "\"Partition 99\": []", "names partition 99", "0 to 3");
        refuses(OLD, "\"0\": \"[5-5)\"", "[5-5) of partition 0 is empty");
        refuses(OLD, "\"0\": \"[5-9]\"", "\"[5-9]\" of partition 0 is no range and no key");
        refuses(OLD, "\"0\": \"[#12-)\"", "a hash of 2 digits");
        refuses(OLD, "\"0\": \"[3-#8000000000000000)\"", "begins with one kind of key");
        refuses(OLD, "\"0\": \"92233720368547758070\"", "integers have 64 bits");
        refuses(OLD, "\"0\": 7", "line 1", "7 in the place of a range");
        refuses(OLD, "\"0\": [7]", "7 in the place of a range or key between quotation marks");
        refuses(OLD, "\"first\": \"7\"", "\"first\" in the place of a partition");
        refuses(OLD, "\"0\": \"7\", \"P0\": \"8\"", "names partition 0 a second time");
        refuses(OLD, "\"0\": \"7\", \"0\": \"8\"", "no JSON", "Duplicate");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "{}|no field \"plan\"",
                "[]|[ in the place of an object",
                "{\"plan\": {\"*\": {}}} 1|more text follows",
                "{\"plans\": {}}|the field \"plans\"",
                "{\"plan\": {\"warehouse\": {}}}|all tables share one plan",
                "{\"plan\": {}}|names no tables",
                "{\"plan\": null}|null in the place of an object",
                "{\"plan\": {\"*\": {\"0\": null}}}|null in the place of a range",
                "{\"plan\": {\"*\": {}}|line 1, column",
                "``|its end in the place of"
            })
    void whatIsNoDocumentIsRefused(String json, String message) {
        assertThatThrownBy(() -> PlanDocument.read(json))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining(message);
    }

    @Test
    void keysAtBothEndsOfTheSpaceAreTakenApart() {
        PartitionPlan plan = read(OLD, """
                "0": ["-9223372036854775808", "[-9223372036854775806-9223372036854775806)", "9223372036854775807"],
                "1": ["-9223372036854775807", "9223372036854775806"]
                """);
        assertThat(plan.integers())
                .isEqualTo(new KeyRanges(
                        List.of(
                                Long.MIN_VALUE,
                                Long.MIN_VALUE + 1,
                                Long.MIN_VALUE + 2,
                                Long.MAX_VALUE - 1,
                                Long.MAX_VALUE),
                        List.of(0, 1, 0, 1, 0)));
        assertThat(PlanDocument.read(PlanDocument.write(plan)).on(OLD).integers())
                .isEqualTo(plan.integers());
    }

    @Test
    void largeTextsAreReadAndShortenedInMessages() {
        String key = "x".repeat(100_000);
        PartitionPlan plan = read(OLD, "\"2\": \"'" + key + "'\"");
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        assertThat(plan.partitionOf(bytes, 0, bytes.length)).isEqualTo(2);
        refuses(OLD, "\"2\": \"" + key + "\"", "\"xxx", "...\" of partition 2 is no range");
        for (String document : List.of("1".repeat(2_000), "{\"" + key + "\": 1}", "[".repeat(2_000))) {
            assertThatThrownBy(() -> PlanDocument.read(document))
                    .isInstanceOf(FulmarException.class)
                    .satisfies(refused -> assertThat(refused.getMessage()).hasSizeLessThan(300));
        }
        assertThat(PlanDocument.read("\uFEFF{\"plan\": {\"*\": {}}}").on(OLD).integers())
                .isEqualTo(OLD.integers());
    }

    @Test
    void aPartitionKeepsAPlaceForSequences() {
        PartitionPlan spare = SequencePlaces.forAll(PartitionPlan.hash(2, 1));
        PartitionPlan plan = read(spare, "\"0\": \"[#0000000000000000-)\"");
        assertThat(PlanDifference.between(spare, plan)).allMatch(move -> move.source() == 1 && move.destination() == 0);
        assertThat(plan.rangesOf(1)).singleElement().matches(range -> range.first() == range.last());
        assertThat(plan.rangesOf(2)).isEqualTo(spare.rangesOf(2));
    }

    @Test
    void aPlanHasAHundredThousandRangesAtMost() {
        StringJoiner keys = new StringJoiner("\", \"", "\"0\": [\"", "\"]");
        for (int key = 0; key < PlanDocument.MAX_RANGES; key++) {
            keys.add(Integer.toString(2 * key + 1_000));
        }
        String most = keys.toString();
        refuses(OLD, most, "200008 ranges", "at most 100000 ranges");
        refuses(OLD, most.replace("\"]", "\", \"1\"]"), "more than 100000 ranges and keys");
    }

    @RepeatedTest(200)
    void whatIsWrittenIsReadAsTheSamePlan(RepetitionInfo repetition) {
        SeededRandom random = new SeededRandom(repetition.getCurrentRepetition());
        int partitions = 1 + random.nextInt(5);
        boolean isDivided = random.nextInt(2) == 0;
        PartitionPlan base = isDivided ? PartitionPlan.ranges(firstKeys(partitions)) : PartitionPlan.hash(partitions);
        PartitionPlan plan = PartitionPlan.of(
                partitions, ranges(random, partitions), isDivided ? ranges(random, partitions) : KeyRanges.NONE);
        String text = PlanDocument.write(plan);
        PartitionPlan read = PlanDocument.read(text).on(base);
        PartitionPlan expected = SequencePlaces.keep(base, plan);
        assertThat(read.hashes()).as(text).isEqualTo(expected.hashes());
        assertThat(read.integers()).as(text).isEqualTo(plan.integers());
        assertThat(PlanDifference.between(expected, read)).isEmpty();
        for (RangeMove move : PlanDifference.between(base, plan)) {
            long position = move.range().first()
                    + random.nextInt(2) * (move.range().last() - move.range().first());
            assertThat(ownerOf(base, move, position)).isEqualTo(move.source());
            assertThat(ownerOf(plan, move, position)).isEqualTo(move.destination());
        }
    }

    private static long[] firstKeys(int partitions) {
        long[] keys = new long[partitions];
        for (int i = 0; i < partitions; i++) {
            keys[i] = i;
        }
        return keys;
    }

    /** Ranges of which each has another owner than the one before, as a plan is written. */
    private static KeyRanges ranges(SeededRandom random, int partitions) {
        TreeSet<Long> starts = new TreeSet<>(List.of(Long.MIN_VALUE));
        if (partitions > 1) {
            for (int i = random.nextInt(12); i > 0; i--) {
                starts.add(random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(10) - 5L);
            }
        }
        List<Integer> owners = new ArrayList<>();
        for (int i = 0; i < starts.size(); i++) {
            int owner = random.nextInt(partitions);
            owners.add(i > 0 && owner == owners.getLast() ? (owner + 1) % partitions : owner);
        }
        return new KeyRanges(List.copyOf(starts), owners);
    }

    private static int ownerOf(PartitionPlan plan, RangeMove move, long position) {
        KeyRanges ranges = switch (move.range().space()) {
            case INTEGER -> plan.integers();
            case HASH -> plan.hashes();
        };
        int range = ranges.starts().size() - 1;
        while (ranges.starts().get(range) > position) {
            range--;
        }
        return ranges.owners().get(range);
    }
}
