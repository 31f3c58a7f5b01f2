package dev.fulmar.sql.calcite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.foundation.error.FulmarException;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.util.Litmus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A cast by {@code ::} binds more tightly than other operators, as in PostgreSQL. */
class CompletedTokensTest {
    private static SqlNode parsed(String expression) throws SqlParseException {
        return SqlParser.create(new StatementReader(expression), QueryParser.PARSER)
                .parseExpression();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "a + b::int; a + (b::int)",
                "a+b::int+c; a + (b::int) + c",
                "a + b::int * c; a + ((b::int) * c)",
                "a * b::int::varchar(3) || c; (a * ((b::int)::varchar(3))) || c",
                "-a::int; -(a::int)",
                "- 1::int; -(1::int)",
                "(a + b)::int; (a + b)::int",
                "c * (a + b)::int; c * ((a + b)::int)",
                "c * (a + d - b::int)::varchar; c * ((a + d - (b::int))::varchar)",
                "a.b + c.d::int; a.b + (c.d::int)",
                "a + \"B c\".\"::\"::int; a + (\"B c\".\"::\"::int)",
                "a || f(b, c)::varchar; a || (f(b, c)::varchar)",
                "a || s.f(b)::varchar; a || (s.f(b)::varchar)",
                "a || x[1]::varchar; a || (x[1]::varchar)",
                "a || x.y[1][2]::varchar; a || (x.y[1][2]::varchar)",
                "a + CAST(b AS int)::bigint; a + (CAST(b AS int)::bigint)",
                "a + CASE WHEN b THEN c ELSE CASE WHEN d THEN e END END::int;"
                        + "a + (CASE WHEN b THEN c ELSE CASE WHEN d THEN e END END::int)",
                "CASE WHEN a = b::int THEN c + d::int END; CASE WHEN a = (b::int) THEN c + (d::int) END",
                "a || SUM(b) OVER (PARTITION BY c)::varchar; a || (SUM(b) OVER (PARTITION BY c)::varchar)",
                "a || COUNT(*) FILTER (WHERE b)::varchar; a || (COUNT(*) FILTER (WHERE b)::varchar)",
                "a || DATE '2020-01-01'::varchar; a || (DATE '2020-01-01'::varchar)",
                "a = 'x::y'::varchar || b; a = (('x::y'::varchar) || b)",
                "a + ?::double precision - b; a + (?::double precision) - b",
                "a < b::timestamp(3) without time zone; a < (b::timestamp(3) without time zone)",
                "a || b::character varying(4) || c; a || (b::character varying(4)) || c",
                "NOT a::boolean AND b::boolean; (NOT (a::boolean)) AND (b::boolean)",
                "a BETWEEN b::int AND c::int; a BETWEEN (b::int) AND (c::int)",
                "a IN (b + c::int, d); a IN (b + (c::int), d)",
                "a IS DISTINCT FROM b::int; a IS DISTINCT FROM (b::int)",
                "a LIKE b || c::varchar; a LIKE (b || (c::varchar))",
                "(a + end)::int; (a + end)::int",
                "a * (b + end)::int; a * ((b + end)::int)",
                "a + (SELECT b FROM c)::int; a + ((SELECT b FROM c)::int)",
                "a /* :: */ + b /* + */ :: int; a + (b::int)",
            })
    void itBindsTighter(String written, String meant) throws SqlParseException {
        assertThat(parsed(written).equalsDeep(parsed(meant), Litmus.IGNORE))
                .as(parsed(written) + " and " + parsed(meant))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"::", "a + ::int", "a + b::", "a + )::int", "a + ]::int", "(a::", "[::("})
    void whatIsNoCastIsASyntaxError(String text) {
        assertThatThrownBy(() -> parsed(text)).isInstanceOf(SqlParseException.class);
    }

    @Test
    void errorsHaveThePlacesOfTheText() {
        QueryParser parser = new QueryParser();
        String text = "SELECT 1 + 2::INTEGER,\n  3 + 4::BIGINT + missing FROM (VALUES (1)) AS t (a)";
        assertThatThrownBy(() -> parser.parse(text, Catalog.empty()))
                .isInstanceOf(FulmarException.class)
                .hasMessageStartingWith("2:19: ");
        assertThatThrownBy(() -> parser.parse("SELECT 1 + 2::INTEGER + + FROM", Catalog.empty()))
                .hasMessageStartingWith("1:27: ");
    }
}
