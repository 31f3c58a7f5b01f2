package dev.fulmar.foundation.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Codes of labels have the order of the labels, and never change; cells of result blocks have both. */
class EnumerationTest {
    private static final Enumeration MOOD = Enumeration.of(7, "MOOD", List.of("sad", "ok", "happy"));

    private static List<String> labels(Enumeration enumeration) {
        return enumeration.values().stream().map(Enumeration.Value::label).toList();
    }

    private static void fails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void labelsHaveTheirOrder() {
        assertThat(labels(MOOD)).containsExactly("sad", "ok", "happy");
        assertThat(MOOD.code("sad")).isLessThan(MOOD.code("ok"));
        assertThat(MOOD.code("ok")).isLessThan(MOOD.code("happy"));
        assertThat(MOOD.text(MOOD.code("ok"))).isEqualTo("ok");
        assertThat(MOOD.find("glad")).isEmpty();
        fails(ErrorCode.INVALID_TEXT, () -> MOOD.code("glad"));
        fails(ErrorCode.CATALOG_CHANGED, () -> MOOD.label(MOOD.code("ok") + 1));
    }

    @Test
    void randomAdditionsKeepOrderAndCodes() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            Enumeration enumeration = Enumeration.of(1, "E", List.of());
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                String label = "l" + i;
                Enumeration before = enumeration;
                if (expected.isEmpty() || random.nextInt(4) == 0) {
                    enumeration = enumeration.with(label);
                    expected.add(label);
                } else {
                    int place = random.nextInt(expected.size());
                    boolean isBefore = random.nextBoolean();
                    enumeration = enumeration.with(label, expected.get(place), isBefore);
                    expected.add(isBefore ? place : place + 1, label);
                }
                for (Enumeration.Value value : before.values()) {
                    assertThat(enumeration.code(value.label())).isEqualTo(value.code());
                }
            }
            assertThat(labels(enumeration)).isEqualTo(expected);
            assertThat(enumeration.values().stream()
                            .map(Enumeration.Value::code)
                            .toList())
                    .isSorted()
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void aPlaceThatIsUsedUpIsRefused() {
        Enumeration enumeration = Enumeration.of(1, "E", List.of("a", "z"));
        int added = 0;
        while (added < 40) {
            enumeration = enumeration.with("l" + added++, "z", true);
        }
        Enumeration full = enumeration;
        fails(ErrorCode.NOT_SUPPORTED, () -> full.with("more", "z", true));
        assertThat(labels(full.with("more", "a", false))).startsWith("a", "more");
    }

    @Test
    void anotherWordKeepsTheCode() {
        Enumeration renamed = MOOD.renamed("ok", "fine");
        assertThat(renamed.code("fine")).isEqualTo(MOOD.code("ok"));
        assertThat(renamed.find("ok")).isEmpty();
        fails(ErrorCode.OBJECT_EXISTS, () -> MOOD.renamed("ok", "sad"));
        fails(ErrorCode.INVALID_ARGUMENT, () -> MOOD.renamed("glad", "fine"));
        fails(ErrorCode.INVALID_ARGUMENT, () -> MOOD.with("fine", "glad", true));
        fails(ErrorCode.OBJECT_EXISTS, () -> MOOD.with("ok"));
        fails(ErrorCode.OBJECT_EXISTS, () -> Enumeration.of(1, "E", List.of("a", "a")));
        fails(ErrorCode.INVALID_ARGUMENT, () -> MOOD.with("é".repeat(32)));
    }

    @Test
    void namesAreWrittenAsSqlReadsThem() {
        assertThat(ColumnType.of(MOOD)).hasToString("MOOD");
        assertThat(ColumnType.of(Enumeration.of(1, "S.Of \"x\"", List.of()))).hasToString("S.\"Of \"\"x\"\"\"");
    }

    @Test
    void cellsHaveCodeAndLabel() {
        ResultLayout layout = new ResultLayout(List.of(
                new ResultColumn("N", ColumnType.of(TypeKind.INTEGER), false),
                new ResultColumn("M", ColumnType.of(MOOD), true),
                new ResultColumn("T", ColumnType.varchar(10), false)));
        ResultBlockWriter writer = new ResultBlockWriter(16, 1 << 20);
        writer.begin(layout);
        for (String label : new String[] {"happy", null, "ok"}) {
            writer.startRow();
            writer.setLong(0, 5);
            writer.setBytes(2, "text".getBytes(StandardCharsets.UTF_8), 0, 4);
            CellValues.set(writer, 1, ColumnType.of(MOOD), label);
            writer.endRow();
        }
        int length = writer.end();
        ResultBlock block = new ResultBlock().wrap(writer.array(), 0, length).validate();
        assertThat(block.columns().get(1).type().precision()).isEqualTo(7);
        assertThat(block.at(0).string(1)).isEqualTo("happy");
        assertThat(block.object(1)).isEqualTo("happy");
        assertThat(block.getUnscaled(1)).isEqualTo(MOOD.code("happy"));
        fails(ErrorCode.TYPE_MISMATCH, () -> block.getLong(1));
        assertThat(block.string(2)).isEqualTo("text");
        assertThat(block.at(1).string(1)).isNull();
        assertThat(block.at(2).getLong(0)).isEqualTo(5);
        ResultBlockWriter part = new ResultBlockWriter(16, 1 << 20);
        part.begin(new ResultLayout(block.columns().subList(1, 3)));
        part.appendRow(block, 1);
        ResultBlock copied = new ResultBlock().wrap(part.array(), 0, part.end()).validate();
        assertThat(copied.at(0).string(0)).isEqualTo("ok");
        assertThat(copied.getUnscaled(0)).isEqualTo(MOOD.code("ok"));
        assertThat(copied.string(1)).isEqualTo("text");
    }
}
