package dev.fulmar.coordinator.durability.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.request.ResultDigest;
import dev.fulmar.coordinator.transaction.SeenPart;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PartitionPlanFormat;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How logs and checkpoints keep changes of the catalog: version 1 of each kind, which must stay readable. */
class CatalogRecordTest {
    private static final String DROP_ROLE = "44524f5020524f4c4520225222";
    private static final CatalogEntry.Access ACCESS = new CatalogEntry.Access("DROP ROLE \"R\"");

    private static Stream<Arguments> stored() {
        return Stream.of(
                Arguments.of(new CatalogEntry.Statement("DROP ROLE \"R\""), "0700000001" + DROP_ROLE),
                Arguments.of(ACCESS, "0700000003" + DROP_ROLE),
                Arguments.of(
                        new CatalogEntry.Joint(List.of(new CatalogEntry.Statement("DROP ROLE \"R\""), ACCESS)),
                        "0700000009" + "02000000" + "01" + "0d000000" + DROP_ROLE + "03" + "0d000000" + DROP_ROLE),
                Arguments.of(
                        ACCESS.askedUnder(new ChangeHandle(0x1122334455667788L, 9)),
                        "0700000004" + "8877665544332211" + "0900000000000000" + "03" + DROP_ROLE));
    }

    @ParameterizedTest
    @MethodSource("stored")
    void theFormIsTheStoredOne(CatalogEntry entry, String stored) {
        assertThat(HexFormat.of().formatHex(CatalogRecord.of(7, entry))).isEqualTo(stored);
        assertThat(CatalogRecord.entry(HexFormat.of().parseHex(stored))).isEqualTo(entry);
    }

