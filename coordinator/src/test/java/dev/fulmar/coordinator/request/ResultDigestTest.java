package dev.fulmar.coordinator.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultDigestTest {
    private static final ResultLayout LAYOUT = new ResultLayout(List.of(
            new ResultColumn("N", ColumnType.of(TypeKind.BIGINT), true),
            new ResultColumn("TEXT", ColumnType.varchar(20), true)));

    private record Row(@Nullable Long number, @Nullable String text) {}

    private static ResultDigest digest(List<Row> rows) {
        return digest(rows, "SELECT * FROM t");
    }

    private static ResultDigest digest(List<Row> rows, String sql) {
        ResultBlockWriter writer = new ResultBlockWriter(64, 1 << 20);
        writer.begin(LAYOUT);
        for (Row row : rows) {
            writer.startRow();
            if (row.number == null) {
                writer.setNull(0);
            } else {
                writer.setLong(0, row.number);
            }
            if (row.text == null) {
                writer.setNull(1);
            } else {
                byte[] bytes = row.text.getBytes(StandardCharsets.UTF_8);
                writer.setBytes(1, bytes, 0, bytes.length);
            }
            writer.endRow();
        }
        writer.end();
        return ResultDigest.of(new Committed(Kind.TABLE, 0, writer.toByteArray()), sql);
    }

    /** Logs have digests, and nodes compare theirs: if this test fails, both would differ from earlier builds. */
    @Test
    void theseValuesNeverChange() {
        List<Row> rows = List.of(new Row(1L, "fulmarus glacialis"), new Row(null, "a"), new Row(-7L, null));
        assertThat(digest(rows)).isEqualTo(new ResultDigest(-4228803662245567466L, -1448289464217523753L));
        assertThat(digest(rows, "SELECT * FROM t ORDER BY n"))
                .isEqualTo(new ResultDigest(7209160426995130570L, -8453057596336978672L));
    }

    /** The column that puts them in order may be none of the result's. */
    @Test
    void theOrderOfRowsCountsWhereItWasAskedFor() {
        List<Row> rows = List.of(new Row(7L, "a"), new Row(9L, "b"));
        String ordered = "SELECT id, name FROM job Order  by priority";
        assertThat(digest(rows.reversed(), ordered)).isNotEqualTo(digest(rows, ordered));
        assertThat(digest(rows, ordered)).isEqualTo(digest(List.copyOf(rows), ordered));
    }

    /** A literal is a parameter in another form of the same statement. */
    @Test
    void wordsInLiteralsAskForNoOrder() {
        List<Row> rows = List.of(new Row(7L, "a"), new Row(9L, "b"));
        String literal = "SELECT id, name FROM job WHERE note = 'in order by name, it''s said'";
        assertThat(digest(rows.reversed(), literal)).isEqualTo(digest(rows, literal));
        assertThat(digest(rows, literal + " ORDER BY 1")).isNotEqualTo(digest(rows, literal));
    }

    /** An apostrophe in a comment or a name begins no literal. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SELECT a /* it's */ FROM t ORDER BY a -- isn't it | true",
                "SELECT a -- it's~FROM t ORDER BY a -- isn't it | true",
                "SELECT a AS \"it's\" FROM t ORDER BY a, \"isn't\" | true",
                "SELECT a FROM t ORDER /* no */ BY a | true",
                "SELECT a FROM t ORDER -- no~ BY a | true",
                "SELECT '--' FROM t ORDER BY a | true",
                "SELECT '/*' FROM t ORDER BY a | true",
                "SELECT '\"' FROM t ORDER BY a, '\"' | true",
                "SELECT a FROM t -- ORDER BY a | false",
                "SELECT a FROM t /* it's~ ORDER BY a */ | false",
                "SELECT a AS \"order by\" FROM t | false",
                "SELECT a FROM t WHERE a = 'it''s~ order by ' | false"
            })
    void commentsAndQuotedWordsAskForNoOrder(String lines, boolean isOrdered) {
        String sql = lines.replace('~', '\n');
        List<Row> rows = List.of(new Row(7L, "a"), new Row(9L, "b"));
        assertThat(digest(rows.reversed(), sql).equals(digest(rows, sql))).isNotEqualTo(isOrdered);
    }

    /** Neither ends the stack, nor takes time with the square of its length. */
    @Test
    @Timeout(20)
    void aLongTextIsRead() {
        List<Row> rows = List.of(new Row(7L, "a"), new Row(9L, "b"));
        for (String part : List.of("'", "\"", "/*", "--", "/* x */", "'x' ", "*/")) {
            String sql = "SELECT 1 FROM t ORDER BY 1 " + part.repeat(200_000);
            assertThat(digest(rows.reversed(), sql)).isNotEqualTo(digest(rows, sql));
        }
        String comment = "SELECT 1 /*" + "x\n".repeat(500_000) + "*/ FROM t ORDER BY 1";
        assertThat(digest(rows.reversed(), comment)).isNotEqualTo(digest(rows, comment));
    }

    @Test
    void theOrderOfRowsDoesNotCountElsewhere() {
        List<Row> rows = new ArrayList<>();
        for (long i = 0; i < 50; i++) {
            rows.add(new Row(i % 7, i % 3 == 0 ? null : "text " + i));
        }
        ResultDigest digest = digest(rows);
        Random random = new Random(1);
        for (int i = 0; i < 20; i++) {
            Collections.shuffle(rows, random);
            assertThat(digest(rows)).isEqualTo(digest);
        }
    }

    @Test
    void otherRowsHaveAnotherDigest() {
        Row one = new Row(1L, "a");
        List<List<Row>> different = List.of(
                List.of(),
                List.of(one),
                List.of(one, one),
                List.of(one, one, one),
                List.of(new Row(0L, "a")),
                List.of(new Row(null, "a")),
                List.of(new Row(1L, null)),
                List.of(new Row(1L, "")),
                List.of(new Row(1L, "a"), new Row(2L, "b")),
                List.of(new Row(1L, "b"), new Row(2L, "a")),
                List.of(new Row(null, null)),
                List.of(new Row(null, null), new Row(null, null)));
        Set<ResultDigest> digests = new HashSet<>();
        different.forEach(rows -> digests.add(digest(rows)));
        assertThat(digests).hasSameSizeAs(different);
    }

    @Test
    void countsOfChangedRowsDiffer() {
        Set<ResultDigest> digests = new HashSet<>();
        for (long count = 0; count < 1_000; count++) {
            digests.add(ResultDigest.of(new Committed(Kind.VALUE, count, new byte[0]), ""));
        }
        digests.add(ResultDigest.of(new Committed(Kind.NOTHING, 0, new byte[0]), ""));
        assertThat(digests).hasSize(1_001);
    }
}
