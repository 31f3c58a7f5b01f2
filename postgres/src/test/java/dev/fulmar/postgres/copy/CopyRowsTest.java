package dev.fulmar.postgres.copy;

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
import dev.fulmar.postgres.dialect.CopyOptions;
import dev.fulmar.postgres.value.RowForm;
import dev.fulmar.wire.postgres.codec.BackendDecoder;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.type.OutputStyle;
import dev.fulmar.wire.postgres.type.PostgresType;
import dev.fulmar.wire.postgres.type.ValueForm;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows are written byte for byte as PostgreSQL writes them, and are read back as they were. */
class CopyRowsTest {
    private static final List<ResultColumn> COLUMNS = List.of(
            column("ID", ColumnType.of(TypeKind.INTEGER)),
            column("SMALL", ColumnType.of(TypeKind.SMALLINT)),
            column("BIG", ColumnType.of(TypeKind.BIGINT)),
            column("FLAG", ColumnType.of(TypeKind.BOOLEAN)),
            column("N", ColumnType.decimal(12, 2)),
            column("R", ColumnType.of(TypeKind.REAL)),
            column("D", ColumnType.of(TypeKind.DOUBLE)),
            column("V", ColumnType.varchar(1_000)),
            column("C", new ColumnType(TypeKind.CHAR, 4, 0)),
            column("B", new ColumnType(TypeKind.VARBINARY, 100, 0)),
            column("DAY", ColumnType.of(TypeKind.DATE)),
            column("TOD", ColumnType.of(TypeKind.TIME)),
            column("TS", ColumnType.of(TypeKind.TIMESTAMP)),
            column("U", ColumnType.of(TypeKind.UUID)));

    private static final List<ResultColumn> TEXT = List.of(COLUMNS.get(7));

    private static ResultColumn column(String name, ColumnType type) {
        return new ResultColumn(name, type, true);
    }

    /** The data of a COPY of these rows, and that each row is a message. */
    private static byte[] written(CopyOptions options, ResultBlock block) {
        CopyRows rows = new CopyRows(options, List.of(), OutputStyle.ofZone(ZoneOffset.UTC));
        ByteBuf out = Unpooled.buffer();
        rows.begin(out, block.columns());
        RowForm.Writer writer = rows.writer(block.columns());
        block.beforeFirst();
        while (block.next()) {
            writer.write(out, block);
        }
        rows.end(out);
        ByteBuf data = Unpooled.buffer();
        try (BackendDecoder decoder = new BackendDecoder(UnpooledByteBufAllocator.DEFAULT, 1 << 20)) {
            decoder.decode(out, message -> {
                data.writeBytes(((BackendMessage.CopyData) message).bytes());
                return true;
            });
        }
        return ByteBufUtil.getBytes(data);
    }

    private static ResultBlock block(
            List<ResultColumn> columns, List<? extends List<? extends @Nullable Object>> rows) {
        ResultBlockWriter writer = new ResultBlockWriter(1 << 10, 1 << 20);
        writer.begin(new ResultLayout(columns));
        for (List<? extends @Nullable Object> row : rows) {
            writer.startRow();
            for (int i = 0; i < columns.size(); i++) {
                CellValues.set(writer, i, columns.get(i).type(), row.get(i));
            }
            writer.endRow();
        }
        writer.end();
        byte[] bytes = writer.toByteArray();
        return new ResultBlock().wrap(bytes, 0, bytes.length);
    }

