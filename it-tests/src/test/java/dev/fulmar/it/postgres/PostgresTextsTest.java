package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions of texts, bytes and doubles for clients of PostgreSQL, with the answers of PostgreSQL 15. */
class PostgresTextsTest extends PostgresAnswersFixture {
    @BeforeAll
    void create() throws SQLException {
        answer("CREATE TABLE word (id INT PRIMARY KEY, v varchar(4), n smallint, r real)");
        answer("INSERT INTO word VALUES (1, 'abcd    ', '7', '0.5'), (2, 'ab  ', ' -3 ', 1e10)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT 'abcdefg' SIMILAR TO '_bcd%'~t",
                "SELECT 'abcdefg' SIMILAR TO 'bcd%'~f",
                "SELECT 'abcd%' SIMILAR TO '_bcd#%' ESCAPE '#'~t",
                "SELECT 'abcdefg' NOT SIMILAR TO '(a|x)%'~f",
                "SELECT 'ab' SIMILAR TO 'a##' ESCAPE '##'~22025",
                "SELECT substring('abcdefg' SIMILAR 'a#\"(b_d)#\"%' ESCAPE '#')~bcd",
                "SELECT substring('abcdefg' SIMILAR 'a*#\"%#\"g*' ESCAPE '#')~abcdefg",
                "SELECT substring('abcdefg' SIMILAR 'a#\"%g' ESCAPE '#')~bcdefg",
                "SELECT substring('abcdefg' SIMILAR 'a*#\"%#\"g*#\"x' ESCAPE '#')~2200C",
                "SELECT substring('abcdefg' FROM 'b(.*)f')~cde",
                "SELECT substring('abcdefg' FROM 'c.e')~cde",
                "SELECT substring('abcdefg' FROM 2 FOR 3)~bcd",
                "SELECT substring('abc' FROM 1 FOR -1)~22011",
                "SELECT regexp_split_to_array('the quick  fox', '\\s+')~{the,quick,fox}",
                "SELECT regexp_split_to_array('123456', '')~{1,2,3,4,5,6}",
                "SELECT regexp_split_to_array('123456', '6')~`{12345,\"\"}`",
                "SELECT regexp_split_to_array('a', 'a', 'zippy')~22023",
                "SELECT overlay('abcdef' PLACING '45' FROM 4)~abc45f",
                "SELECT overlay('babosa' PLACING 'ubb' FROM 2 FOR 4)~bubba",
                "SELECT overlay('a' PLACING 'b' FROM 0)~22011",
                "SELECT unistr('d\\u0061t\\+000061')~data",
                "SELECT unistr('wrong: \\db99')~42601",
                "SELECT E'wrong: \\u061'~22025",
                "SELECT E'wrong: \\udb99'~42601",
                "SELECT get_byte('\\x1234'::bytea, 1)~52",
                "SELECT get_byte('\\x1234'::bytea, 2)~2202E",
                "SELECT set_bit('\\x1234'::bytea, 0, 1)~\\x1334",
                "SELECT bit_count('\\x1234567890'::bytea)~15",
                "SELECT float4send('5e-20'::float4)~\\x1f6c1e4a",
                "SELECT sind(30), cosd(60)~0.5,0.5",
                "SELECT atanh(float8 '1')~Infinity",
                "SELECT acosh(float8 '0.5')~22003",
                "SELECT length(v) FROM word ORDER BY id~4,4",
                "SELECT '7'::text + 1~8",
                "SELECT 'x'::text + 1~22P02",
                "INSERT INTO word VALUES (9, 'abcde', NULL, NULL)~22001"
            })
    void answersAreThoseOfPostgres(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    /** A text that a function makes has no length; that of a column has. */
    @Test
    void madeTextsHaveNoLength() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT 'x', upper(v), v, v::varchar(2) FROM word LIMIT 0")) {
            assertThat(rows.getMetaData().getColumnTypeName(1)).isEqualTo("text");
            assertThat(rows.getMetaData().getColumnTypeName(2)).isEqualTo("text");
            assertThat(rows.getMetaData().getColumnTypeName(3)).isEqualTo("varchar");
            assertThat(rows.getMetaData().getColumnTypeName(4)).isEqualTo("varchar");
        }
    }
}
