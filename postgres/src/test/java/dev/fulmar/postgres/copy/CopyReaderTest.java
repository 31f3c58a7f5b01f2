package dev.fulmar.postgres.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.dialect.CopyFormat;
import dev.fulmar.postgres.dialect.CopyOptions;
import dev.fulmar.wire.postgres.message.SqlState;
import dev.fulmar.wire.postgres.message.ValueFormat;
import dev.fulmar.wire.postgres.type.PostgresType;
import dev.fulmar.wire.postgres.type.ValueForm;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Data are read as PostgreSQL reads them, in pieces of any size, and bad ones fail as there. */
class CopyReaderTest {
    private static final List<String> TWO = List.of("a", "b");
    private static final List<String> ONE = List.of("b");

    /** Data, and the rows or the error that PostgreSQL 15 has made of them. */
    record Sample(String name, List<String> columns, CopyOptions options, byte[] data, String outcome) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Sample> samples() {
        List<String> lines = CopySamples.lines("copy-in.txt");
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < lines.size(); i += 4) {
            String target = lines.get(i + 1).strip();
            samples.add(new Sample(
                    lines.get(i),
                    target.startsWith("t") ? TWO : ONE,
                    CopySamples.optionsIn(target.substring(1)),
                    CopySamples.bytes(lines.get(i + 2)),
                    lines.get(i + 3).substring(2)));
        }
        return samples;
    }

    @ParameterizedTest
    @MethodSource("samples")
    void dataMeanWhatTheyMeanToPostgres(Sample sample) {
        for (int bytes : new int[] {1, 2, 3, 7, 1_000}) {
            assertThat(outcome(sample, bytes)).as("pieces of %d bytes", bytes).isEqualTo(expected(sample));
        }
    }

    /** The outcome, without the words of errors in values. */
    private static String expected(Sample sample) {
        if (!sample.outcome().startsWith("error")) {
            return sample.outcome().strip();
        }
        if (sample.name().equals("empty line")) { // PostgreSQL first decodes the values that are there
            return "22P04 missing data for column \"b\" | COPY t, line 2: \"\"";
        }
        String[] parts = sample.outcome().substring("error ".length()).split(" \\| ", -1);
        return switch (parts[0]) {
            case "22P04" -> "22P04 " + unescaped(parts[1]) + " | " + unescaped(parts[2]);
            case "22021" -> "22021 " + parts[2].replaceAll(":.*", ""); // Fulmar names the column, not the line
            case "08P01" -> "22P03 " + unescaped(parts[2]); // of a number with too few bytes
            default -> parts[0] + " " + unescaped(parts[2]);
        };
    }

    private static String unescaped(String text) {
        return text.replace("\\n", "\n")
                .replace("\\r", "\r")
                .replace("\\\\", "\\")
                .replaceAll("\\|\\s*$", "")
                .strip();
    }

    private static String outcome(Sample sample, int pieceBytes) {
        CopyPlace place = new CopyPlace(sample.columns().size() == 2 ? "t" : "s", sample.columns());
        List<String> rows = new ArrayList<>();
        try {
            read(sample, place, pieceBytes, rows);
        } catch (FulmarException e) {
            String message = String.valueOf(e.getMessage());
            int at = message.indexOf(CopyPlace.CONTEXT);
            String context = at < 0 ? "" : message.substring(at + CopyPlace.CONTEXT.length());
            String text = (at < 0 ? message : message.substring(0, at)).replaceAll("; .*", "");
            return switch (SqlState.of(e.code())) {
                case "22P04" -> ("22P04 " + text + " | " + context);
                case "22021" -> "22021 " + context.replaceAll(", column.*", "");
                case String other -> other + " " + context;
            };
        }
        return rows.isEmpty() ? "rows" : "rows " + String.join(" ", rows);
    }

    private static void read(Sample sample, CopyPlace place, int pieceBytes, List<String> rows) {
        boolean isText = sample.options().format() != CopyFormat.BINARY;
        List<ColumnType> types = sample.columns().size() == 2
                ? List.of(ColumnType.of(TypeKind.INTEGER), ColumnType.varchar(1_000))
                : List.of(ColumnType.varchar(1_000));
        CopyReader reader = CopyReader.of(sample.options(), place);
        RowDecoder decoder = new RowDecoder(types, place, isText, ZoneOffset.UTC);
        ParameterWriter writer = new ParameterWriter(64, 1 << 20);
        CopyReader.RowReceiver receiver = row -> {
            decoder.add(row, writer.begin());
            rows.add(text(row, types.size() == 2, isText));
        };
        CopySamples.pieces(sample.data(), pieceBytes).forEach(piece -> reader.read(piece, receiver));
        reader.end(receiver);
    }

    private static String text(CopyRow row, boolean hasNumber, boolean isText) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < row.count(); i++) {
            byte[] value = Arrays.copyOfRange(row.bytes(), row.from(i), row.to(i));
            boolean isNumber = i == 0 && hasNumber;
            String shown = isNumber && !row.isNull(i)
                    ? ValueForm.read(
                                    PostgresType.INT4,
                                    isText ? ValueFormat.TEXT : ValueFormat.BINARY,
                                    value,
                                    ZoneOffset.UTC)
                            .toString()
                    : HexFormat.of().formatHex(value);
            values.add(row.isNull(i) ? "null" : shown);
        }
        String joined = String.join("|", values);
        return joined.isEmpty() ? "-" : joined;
    }

    @Test
    void randomBytesFailAsBadDataOrAreRead() {
        Random random = new Random(7);
        byte[] likely = "\\.\n\r,\t\"Nx0123456789\\'PGCOPY\u00ff\u0000".getBytes(StandardCharsets.ISO_8859_1);
        List<CopyOptions> options = List.of(
                CopySamples.optionsIn(""),
                CopySamples.optionsIn("(HEADER MATCH)"),
                CopySamples.optionsIn("(FORMAT csv)"),
                CopySamples.optionsIn("(FORMAT csv, ESCAPE '\\', FORCE_NULL (b))"),
                CopySamples.optionsIn("(FORMAT binary)"));
        int failures = 0;
        for (int i = 0; i < 40_000; i++) {
            byte[] data = new byte[random.nextInt(60)];
            for (int j = 0; j < data.length; j++) {
                data[j] = likely[random.nextInt(likely.length)];
            }
            CopyOptions chosen = options.get(i % options.size());
            byte[] whole = chosen.format() == CopyFormat.BINARY && random.nextBoolean() ? withHeader(data) : data;
            Sample sample = new Sample("random", random.nextBoolean() ? TWO : ONE, chosen, whole, "");
            String outcome = chosen.nullQuoted().isEmpty() || sample.columns().contains("b")
                    ? outcome(sample, 1 + random.nextInt(10))
                    : "rows";
            assertThat(outcome).matches("(?s)(rows|22P04|22P02|22P03|22003|22021).*");
            assertThat(outcome(sample, 1_000)).isEqualTo(outcome);
            failures += outcome.startsWith("rows") ? 0 : 1;
        }
        assertThat(failures).isBetween(1_000, 39_000);
    }

    private static byte[] withHeader(byte[] data) {
        byte[] whole = Arrays.copyOf(BinaryReader.SIGNATURE, BinaryReader.SIGNATURE.length + 8 + data.length);
        System.arraycopy(data, 0, whole, BinaryReader.SIGNATURE.length + 8, data.length);
        return whole;
    }

    @Test
    void aLineThatDoesNotEndIsRefusedBeforeItTakesTheHeap() {
        for (CopyFormat format : List.of(CopyFormat.TEXT, CopyFormat.CSV)) {
            CopyReader reader = CopyReader.of(CopyOptions.of(format), new CopyPlace("t", ONE));
            byte[] megabyte = new byte[1 << 20];
            Arrays.fill(megabyte, (byte) 'x');
            reads(reader, 15, megabyte);
            assertThatThrownBy(() -> reads(reader, 2, megabyte)).satisfies(CopyReaderTest::isTooLarge);
        }
    }

    @Test
    void aBinaryRowThatIsTooLongIsRefusedBeforeItTakesTheHeap() {
        byte[] tooLong = withHeader(new byte[] {0, 1, 1, 0, 0, 1});
        assertThatThrownBy(() -> reads(new BinaryReader(new CopyPlace("t", ONE)), 1, tooLong))
                .satisfies(CopyReaderTest::isTooLarge);
    }

    @Test
    void theValuesOfABinaryRowAreBoundedTogether() {
        CopyReader reader = new BinaryReader(new CopyPlace("t", TWO));
        byte[] megabyte = new byte[1 << 20];
        reads(reader, 1, withHeader(new byte[] {0, 2, 0, (byte) 0x90, 0, 0})); // of 9 MB
        reads(reader, 9, megabyte);
        assertThatThrownBy(() -> reads(reader, 1, new byte[] {0, (byte) 0x90, 0, 0}))
                .satisfies(CopyReaderTest::isTooLarge);
    }

    /** A piece of one byte had all values of the row before it copied again, which takes a memory of as many bytes. */
    @Test
    void smallPiecesBehindALargeValueAreReadByThemselves() {
        CopyReader reader = new BinaryReader(new CopyPlace("t", TWO));
        List<String> rows = new ArrayList<>();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        reader.read(withHeader(new byte[] {0, 2, 0, (byte) 0x80, 0, 0}), row -> {}); // of 8 MB
        reads(reader, 8, new byte[1 << 20]);
        reader.read(new byte[] {0, 0, 7, (byte) 0xD0}, row -> {}); // of 2,000 bytes
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 2_000; i++) {
            reader.read(new byte[] {'x'}, row -> rows.add(row.size() + " bytes"));
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(64 << 20);
        assertThat(rows).containsExactly((8 << 20) + 2_000 + " bytes");
    }

    private static void reads(CopyReader reader, int times, byte[] piece) {
        for (int i = 0; i < times; i++) {
            reader.read(piece, row -> {});
        }
    }

    private static void isTooLarge(Throwable thrown) {
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TRANSACTION_TOO_LARGE));
    }

    @Test
    void optionsNameColumnsOfTheCopy() {
        assertThatThrownBy(() ->
                        CopyReader.of(CopySamples.optionsIn("(FORMAT csv, FORCE_NULL (x))"), new CopyPlace("t", TWO)))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("column \"x\" not referenced");
    }
}