    /** The rows of data in the binary format. */
    private static ResultBlock block(List<ResultColumn> columns, byte[] binary) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        CopyReader.RowReceiver receiver = row -> {
            List<@Nullable Object> values = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                byte[] value = Arrays.copyOfRange(row.bytes(), row.from(i), row.to(i));
                values.add(row.isNull(i) ? null : value(columns.get(i).type(), value));
            }
            rows.add(values);
        };
        CopyReader reader = new BinaryReader(new CopyPlace("o", Collections.nCopies(columns.size(), "x")));
        reader.read(binary, receiver);
        reader.end(receiver);
        return block(columns, rows);
    }

    private static Object value(ColumnType type, byte[] bytes) {
        Object value = ValueForm.decode(PostgresType.of(type), bytes);
        return type.kind() == TypeKind.CHAR ? value.toString().stripTrailing() : value;
    }

    @Test
    void rowsAreWrittenAsPostgresWritesThem() {
        List<String> lines = CopySamples.lines("copy-out.txt");
        ResultBlock block = block(COLUMNS, CopySamples.bytes(lines.getLast()));
        assertThat(block.rowCount()).isEqualTo(6);
        for (int i = 0; i < lines.size(); i += 2) {
            String options = lines.get(i).equals("()") ? "" : lines.get(i);
            byte[] written = written(CopySamples.optionsOut(options), block);
            byte[] expected = CopySamples.bytes(lines.get(i + 1));
            assertThat(shown(written, options)).as(options).isEqualTo(shown(expected, options));
        }
    }

    @Test
    void aColumnAloneIsWrittenSoThatItDoesNotEndTheData() {
        List<String> all = CopySamples.lines("copy-out.txt");
        ResultBlock block = block(COLUMNS, CopySamples.bytes(all.getLast()));
        List<List<@Nullable String>> values = new ArrayList<>();
        while (block.next()) {
            List<@Nullable String> row = new ArrayList<>();
            row.add(
                    block.isNull(7)
                            ? null
                            : new String(
                                    block.array(), block.bytesOffset(7), block.bytesLength(7), StandardCharsets.UTF_8));
            values.add(row);
        }
        values.add(values.remove(2)); // in PostgreSQL's order, where NULL is last
        List<String> lines = CopySamples.lines("copy-out-single.txt");
        for (int i = 0; i < lines.size(); i += 2) {
            String options = lines.get(i).equals("()") ? "" : lines.get(i);
            assertThat(shown(written(CopySamples.optionsOut(options), block(TEXT, values)), options))
                    .isEqualTo(shown(CopySamples.bytes(lines.get(i + 1)), options));
        }
    }

    @Test
    void noRowsAreAHeaderAndATrailer() {
        assertThat(HexFormat.of().formatHex(written(CopySamples.optionsOut("(FORMAT binary)"), block(TEXT, List.of()))))
                .isEqualTo("5047434f50590aff0d0a000000000000000000ffff");
        assertThat(written(CopySamples.optionsOut(""), block(TEXT, List.of()))).isEmpty();
    }

    private static String shown(byte[] data, String options) {
        return options.contains("binary") ? HexFormat.of().formatHex(data) : new String(data, StandardCharsets.UTF_8);
    }

    @Test
    void whatIsWrittenIsReadBack() {
        Random random = new Random(3);
        String letters = "ab,;|'\"\\.\n\r\t\b\f\u000bNnil \u00e4\u20ac\ud83d\ude00";
        List<String> options = List.of(
                "",
                "(DELIMITER '|', NULL 'nil')",
                "(HEADER)",
                "(FORMAT csv)",
                "(FORMAT csv, ESCAPE '\\')",
                "(FORMAT csv, QUOTE '''', DELIMITER ';')",
                "(FORMAT csv, NULL 'nil', HEADER)",
                "(FORMAT binary)");
        List<ResultColumn> columns = List.of(COLUMNS.get(7), COLUMNS.get(7));
        for (int i = 0; i < 3_000; i++) {
            List<ResultColumn> chosen = random.nextBoolean() ? columns : TEXT;
            List<List<@Nullable String>> rows = new ArrayList<>();
            for (int row = random.nextInt(5); row > 0; row--) {
                List<@Nullable String> values = new ArrayList<>();
                for (int column = 0; column < chosen.size(); column++) {
                    values.add(random.nextInt(6) == 0 ? null : text(random, letters));
                }
                rows.add(values);
            }
            String option = options.get(i % options.size());
            byte[] data = written(CopySamples.optionsOut(option), block(chosen, rows));
            assertThat(read(CopySamples.optionsIn(option), chosen.size(), data, 1 + random.nextInt(9)))
                    .as("%s of %s", option, rows)
                    .isEqualTo(rows);
        }
    }

    private static String text(Random random, String letters) {
        int[] codes = letters.codePoints().toArray();
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(6); length > 0; length--) {
            text.appendCodePoint(codes[random.nextInt(codes.length)]);
        }
        return text.toString();
    }

    private static List<List<@Nullable String>> read(CopyOptions options, int columns, byte[] data, int pieceBytes) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        CopyReader reader = CopyReader.of(options, new CopyPlace("t", Collections.nCopies(columns, "v")));
        CopyReader.RowReceiver receiver = row -> {
            List<@Nullable String> values = new ArrayList<>();
            for (int i = 0; i < columns; i++) {
                values.add(
                        row.isNull(i)
                                ? null
                                : new String(
                                        row.bytes(), row.from(i), row.to(i) - row.from(i), StandardCharsets.UTF_8));
            }
            rows.add(values);
        };
        CopySamples.pieces(data, pieceBytes).forEach(piece -> reader.read(piece, receiver));
        reader.end(receiver);
        return rows;
    }

    @Test
    void columnsThatAreToBeQuotedAreThere() {
        assertThatThrownBy(
                        () -> written(CopySamples.optionsOut("(FORMAT csv, FORCE_QUOTE (x))"), block(TEXT, List.of())))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("column \"x\" not referenced");
    }
}
