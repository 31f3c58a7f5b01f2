package dev.fulmar.foundation.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ResultBlockTest {
    private static final List<ResultColumn> COLUMNS = List.of(
            new ResultColumn("b", ColumnType.of(TypeKind.BOOLEAN), true),
            new ResultColumn("i", ColumnType.of(TypeKind.INTEGER), false),
            new ResultColumn("l", ColumnType.of(TypeKind.BIGINT), true),
            new ResultColumn("d", ColumnType.decimal(10, 2), true),
            new ResultColumn("w", ColumnType.decimal(38, 3), true),
            new ResultColumn("r", ColumnType.of(TypeKind.REAL), true),
            new ResultColumn("f", ColumnType.of(TypeKind.DOUBLE), true),
            new ResultColumn("größe", ColumnType.varchar(70_000), true),
            new ResultColumn("x", new ColumnType(TypeKind.VARBINARY, 9, 0), true),
            new ResultColumn("day", ColumnType.of(TypeKind.DATE), true),
            new ResultColumn("t", ColumnType.of(TypeKind.TIME), true),
            new ResultColumn("ts", ColumnType.of(TypeKind.TIMESTAMP), true),
            new ResultColumn("u", ColumnType.of(TypeKind.UUID), true));

    private static final Object[] VALUES = {
        true,
        -7L,
        Long.MIN_VALUE,
        new BigDecimal("-12345678.90"),
        new BigDecimal("-98765432109876543210987654321098765.432"),
        0.1f,
        Math.PI,
        "Möwe",
        new byte[] {1, -1, 0},
        LocalDate.of(1969, 12, 31),
        LocalTime.of(23, 59, 59, 999_999_000),
        LocalDateTime.of(1900, 1, 2, 3, 4, 5, 6_000),
        UUID.fromString("00112233-4455-6677-8899-aabbccddeeff")
    };

    @Test
    void everyTypeComesBackAsItWasSet() {
        ResultBlockWriter writer = new ResultBlockWriter(0, 1 << 20);
        ResultLayout layout = new ResultLayout(COLUMNS);
        writer.begin(layout);
        addRow(writer, VALUES);
        addRow(writer, new Object[VALUES.length]);
        addRow(writer, VALUES);
        int length = writer.end();

        ResultBlock block = new ResultBlock().wrap(writer.array(), 0, length).validate();
        assertThat(block.columns()).isEqualTo(COLUMNS);
        assertThat(block.rowCount()).isEqualTo(3);
        for (int row : new int[] {2, 0, 1, 2}) {
            block.at(row);
            for (int column = 0; column < VALUES.length; column++) {
                Object expected = row == 1 ? null : VALUES[column];
                assertThat(block.isNull(column)).isEqualTo(row == 1);
                assertThat(block.object(column)).as("column %s", column).isEqualTo(expected);
            }
        }
        assertThat(block.at(1).getLong(2)).isZero();
        assertThat(block.string(7)).isNull();
        assertThat(block.bytes(8)).isNull();
        assertThat(block.at(0).getDouble(3)).isEqualTo(-12345678.90);
        assertThat(block.getDouble(1)).isEqualTo(-7.0);
        assertThat(block.getFloat(5)).isEqualTo(0.1f);
        assertThat(block.getDouble(5)).isEqualTo(0.1f);
        assertThat(block.string(5)).isEqualTo("0.1");
        assertThat(block.getUnscaled(3)).isEqualTo(-1234567890L);
        assertThat(block.string(11)).isEqualTo("1900-01-02 03:04:05.000006");
        assertThat(block.string(8)).isEqualTo("01ff00");
        assertThat(block.string(0)).isEqualTo("true");
    }

    @Test
    void blocksLieOneAfterAnotherAndOneReaderReadsThemAll() {
        ResultBlockWriter writer = new ResultBlockWriter(16, 1 << 20);
        List<Integer> starts = new ArrayList<>();
        for (int blockNumber = 0; blockNumber < 3; blockNumber++) {
            starts.add(writer.begin(new ResultLayout(COLUMNS.subList(0, 2 + blockNumber))));
            for (int row = 0; row < blockNumber; row++) {
                addRow(writer, List.of(VALUES).subList(0, 2 + blockNumber).toArray());
            }
            writer.end();
        }
        ResultBlock block = new ResultBlock();
        int position = 0;
        for (int blockNumber = 0; blockNumber < 3; blockNumber++) {
            assertThat(position).isEqualTo(starts.get(blockNumber));
            block.wrap(writer.array(), position, writer.size() - position).validate();
            assertThat(block.columnCount()).isEqualTo(2 + blockNumber);
            assertThat(block.rowCount()).isEqualTo(blockNumber);
            position += block.totalBytes();
        }
        assertThat(position).isEqualTo(writer.size());
    }

    @Test
    void aRowIsCopiedWithoutDecoding() {
        ResultLayout layout = new ResultLayout(COLUMNS);
        ResultBlockWriter writer = new ResultBlockWriter(16, 1 << 20);
        writer.begin(layout);
        addRow(writer, VALUES);
        writer.end();
        ResultBlock source = new ResultBlock().wrap(writer.array(), 0, writer.size());
        source.next();
        ResultBlockWriter copy = new ResultBlockWriter(16, 1 << 20);
        copy.begin(layout);
        copy.startRow();
        copy.abandonRow();
        copy.appendRow(source);
        copy.end();
        assertThat(copy.toByteArray()).isEqualTo(writer.toByteArray());
    }

    @Test
    void nativeBytesAreCopied() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom("fulmarus glacialis");
            ResultBlockWriter writer = new ResultBlockWriter(16, 1 << 20);
            writer.begin(new ResultLayout(List.of(new ResultColumn("s", ColumnType.varchar(30), true))));
            writer.startRow();
            writer.setBytes(0, text.address(), 8);
            writer.endRow();
            writer.end();
            ResultBlock block = new ResultBlock().wrap(writer.array(), 0, writer.size());
            block.next();
            assertThat(block.string(0)).isEqualTo("fulmarus");
            assertThat(text.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 'f');
        }
    }

    @Test
    void aLargeArrayIsGivenUp() {
        ResultBlockWriter writer = new ResultBlockWriter(2_000, 1 << 20);
        writer.begin(new ResultLayout(COLUMNS));
        writer.shrink(2_000);
        assertThat(writer.size()).isZero();
        assertThat(writer.array()).hasSize(2_000);
        writer.shrink(1_999);
        assertThat(writer.array()).isEmpty();
        writer.begin(new ResultLayout(COLUMNS));
        assertThat(writer.end()).isEqualTo(writer.size());
    }

    @Test
    void theLimitIsNamed() {
        ResultBlockWriter writer = new ResultBlockWriter(16, 1000);
        writer.begin(new ResultLayout(List.of(new ResultColumn("s", ColumnType.varchar(30), true))));
        byte[] text = "0123456789".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        writer.startRow();
                        writer.setBytes(0, text, 0, text.length);
                        writer.endRow();
                    }
                })
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RESULT_TOO_LARGE))
                .hasMessageContaining("1000");
        assertThat(writer.array().length).isLessThanOrEqualTo(1000);
        assertThat(writer.rowCount()).isEqualTo(42);
        writer.truncate(0);
        writer.begin(new ResultLayout(List.of()));
        writer.end();
        assertThat(new ResultBlock().wrap(writer.array(), 0, writer.size()).rowCount())
                .isZero();
    }

    @Test
    void theWrongGetterSaysWhatTheColumnIs() {
        ResultBlockWriter writer = new ResultBlockWriter(16, 1000);
        writer.begin(new ResultLayout(COLUMNS));
        addRow(writer, VALUES);
        writer.end();
        ResultBlock block = new ResultBlock().wrap(writer.array(), 0, writer.size());
        assertThatThrownBy(() -> block.getLong(0)).isInstanceOf(IllegalStateException.class);
        block.next();
        assertThatThrownBy(() -> block.getLong(3)).hasMessageContaining("DECIMAL(10, 2)");
        assertThatThrownBy(() -> block.getUnscaled(4)).isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> block.getUnscaled(6)).isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> block.bytesLength(1)).isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> block.getDouble(0)).isInstanceOf(FulmarException.class);
        assertThat(block.getHigh(4)).isNegative();
        assertThatThrownBy(() -> block.isNull(13)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** Written by version 1. If this test fails the format has changed, and needs a new version beside the old one. */
    @Test
    void version1LooksLikeThis() {
        ResultBlockWriter writer = new ResultBlockWriter(16, 1000);
        writer.begin(new ResultLayout(List.of(
                new ResultColumn("id", ColumnType.of(TypeKind.BIGINT), false),
                new ResultColumn("n", ColumnType.varchar(300), true),
                new ResultColumn("d", ColumnType.decimal(12, 2), true))));
        writer.startRow();
        writer.setLong(0, 0x0102030405060708L);
        writer.setBytes(1, "Ab".getBytes(StandardCharsets.UTF_8), 0, 2);
        writer.setNull(2);
        writer.endRow();
        writer.end();
        assertThat(HexFormat.of().formatHex(writer.toByteArray()))
                .isEqualTo("4d000000" + "01000000" + "0300" + "2e00"
                        + "05000000" + "00000000" + "0200" + "6964"
                        + "0a000100" + "2c010000" + "0100" + "6e"
                        + "06020100" + "0c000000" + "0100" + "64"
                        + "1f000000" + "04" + "0807060504030201" + "1d00000002000000" + "0000000000000000" + "4162");
        assertThat(ResultLayout.FORMAT_VERSION).isEqualTo(1);
    }

    @Test
    void noDamageReadsOutsideTheBlock() {
        ResultBlockWriter writer = new ResultBlockWriter(16, 4000);
        writer.begin(new ResultLayout(COLUMNS));
        addRow(writer, VALUES);
        addRow(writer, VALUES);
        addRow(writer, new Object[VALUES.length]);
        writer.end();
        byte[] good = writer.toByteArray();
        Random random = new Random(7);
        ResultBlock block = new ResultBlock();
        int refused = 0;
        for (int round = 0; round < 100_000; round++) {
            byte[] bad = good.clone();
            for (int flips = random.nextInt(3); flips >= 0; flips--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            int length = random.nextInt(4) == 0 ? random.nextInt(bad.length) : bad.length;
            try {
                block.wrap(bad, 0, length).validate();
                readAll(block);
            } catch (FulmarException e) {
                assertThat(e.code()).isIn(ErrorCode.CORRUPTION, ErrorCode.VALUE_OUT_OF_RANGE);
                refused++;
            }
        }
        assertThat(refused).isBetween(20_000, 99_999);
    }

    private static void readAll(ResultBlock block) {
        assertThat(block.columns()).hasSize(block.columnCount());
        for (int row = block.rowCount() - 1; row >= 0; row--) {
            block.at(row);
            for (int column = 0; column < block.columnCount(); column++) {
                assertThat(block.object(column) == null).isEqualTo(block.isNull(column));
            }
        }
    }

    @Test
    void aHostileRowCountIsRefusedBeforeAnythingIsAllocated() {
        ResultBlockWriter writer = new ResultBlockWriter(16, 4000);
        writer.begin(new ResultLayout(List.of()));
        writer.end();
        byte[] bad = writer.toByteArray();
        LittleEndian.putInt(bad, 4, Integer.MAX_VALUE);
        assertThatThrownBy(() -> new ResultBlock().wrap(bad, 0, bad.length))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
    }

    @Test
    void settingFromObjectsRefusesWhatTheTypeCannotHold() {
        ResultBlockWriter writer = new ResultBlockWriter(16, 4000);
        writer.begin(new ResultLayout(List.of(new ResultColumn("d", ColumnType.decimal(4, 2), true))));
        writer.startRow();
        assertThatThrownBy(() -> CellValues.set(writer, 0, ColumnType.decimal(4, 2), new BigDecimal("100")))
                .hasMessageContaining("DECIMAL(4, 2)");
        assertThatThrownBy(() -> CellValues.set(writer, 0, ColumnType.of(TypeKind.BIGINT), 1.5))
                .isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> CellValues.set(writer, 0, ColumnType.of(TypeKind.DATE), "x"))
                .hasMessageContaining("String is no DATE");
        CellValues.set(writer, 0, ColumnType.decimal(4, 2), 99.994);
        writer.endRow();
        writer.end();
        ResultBlock block =
                new ResultBlock().wrap(writer.array(), 0, writer.size()).at(0);
        assertThat(block.decimal(0)).isEqualTo("99.99");
    }

    private static void addRow(ResultBlockWriter writer, Object[] values) {
        writer.startRow();
        for (int column = 0; column < values.length; column++) {
            CellValues.set(writer, column, COLUMNS.get(column).type(), values[column]);
        }
        writer.endRow();
    }
}
