package dev.fulmar.engine.procedure.invocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.procedure.ProcedureFixture;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ParametersTest {
    private static final ProcedureFixture FIXTURE = new ProcedureFixture()
            .run("Primitives", """
                    public Rows run(ProcedureContext context, boolean a, byte b, short c, int d, long e, float f, double g) {
                        return context.table("a", "b", "c", "d", "e", "f", "g").row(a, b, c, d, e, f, g).build();
                    }""")
            .run("Boxes", """
                    public Rows run(ProcedureContext context, Boolean a, Byte b, Short c, Integer d, Long e, Float f, Double g) {
                        return context.table("a", "b", "c", "d", "e", "f", "g").row(a, b, c, d, e, f, g).build();
                    }""")
            .run("Objects", """
                    public Rows run(ProcedureContext context, String a, byte[] b, BigDecimal c, LocalDate d, LocalTime e, LocalDateTime f,
                            Instant g, UUID h) {
                        return context.table("a", "b", "c", "d", "e", "f", "g", "h").row(a, b, c, d, e, f, g, h).build();
                    }""")
            .run("PrimitiveArrays", """
                    public long run(ProcedureContext context, boolean[] a, short[] b, int[] c, long[] d, float[] e, double[] f) {
                        return (a[1] ? 1 : 0) + b[1] + c[1] + d[1] + (long) e[1] + (long) f[1];
                    }""")
            .run("ObjectArrays", """
                    public Rows run(ProcedureContext context, String[] a, byte[][] b, BigDecimal[] c, LocalDate[] d, LocalTime[] e,
                            LocalDateTime[] f, Instant[] g, UUID[] h) {
                        return context.table("a", "b", "c", "d", "e", "f", "g", "h")
                                .row(a[0], b[0], c[0], d[0], e[0], f[0], g[0], h[0]).build();
                    }""")
            .run(
                    "NullArray",
                    "public long run(ProcedureContext context, int[] a, String[] b) { return a == null && b == null ? 1 : 0; }")
            .run(
                    "Empty",
                    "public long run(ProcedureContext context, int[] a, String[] b) { return a.length + b.length; }")
            .run("Nothing", "public void run(ProcedureContext context) { }");

    private static final LocalDate DATE = LocalDate.of(2024, 2, 29);
    private static final LocalTime TIME = LocalTime.of(23, 59, 58, 123_456_000);
    private static final LocalDateTime TIMESTAMP = LocalDateTime.of(DATE, TIME);
    private static final UUID ID = new UUID(1, 2);

    private static ResultBlock row(String procedure, @Nullable Object... values) {
        ResultBlock block = FIXTURE.table(procedure, values);
        assertThat(block.next()).isTrue();
        return block;
    }

    @Test
    void primitives() {
        ResultBlock row =
                row("Primitives", true, (byte) -128, (short) 32767, Integer.MIN_VALUE, Long.MAX_VALUE, 1.5f, -2.25);

        assertThat(row.object(0)).isEqualTo(true);
        assertThat(row.getLong(1)).isEqualTo(-128);
        assertThat(row.getLong(2)).isEqualTo(32767);
        assertThat(row.getLong(3)).isEqualTo(Integer.MIN_VALUE);
        assertThat(row.getLong(4)).isEqualTo(Long.MAX_VALUE);
        assertThat(row.getDouble(5)).isEqualTo(1.5);
        assertThat(row.getDouble(6)).isEqualTo(-2.25);
    }

    @Test
    void boxesTakeNull() {
        ResultBlock row = row("Boxes", null, null, null, null, null, null, null);
        for (int i = 0; i < 7; i++) {
            assertThat(row.isNull(i)).isTrue();
        }
        ResultBlock values = row("Boxes", false, 1L, 2L, 3L, 4L, 5.0, 6.0);
        assertThat(values.getLong(3)).isEqualTo(3);
    }

    @Test
    void objects() {
        ResultBlock row = row(
                "Objects", "Grüße", new byte[] {1, 2}, new BigDecimal("12.340"), DATE, TIME, TIMESTAMP, TIMESTAMP, ID);

        assertThat(row.string(0)).isEqualTo("Grüße");
        assertThat(row.bytes(1)).containsExactly(1, 2);
        assertThat(row.decimal(2)).isEqualTo(new BigDecimal("12.340"));
        assertThat(row.object(3)).isEqualTo(DATE);
        assertThat(row.object(4)).isEqualTo(TIME);
        assertThat(row.object(5)).isEqualTo(TIMESTAMP);
        assertThat(row.object(6)).isEqualTo(TIMESTAMP);
        assertThat(row.uuid(7)).isEqualTo(ID);
        assertThat(row("Objects", null, null, null, null, null, null, null, null)
                        .isNull(7))
                .isTrue();
    }

    @Test
    void arrays() {
        assertThat(FIXTURE.value(
                        "PrimitiveArrays",
                        new boolean[] {false, true},
                        new short[] {0, 10},
                        new int[] {0, 100},
                        new long[] {0, 1000},
                        new float[] {0, 10_000},
                        new double[] {0, 100_000}))
                .isEqualTo(111_111);
        assertThat(FIXTURE.value("NullArray", null, null)).isEqualTo(1);
        assertThat(FIXTURE.value("Empty", new int[0], new String[0])).isZero();
        ResultBlock row = row(
                "ObjectArrays",
                new String[] {"x"},
                new byte[][] {{7}},
                new BigDecimal[] {BigDecimal.TEN},
                new LocalDate[] {DATE},
                new LocalTime[] {TIME},
                new LocalDateTime[] {TIMESTAMP},
                new LocalDateTime[] {TIMESTAMP},
                new UUID[] {ID});
        assertThat(row.string(0)).isEqualTo("x");
        assertThat(row.bytes(1)).containsExactly(7);
        assertThat(row.object(3)).isEqualTo(DATE);
        assertThat(row.object(6)).isEqualTo(TIMESTAMP);
        assertThat(row.uuid(7)).isEqualTo(ID);
    }

    @Test
    void valuesThatFitAreConverted() {
        assertThat(row("Primitives", 1L, 1.0, new BigDecimal("2"), 3L, true, 4L, new BigDecimal("0.5"))
                        .getDouble(6))
                .isEqualTo(0.5);
        assertThat(FIXTURE.value(
                        "PrimitiveArrays",
                        new boolean[] {true, false},
                        new long[] {1, 2},
                        new long[] {1, 2},
                        new int[] {3, 4},
                        new long[] {5, 6},
                        new long[] {7, 8}))
                .isEqualTo(22);
    }

    @Test
    void wrongParametersSayWhatIsExpectedAndWhatCame() {
        refused("Nothing takes 0 parameters (), but 1 came; pass one value for each", "Nothing", 1L);
        refused("Empty takes 2 parameters (int[] a, string[] b), but 0 came; pass one value for each", "Empty");
        refused(
                "parameter 2 of Primitives is byte b, but 128, which lies outside of -128 to 127 came; pass a value of that type",
                "Primitives",
                true,
                128L,
                1L,
                1L,
                1L,
                1.0,
                1.0);
        refused(
                "parameter 4 of Primitives is int d, but a STRING value came; pass a value of that type",
                "Primitives",
                true,
                1L,
                1L,
                "x",
                1L,
                1.0,
                1.0);
        refused(
                "parameter 1 of Primitives is boolean a, but NULL came; pass a value of that type",
                "Primitives",
                null,
                1L,
                1L,
                1L,
                1L,
                1.0,
                1.0);
        refused(
                "parameter 5 of Primitives is long e, but 1.5, which is no integer of 64 bits came; pass a value of that type",
                "Primitives",
                true,
                1L,
                1L,
                1L,
                1.5,
                1.0,
                1.0);
    }

    @Test
    void wrongArraysAndObjectsSayWhatIsExpectedAndWhatCame() {
        refused(
                "parameter 1 of Empty is int[] a, but an array of STRING values came; pass a value of that type",
                "Empty",
                new String[] {"x"},
                new String[0]);
        refused(
                "parameter 1 of Empty is int[] a, but an array with the element 3000000000, which lies outside of -2147483648 to"
                        + " 2147483647 came; pass a value of that type",
                "Empty",
                new long[] {3_000_000_000L},
                new String[0]);
        refused(
                "parameter 4 of Objects is date d, but a STRING value came; pass a value of that type",
                "Objects",
                "x",
                null,
                null,
                "2024-01-01",
                null,
                null,
                null,
                null);
    }

    private static void refused(String message, String procedure, @Nullable Object... values) {
        assertThatThrownBy(() -> FIXTURE.call(procedure, values))
                .isInstanceOf(FulmarException.class)
                .hasMessage(message)
                .extracting(thrown -> ((FulmarException) thrown).code())
                .isEqualTo(ErrorCode.WRONG_PARAMETERS);
    }

    @Test
    void anInstantIsTheTimestampInUtc() {
        ProcedureFixture fixture = new ProcedureFixture()
                .run("Micros", "public long run(ProcedureContext context, Instant at) { return at.toEpochMilli(); }");

        assertThat(fixture.value("Micros", TIMESTAMP))
                .isEqualTo(Instant.parse("2024-02-29T23:59:58.123Z").toEpochMilli());
    }
}
