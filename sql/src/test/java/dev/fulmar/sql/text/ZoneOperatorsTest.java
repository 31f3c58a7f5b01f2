package dev.fulmar.sql.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZoneOperatorsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "a AT TIME ZONE 'UTC' | \"#AT\"(a,'UTC')",
                "1 + t.a at time zone ? - 2 | 1 + \"#AT\"(t.a,?) - 2",
                "f(x, (y)) AT TIME ZONE z.n | \"#AT\"(f(x, (y)),z.n)",
                "WHERE (a) AT TIME ZONE g(b) = c | WHERE \"#AT\"((a),g(b)) = c",
                "TIMESTAMP '2024-01-01' AT TIME ZONE (b) | \"#AT\"(TIMESTAMP '2024-01-01',(b))",
                "CASE WHEN a THEN b END AT TIME ZONE 'x' | \"#AT\"(CASE WHEN a THEN b END,'x')",
                "a::timestamp AT TIME ZONE 'x' | \"#AT\"(a::timestamp,'x')",
                "a AT TIME ZONE 'x' AT TIME ZONE 'y' | \"#AT\"(\"#AT\"(a,'x') ,'y')",
                "TIMESTAMPTZ '2024-01-01' | \"#TZ\"('2024-01-01')",
                "TIMESTAMP WITH TIME ZONE '2024-01-01' AT TIME ZONE 'x' | \"#AT\"(\"#TZ\"('2024-01-01') ,'x')",
                "CAST(a AS TIMESTAMP WITH TIME ZONE) | CAST(a AS TIMESTAMP WITH TIME ZONE)",
                "EXTRACT(DOW FROM (a) AT TIME ZONE 'x') | EXTRACT(DOW FROM \"#AT\"((a),'x') )",
                "max(a) OVER (ORDER BY b) AT TIME ZONE 'x' | \"#AT\"(max(a) OVER (ORDER BY b),'x')",
                "a = ALL (b) AT TIME ZONE 'x' | a = ALL \"#AT\"((b),'x')",
                "a AT TIME ZONE z::text AT TIME ZONE (b AT TIME ZONE c) | \"#AT\"(\"#AT\"(a,z::text) ,(\"#AT\"(b,c) ))",
                "'a AT TIME ZONE b' | 'a AT TIME ZONE b'",
                "AT TIME ZONE | AT TIME ZONE"
            })
    void operatorsAreCalls(String sql, String written) {
        assertThat(ZoneOperators.written(sql)
                        .replaceAll(" +", " ")
                        .replaceAll(" ,", ",")
                        .strip())
                .isEqualTo(written.replaceAll(" ,", ","));
    }

    /** Each literal once meant another look at the whole text. */
    @Test
    @Timeout(20)
    void manyLiteralsTakeNoLongerThanTheirText() {
        String sql = "SELECT " + "TIMESTAMPTZ '2024-01-01' AT TIME ZONE 'x', ".repeat(8_000) + "1";
        assertThat(ZoneOperators.written(sql)).hasSameSizeAs(sql);
    }

    @Test
    void wordsBehindKeepTheirPlaces() {
        String sql = "SELECT a AT TIME\nZONE 'UTC', TIMESTAMPTZ '2024-01-01' AS b,\n c FROM t";
        String written = ZoneOperators.written(sql);
        assertThat(written.split("\n")).hasSize(3);
        assertThat(written.split("\n")[2]).isEqualTo(" c FROM t");
        assertThat(written).hasSameSizeAs(sql);
        String line = "SELECT a AT TIME ZONE 'UTC', x";
        assertThat(ZoneOperators.written(line).indexOf(", x")).isEqualTo(line.indexOf(", x"));
    }
}