    /** Kind 9 with rows, kind 10. */
    @Test
    void rowsOfAJointChangeAreRead() {
        CatalogEntry.Rows rows = new CatalogEntry.Rows("INSERT", new byte[] {1, 0, 7}, 0x1122334455667788L);
        String stored = "0700000009" + "01000000" + "0a" + "15000000" + "8877665544332211" + "03000000" + "010007"
                + "494e53455254";
        assertThat(written(new CatalogEntry.Joint(List.of(rows)))).isEqualTo(stored);
        assertThat(read(stored))
                .isInstanceOfSatisfying(
                        CatalogEntry.Joint.class,
                        joint -> assertThat(joint.parts())
                                .singleElement()
                                .isInstanceOfSatisfying(CatalogEntry.Rows.class, part -> {
                                    assertThat(part.text()).isEqualTo("INSERT");
                                    assertThat(part.parameters()).containsExactly(1, 0, 7);
                                    assertThat(part.micros()).isEqualTo(0x1122334455667788L);
                                }));
        for (int cut = 10; cut < stored.length(); cut += 2) {
            String shorter = stored.substring(0, cut);
            assertThatThrownBy(() -> read(shorter))
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VERSION_MISMATCH));
        }
    }

    /** Kind 9 with a statement that was run before, kind 11. */
    @Test
    void whatRanBeforeAJointChangeIsRead() {
        CatalogEntry.Ran ran = new CatalogEntry.Ran(
                "UPDATE",
                new byte[] {1, 0, 7},
                0x1122334455667788L,
                9,
                true,
                true,
                List.of(new SeenPart(2, -1, new ResultDigest(3, 4))));
        String stored = "0700000009" + "01000000" + "0b" + "3a000000" + "8877665544332211" + "0900000000000000" + "03"
                + "01000000" + "02000000" + "ffffffff" + "0300000000000000" + "0400000000000000" + "03000000" + "010007"
                + "555044415445";
        assertThat(written(new CatalogEntry.Joint(List.of(ran)))).isEqualTo(stored);
        assertThat(read(stored))
                .isInstanceOfSatisfying(
                        CatalogEntry.Joint.class,
                        joint -> assertThat(joint.parts())
                                .singleElement()
                                .isInstanceOfSatisfying(CatalogEntry.Ran.class, part -> {
                                    assertThat(part.parameters()).containsExactly(1, 0, 7);
                                    assertThat(part).usingRecursiveComparison().isEqualTo(ran);
                                }));
        for (int cut = 10; cut < stored.length(); cut += 2) {
            String shorter = stored.substring(0, cut);
            assertThatThrownBy(() -> read(shorter))
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VERSION_MISMATCH));
        }
    }

    /** Kinds 6 to 8, of which the first is written no more. */
    @Test
    void plansOfReconfigurationsAreRead() {
        PartitionPlan plan = PartitionPlan.ranges(0, 9);
        HandOff handOff = new HandOff(7, 0, 1, 5, 11, 13, List.of(new KeyRange(KeySpace.INTEGER, -1, 3)));
        String handOffs = "01000000" + "0700000000000000" + "00000000" + "01000000" + "05000000" + "0b00000000000000"
                + "0d00000000000000" + "01000000" + "01" + "ffffffffffffffff" + "0300000000000000";
        String stored = HexFormat.of().formatHex(PartitionPlanFormat.write(plan));
        assertThat(read("0700000006" + "01" + handOffs + stored))
                .isInstanceOfSatisfying(CatalogEntry.Plan.class, entry -> {
                    assertThat(entry.handOffs()).containsExactly(handOff);
                    assertThat(entry.plan().hasSameOwners(plan)).isTrue();
                });
        CatalogEntry.HandOver handOver = new CatalogEntry.HandOver(List.of(handOff));
        assertThat(read("0700000007" + "02" + handOffs)).isEqualTo(handOver);
        assertThat(written(handOver)).isEqualTo("0700000007" + "02" + handOffs);
        String begin = "01" + "01" + "0500000000000000" + "00010000" + "0200000000000000" + stored;
        PlanTarget target =
                new PlanTarget(5, PlanTarget.State.RUNNING, plan, new MovePace(256, 2, MovePace.UNLIMITED), "");
        String length = HexFormat.of().toHexDigits((byte) (stored.length() / 2)) + "000000";
        assertThat(written(new CatalogEntry.Retarget(
                        new TargetChange.Begin(target, OptionalLong.empty()), Optional.of(plan))))
                .isEqualTo("0700000008" + length + stored + begin);
        assertThat(read("0700000008" + "00000000" + begin))
                .isInstanceOfSatisfying(CatalogEntry.Retarget.class, entry -> {
                    assertThat(entry.configured()).isEmpty();
                    assertThat(entry.change())
                            .isInstanceOfSatisfying(
                                    TargetChange.Begin.class,
                                    change ->
                                            assertThat(change.target().number()).isEqualTo(5));
                });
        CatalogEntry.Retarget paused = new CatalogEntry.Retarget(
                new TargetChange.Become(5, PlanTarget.State.PAUSED, "full"), Optional.empty());
        String stop = "0700000008" + "00000000" + "01" + "02" + "0500000000000000" + "02" + "66756c6c";
        assertThat(written(paused)).isEqualTo(stop);
        assertThat(read(stop)).isEqualTo(paused);
    }

    private static String written(CatalogEntry entry) {
        return HexFormat.of().formatHex(CatalogRecord.of(7, entry));
    }

    private static CatalogEntry read(String stored) {
        return CatalogRecord.entry(HexFormat.of().parseHex(stored));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0700000004",
                "07000000041122",
                "0700000009",
                "0700000008",
                "0700000008ffffffff",
                "070000000800000000",
                "07000000080000000002020500000000000000",
                "07000000080000000001030500000000000000",
                "070000000800000000010205000000000000",
                "0700000008000000000102050000000000000009",
                "070000000702",
                "07000000070200000000ff",
                "0700000004" + "8877665544332211" + "0900000000000000" + "04"
            })
    void whatIsNoneIsRefused(String stored) {
        assertThatThrownBy(() -> CatalogRecord.entry(HexFormat.of().parseHex(stored)))
                .isInstanceOf(FulmarException.class);
    }

    @Test
    void itIsShownToNobody() {
        assertThat(ACCESS.toString()).doesNotContain("DROP");
    }
}
