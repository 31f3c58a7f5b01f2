package dev.fulmar.wire.postgres.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.data.CellValues;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.codec.BackendDecoder;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.BackendMessage.DataRow;
import dev.fulmar.wire.postgres.message.ValueFormat;
import dev.fulmar.wire.postgres.message.ValueFormats;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResultRowWriterTest {
    private static final List<ResultColumn> COLUMNS = List.of(
            column(ColumnType.of(TypeKind.BOOLEAN)),
            column(ColumnType.of(TypeKind.TINYINT)),
            column(ColumnType.of(TypeKind.SMALLINT)),
            column(ColumnType.of(TypeKind.INTEGER)),
            column(ColumnType.of(TypeKind.BIGINT)),
            column(ColumnType.decimal(10, 2)),
            column(ColumnType.decimal(38, 4)),
            column(ColumnType.of(TypeKind.REAL)),
            column(ColumnType.of(TypeKind.DOUBLE)),
            column(new ColumnType(TypeKind.CHAR, 4, 0)),
            column(ColumnType.varchar(10)),
            column(new ColumnType(TypeKind.VARBINARY, 10, 0)),
            column(ColumnType.of(TypeKind.DATE)),
            column(ColumnType.of(TypeKind.TIME)),
            column(ColumnType.of(TypeKind.TIMESTAMP)),
            column(ColumnType.of(TypeKind.UUID)));

    private static final List<Object> VALUES = List.of(
            true,
            -1L,
            300L,
            70_000L,
            -5_000_000_000L,
            new BigDecimal("-12.50"),
            new BigDecimal("1234567890123456789012345678901234.5678"),
            0.1f,
            1e20,
            "\u00e4b",
            "c d",
            new byte[] {(byte) 0xCA, (byte) 0xFE},
            LocalDate.of(2024, 2, 29),
            LocalTime.of(10, 0, 0, 500_000_000),
            LocalDateTime.of(1999, 12, 31, 23, 59, 59),
            new UUID(1, 2));

    private static ResultColumn column(ColumnType type) {
        return new ResultColumn("c", type, true);
    }

    private static ResultBlock block(List<ResultColumn> columns, List<? extends @Nullable Object> values) {
        ResultBlockWriter writer = new ResultBlockWriter(1024, 1 << 20);
        writer.begin(new ResultLayout(columns));
        writer.startRow();
        for (int i = 0; i < columns.size(); i++) {
            CellValues.set(writer, i, columns.get(i).type(), values.get(i));
        }
        writer.endRow();
        writer.end();
        byte[] bytes = writer.toByteArray();
        return new ResultBlock().wrap(bytes, 0, bytes.length).at(0);
    }

    private static byte[] @Nullable [] row(ValueFormats formats, ResultBlock block) {
        ByteBuf out = Unpooled.buffer();
        new ResultRowWriter(COLUMNS, formats, ZoneOffset.UTC).write(out, block);
        List<BackendMessage> found = new ArrayList<>();
        try (BackendDecoder decoder = new BackendDecoder(UnpooledByteBufAllocator.DEFAULT, 1 << 20)) {
            decoder.decode(out, found::add);
        }
        assertThat(found).hasSize(1);
        return ((DataRow) found.getFirst()).values();
    }

    @Test
    void cellsAreWrittenAsText() {
        byte[] @Nullable [] row = row(ValueFormats.TEXT, block(COLUMNS, VALUES));
        assertThat(Arrays.stream(row).map(value -> value == null ? "null" : new String(value, StandardCharsets.UTF_8)))
                .containsExactly(
                        "t",
                        "-1",
                        "300",
                        "70000",
                        "-5000000000",
                        "-12.50",
                        "1234567890123456789012345678901234.5678",
                        "0.1",
                        "1e+20",
                        "\u00e4b  ",
                        "c d",
                        "\\xcafe",
                        "2024-02-29",
                        "10:00:00.5",
                        "1999-12-31 23:59:59",
                        "00000000-0000-0001-0000-000000000002");
    }

    @Test
    void cellsAreWrittenInBinary() {
        byte[] @Nullable [] row = row(ValueFormats.BINARY, block(COLUMNS, VALUES));
        assertThat(Arrays.stream(row).map(value -> value == null ? "null" : ByteBufUtil.hexDump(value)))
                .containsExactly(
                        "01",
                        "ffff",
                        "012c",
                        "00011170",
                        "fffffffed5fa0e00",
                        "0002000040000002000c1388",
                        "000a000800000004000c0d801ed204d2162e23340d801ed204d2162e",
                        "3dcccccd",
                        "4415af1d78b58c40",
                        "c3a4622020",
                        "632064",
                        "cafe",
                        "00002279",
                        "0000000861cc0920",
                        "fffffffffff0bdc0",
                        "00000000000000010000000000000002");
    }

    @Test
    void nullsAreNoValues() {
        List<@Nullable Object> nulls = Collections.nCopies(COLUMNS.size(), null);
        assertThat(Arrays.stream(row(ValueFormats.BINARY, block(COLUMNS, nulls))))
                .containsOnlyNulls();
    }

    @Test
    void eachColumnHasItsFormat() {
        List<ValueFormat> formats = new ArrayList<>(Collections.nCopies(COLUMNS.size(), ValueFormat.TEXT));
        formats.set(3, ValueFormat.BINARY);
        byte[] @Nullable [] row = row(new ValueFormats(formats), block(COLUMNS, VALUES));
        assertThat(row[3]).hasSize(4);
        assertThat(row[4]).hasSize("-5000000000".length());
        assertThatThrownBy(() -> new ResultRowWriter(COLUMNS, new ValueFormats(formats.subList(0, 2)), ZoneOffset.UTC))
                .isInstanceOf(FulmarException.class);
    }

    @Test
    void aRowThatCannotBeWrittenLeavesNothing() {
        List<ResultColumn> dates =
                List.of(column(ColumnType.of(TypeKind.BIGINT)), column(ColumnType.of(TypeKind.DATE)));
        ResultBlock block = block(dates, List.of(1L, LocalDate.MAX.minusDays(1)));
        ByteBuf out = Unpooled.buffer();
        assertThatThrownBy(() -> new ResultRowWriter(dates, ValueFormats.BINARY, ZoneOffset.UTC).write(out, block))
                .isInstanceOf(FulmarException.class);
        assertThat(out.readableBytes()).isZero();
    }
}
