package dev.fulmar.postgres.dialect;

import static dev.fulmar.postgres.dialect.FixedFacts.translated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements of PostgreSQL's dialect become those of the engine, and errors find their places. */
class TranslatorTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SELECT a, \"b\", \"C\", \"Dd\" FROM t|SELECT a, \"B\", \"c\", \"Dd\" FROM t",
                "SELECT 'it''s', E'it\\'s \\t\\u0041\\\\', $$it's$$, $x$a$$b$x$|SELECT 'it''s', 'it''s \tA\\', 'it''s', 'a$$b'",
                "SELECT 1 -- one|SELECT 1 ",
                "SELECT /* a /* nested */ comment */ 1|SELECT 1",
                "SELECT a::int4+-1|SELECT CAST ( a AS int4 ) +-1",
                "SELECT a = b::text AND c|SELECT a = \"#TEXT\" ( b ) AND c",
                "SELECT f(a, b)::t.x[1]::int|SELECT CAST ( CAST ( f(a, b) AS t.x[ ] ) AS int )",
                "SELECT -x.y::numeric(5,2), 1|SELECT - CAST ( x.y AS numeric(5,2) ) , 1",
                "SELECT CASE WHEN a THEN 1 END::text|SELECT \"#TEXT\" ( CASE WHEN a THEN 1 END )",
                "SELECT x IN (1)::text|SELECT x IN \"#TEXT\" ( (1) )",
                "SELECT DATE '2024-01-01'::timestamp without time zone|SELECT CAST ( DATE '2024-01-01' AS timestamp without time zone )",
                "SELECT current_user, current_schema(), t.user|SELECT 'ann' , \"#CURRENT_SCHEMA\"() , t.user",
                "SELECT $2, $1, $2|SELECT ?, ?, ?",
                "SELECT a::numeric, CAST(b AS decimal), c::numeric(5,2)|SELECT CAST ( a AS NUMBER ) , CAST(b AS NUMBER ), CAST ( c AS numeric(5,2) )",
                "SELECT \"a\"\"B\"|SELECT \"a\"\"B\"",
                "CREATE TABLE t (a int) WITH (fillfactor=100, toast.autovacuum_enabled=off) TABLESPACE x|CREATE TABLE t (a int)",
                "CREATE UNLOGGED TABLE t (a int)|CREATE TABLE t (a int)",
                "CREATE TABLE t WITH (fillfactor = 70) AS WITH x AS (SELECT 1) SELECT * FROM x|CREATE TABLE t AS WITH x AS (SELECT 1) SELECT * FROM x",
                "CREATE TABLE t (a int) WITHOUT OIDS PARTITIONED|CREATE TABLE t (a int) PARTITIONED",
                "CREATE UNIQUE INDEX i ON t (a) WITH (fillfactor = 90)|CREATE UNIQUE INDEX i ON t (a)",
                "SELECT '\\x00FF'::bytea, CAST(E'a\\\\001' AS bytea), bytea '\\x', '\\x00'::text|SELECT CAST ( X'00ff' AS bytea ) , CAST( X'6101' AS bytea), X'' , CAST('\\x00' AS VARCHAR)",
                "TRUNCATE t|TRUNCATE TABLE t BESIDE t",
                "truncate table only s.t continue identity restrict|truncate table s.t BESIDE s.t",
                "SELECT n FROM rows FROM (generate_series(1, 3)) AS t(n)|SELECT n FROM rows FROM (generate_series(1, 3)) AS t(n)",
                "INSERT INTO cursor SELECT rows FROM t|INSERT INTO \"CURSOR\" SELECT \"ROWS\" FROM t",
                "EXPLAIN (COSTS OFF) DECLARE c CURSOR WITH HOLD FOR SELECT 1|EXPLAIN SELECT 1",
                "SELECT bool ' yes ', boolean 'f', 'on'::bool|SELECT TRUE , FALSE , TRUE",
                "SELECT int2 ' 7 ', '-8'::int8, CAST('9' AS integer)|SELECT CAST('7' AS SMALLINT) , CAST('-8' AS BIGINT) , CAST('9' AS INTEGER)",
                "SELECT 'infinity'::timestamp, date ' -Infinity'|SELECT TIMESTAMP 'infinity' , DATE '-infinity'",
                "SELECT float8 '1e3', double precision 'nan', 'Infinity'::real|SELECT CAST('1000.0' AS DOUBLE) , CAST('NaN' AS DOUBLE) , CAST('Infinity' AS REAL)",
                "SELECT '1.50'::numeric, numeric '2', '1.005'::numeric(3, 2)|SELECT CAST ( '1.50' AS NUMBER ) , CAST('2' AS NUMBER) , CAST(CAST('1.005' AS NUMBER) AS numeric ( 3 , 2 ))",
                "SELECT date 'Jan 8, 1999', '1/8/1999'::date, time '4:05 PM'|SELECT DATE '1999-01-08' , DATE '1999-01-08' , TIME '16:05:00.000000'",
                "SELECT timestamp '19990108 040506', 'epoch'::timestamp without time zone|SELECT TIMESTAMP '1999-01-08 04:05:06.000000' , TIMESTAMP '1970-01-01 00:00:00.000000'",
                "SELECT E'\\x41'::text, name 'it''s'|SELECT CAST('A' AS VARCHAR) , CAST('it''s' AS VARCHAR)",
                "SELECT a AS date, 'x' date, t.bool, INTERVAL '1' DAY|SELECT a AS date, 'x' date, t.bool, CAST('1 day' AS INTERVAL)",
                "CREATE TABLE t (name name NOT NULL, a name)|CREATE TABLE t (name VARCHAR(63) NOT NULL, a VARCHAR(63) )",
                "ALTER TABLE t ADD COLUMN name text|ALTER TABLE t ADD COLUMN name text",
                "SELECT a::name, name FROM t|SELECT CAST ( \"#TEXT\" ( a ) AS VARCHAR(63) ) , name FROM t",
                "EXPLAIN (COSTS OFF, ANALYZE, TIMING off) SELECT 1|EXPLAIN ANALYZE SELECT 1",
                "EXPLAIN (verbose, analyze false) SELECT 1|EXPLAIN SELECT 1",
                "EXPLAIN ANALYZE VERBOSE SELECT 1|EXPLAIN ANALYZE SELECT 1",
                "EXPLAIN (SELECT 1)|EXPLAIN (SELECT 1)",
                "SELECT a LIKE lower(b) + 1 AND c, d NOT LIKE 'e%'|SELECT a LIKE lower(b) + 1 ESCAPE '\\' AND c, d NOT LIKE 'e%'",
                "SELECT a LIKE $1, b LIKE 'c\\d' ESCAPE 'e'|SELECT a LIKE ? ESCAPE '\\' , b LIKE 'c\\d' ESCAPE 'e'",
                "SELECT generate_series(1, 2) FROM t|SELECT generate_series(1, 2) FROM t",
                "SELECT extract(dow FROM a), date_part('year', a)|SELECT CAST(EXTRACT(DOW FROM a ) - 1 AS NUMERIC(20, 0)) , CAST(EXTRACT(YEAR FROM a ) AS DOUBLE)",
                "`SELECT a ? 'b', a ?| $1, a - '{c}'::text[]`|`SELECT a || \"#?\" || 'b', a || \"#?|\" || ?, a - CAST ( '{c}' AS text[] )`",
                "CREATE PROCEDURE p AS UPDATE t SET a = ? WHERE b = ?|CREATE PROCEDURE p AS UPDATE t SET a = ? WHERE b = ?",
                "create or replace procedure p as delete from t where b = ?|create or replace procedure p as delete from t where b = ?",
                "CREATE TABLE t (a timestamp(6) without time zone, time time)|CREATE TABLE t (a timestamp(6) , time time)"
            })
    void writesStatements(String source, String expected) {
        assertThat(translated(source).sql().strip()).isEqualTo(expected.strip());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT numeric 'NaN', a / 2|SELECT CAST('NaN' AS NUMBER) , a / \"#/\" / 2",
                "SELECT -a ^ 2 ^ (b - 1)|SELECT \"#POWER\" ( \"#POWER\" ( -a , 2 ) , (b - 1) )",
                "SELECT 1e3, 1.5 LIMIT 2|SELECT CAST('1e3' AS NUMBER) , 1.5 LIMIT 2",
                "CREATE TABLE t (a numeric, b numeric(10, 2), c decimal(40), d numeric(2,-3) NOT NULL)"
                        + "|CREATE TABLE t (a NUMBER , b numeric(10, 2), c NUMBER(40) , d NUMBER(2 , - 3) NOT NULL)",
                "SELECT sum(a), avg(b) FROM t|SELECT \"#SUM\" (a), \"#AVG\" (b) FROM t",
                "CREATE MATERIALIZED VIEW v AS SELECT sum(a) FROM t|CREATE MATERIALIZED VIEW v AS SELECT sum(a) FROM t",
                "CREATE FUNCTION f(a numeric) RETURNS numeric RETURN a / 2|CREATE FUNCTION f(a numeric) RETURNS numeric RETURN a / 2"
            })
    void writesNumerics(String source, String expected) {
        assertThat(translated(source).sql().strip()).isEqualTo(expected.strip());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SELECT a - interval '7 days'|SELECT a - CAST('7 days' AS INTERVAL)",
                "SELECT a - '1 mon 3 days'::interval|SELECT a - CAST('1 mon 3 days' AS INTERVAL)",
                "SELECT 2 * interval '1 hour', interval '2' day|SELECT 2 * CAST('01:00:00' AS INTERVAL) , CAST('2 days' AS INTERVAL)",
                "SELECT interval '1:2:3.456' day to second(1), interval(0) '1.5 s'|SELECT CAST('01:02:03.5' AS INTERVAL) , CAST('00:00:02' AS INTERVAL)",
                "SELECT a::interval day to second(3), CAST('5' AS interval hour)|SELECT CAST ( a AS interval day to second(3) ) , CAST('05:00:00' AS INTERVAL)",
                "SELECT max(a) OVER (ORDER BY b RANGE interval '90 seconds' PRECEDING)|SELECT max(a) OVER (ORDER BY b RANGE INTERVAL '90' SECOND(2, 6) PRECEDING)",
                "ALTER TABLE ONLY t ADD COLUMN a int|ALTER TABLE t ADD COLUMN a int",
                "ALTER TABLE IF EXISTS ONLY public.t OWNER TO ann|ALTER TABLE IF EXISTS public.t OWNER TO ann",
                "SELECT * FROM ONLY t, ONLY u FETCH FIRST 2 ROWS ONLY|SELECT * FROM t, u FETCH FIRST 2 ROWS ONLY"
            })
    void writesIntervalsAndLeavesChildTablesOut(String source, String expected) {
        assertThat(translated(source).sql().strip()).isEqualTo(expected.strip());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "CREATE TABLE t (a int) WITH (fillfactor=9, color='red')|NOT_SUPPORTED|unrecognized parameter \"color\"",
                "INSERT INTO t VALUES ('\\x00ff')|NOT_SUPPORTED|says its type here",
                "TRUNCATE t RESTART IDENTITY|NOT_SUPPORTED|TRUNCATE ... RESTART"
            })
    void refusesByName(String source, ErrorCode code, String message) {
        assertThatThrownBy(() -> translated(source))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining(message)
                .extracting(error -> ((FulmarException) error).code())
                .isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "EXPLAIN (FORMAT json) SELECT 1|NOT_SUPPORTED",
                "SELECT timestamp(7) '2024-01-01'|NOT_SUPPORTED",
                "SELECT int4 '34.5'|INVALID_TEXT",
                "SELECT '70000'::int2|VALUE_OUT_OF_RANGE",
                "SELECT '10e400'::float8|VALUE_OUT_OF_RANGE",
                "SELECT '10e-70'::float4|VALUE_OUT_OF_RANGE",
                "SELECT bool 'maybe'|INVALID_TEXT",
                "SELECT date 'monday is'|INVALID_DATETIME",
                "SELECT time '10:00 Foo/Bar'|INVALID_ARGUMENT",
                "SELECT '1999-02-29'::date|DATETIME_OUT_OF_RANGE",
                "SELECT 'infinity'::time|INVALID_DATETIME",
                "SELECT time '24:00'|DATETIME_OUT_OF_RANGE"
            })
    void refusesWhatHasNoMeaning(String source, ErrorCode code) {
        assertThatThrownBy(() -> translated(source))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    /** Hibernate and SQLAlchemy write counts of rows so. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT a FROM t LIMIT $1::int OFFSET $2::BIGINT|SELECT a FROM t LIMIT ? OFFSET ?",
                "SELECT a FROM t LIMIT ALL OFFSET 2|SELECT a FROM t OFFSET 2",
                "SELECT a FROM t LIMIT NULL OFFSET NULL|SELECT a FROM t",
                "SELECT a FROM t LIMIT $1|SELECT a FROM t LIMIT ?"
            })
    void knowsCountsOfRows(String source, String sql) {
        assertThat(translated(source).sql().replaceAll("\\s+", " ").strip()).isEqualTo(sql);
    }

    @Test
    void numbersParametersAsTheClientDoes() {
        Translation translation = translated("UPDATE t SET a = $3 WHERE b = $1 AND c = $3");

        assertThat(translation.parameters()).containsExactly(2, 0, 2);
        assertThat(translation.parameterCount()).isEqualTo(3);
    }

    @Test
    void keepsTheFirstWords() {
        assertThat(translated("create /* x */ unique index i on t (a)").words())
                .startsWith("CREATE", "UNIQUE", "INDEX");
        assertThat(translated("").words()).isEmpty();
    }

    @Test
    void splitsScriptsAtTheirSemicolonsOnly() {
        String script = "SELECT ';', $$;$$, \";\" /* ; */; -- ;\n ;UPDATE t SET a = 1;;";

        List<Translator.Part> parts = Translator.statements(script);

        assertThat(parts).hasSize(2);
        assertThat(parts.get(0).text()).isEqualTo("SELECT ';', $$;$$, \";\" /* ; */");
        assertThat(parts.get(1).text().strip()).isEqualTo("UPDATE t SET a = 1");
        assertThat(script.startsWith(parts.get(1).text(), parts.get(1).start())).isTrue();
    }

    @Test
    void findsThePlaceOfAnError() {
        String source = "SELECT \"a\" /* long comment */,\n  $$x$$, nme FROM t";
        Translation translation = Translator.translate(new Translator.Part(source, 10), FixedFacts.OF_ANN);
        int place = translation.sql().lastIndexOf("nme") - translation.sql().lastIndexOf('\n');

        Translation.Message message = translation.message("2:" + place + ": there is no column NME");

        assertThat(message.text()).isEqualTo("there is no column NME");
        assertThat(message.position()).isEqualTo(10 + source.indexOf("nme") + 1);
    }

    @Test
    void anErrorWithoutAPlaceHasNone() {
        assertThat(translated("SELECT 1").message("no: such thing"))
                .isEqualTo(new Translation.Message("no: such thing", 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"SELECT 'a", "SELECT \"a", "/* a", "SELECT $$a", "SELECT E'a\\'", "SELECT \"\"", "$0", "$99999"})
    void refusesWhatDoesNotEnd(String source) {
        assertThatThrownBy(() -> translated(source))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SYNTAX))
                .hasMessageMatching("(?s)\\d+:\\d+: .*");
    }

    @Test
    void refusesStringsOfBitsAndNumbersThatAreNoCharacters() {
        assertThatThrownBy(() -> translated("SELECT B'1'")).hasMessageContaining("bits");
        assertThatThrownBy(() -> translated("SELECT E'\\x00'")).hasMessageContaining("no character");
        assertThatThrownBy(() -> translated("SELECT E'\\xe4'")).hasMessageContaining("no character");
    }

    @Test
    void functionsOfLocksBecomeTheirNumbers() {
        assertThat(translated("SELECT pg_advisory_lock(1)").sql())
                .isEqualToIgnoringWhitespace("SELECT ( CAST(( 1 ) AS BIGINT) )");
        Translation pair = translated(
                "select pg_catalog.pg_try_advisory_xact_lock_shared($2, abs($1)) AS got, pg_advisory_unlock_all()");
        assertThat(pair.sql())
                .isEqualToIgnoringWhitespace(
                        "select ( CAST(CAST(( ? ) AS INTEGER) AS BIGINT) * 4294967296 + (CAST(CAST(( abs(?) ) AS INTEGER)"
                                + " AS BIGINT) + 2147483648) ) AS got, ( CAST(0 AS BIGINT) )");
        assertThat(pair.parameters()).containsExactly(1, 0);
        assertThat(pair.names()).containsExactly("", "pg_advisory_unlock_all");
        assertThat(pair.calls())
                .containsExactly(
                        new LockCall(LockCall.Action.TRY, true, true, true),
                        new LockCall(LockCall.Action.UNLOCK_ALL, false, false, false));
        assertThat(translated("SELECT pg_advisory_unlock_shared(2)").calls())
                .containsExactly(new LockCall(LockCall.Action.UNLOCK, true, false, false));
        assertThat(translated("SELECT pg_advisory_lock FROM t").sql()).isEqualTo("SELECT pg_advisory_lock FROM t");
    }

    @Test
    void functionsOfLocksAreRefusedWhereTheyMightRunAnyNumberOfTimes() {
        for (String sql : List.of(
                "SELECT pg_advisory_lock(id) FROM t",
                "SELECT pg_advisory_lock(1), 2",
                "SELECT 2, pg_advisory_lock(1)",
                "SELECT NOT pg_try_advisory_lock(1)",
                "SELECT pg_try_advisory_lock(1) IS NULL",
                "SELECT pg_try_advisory_lock(1) WHERE 1 = 2",
                "SELECT pg_try_advisory_lock(1) UNION ALL SELECT TRUE",
                "SELECT pg_advisory_lock(pg_advisory_lock(1))",
                "SELECT * FROM t WHERE pg_try_advisory_lock(id)",
                "WITH x AS (SELECT pg_advisory_lock(1)) SELECT * FROM x",
                "DECLARE c CURSOR FOR SELECT pg_advisory_lock(1)",
                "INSERT INTO t SELECT pg_try_advisory_lock(1)",
                "CREATE VIEW v AS SELECT pg_try_advisory_lock(1)")) {
            assertThatThrownBy(() -> translated(sql))
                    .as(sql)
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED))
                    .hasMessageContaining("stands alone");
        }
        for (String sql : List.of(
                "SELECT pg_advisory_lock()", "SELECT pg_advisory_unlock_all(1)", "SELECT pg_advisory_lock(1, 2, 3)")) {
            assertThatThrownBy(() -> translated(sql))
                    .as(sql)
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_PROCEDURE));
        }
    }

    /** Whatever comes, the lexer ends, and its words lie one behind another in the text. */
    @Test
    void cutsAnyText() {
        String letters = "aE$'\"\\-/*;:.1 (\n,+<=~|é";
        Random random = new Random(11);
        for (int i = 0; i < 100_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(12); length > 0; length--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            try {
                int end = 0;
                for (Lexeme lexeme : Lexer.lexemes(text.toString())) {
                    assertThat(lexeme.start()).isGreaterThanOrEqualTo(end);
                    assertThat(text.toString().startsWith(lexeme.text(), lexeme.start()))
                            .isTrue();
                    end = lexeme.end();
                }
                assertThat(end).isEqualTo(text.length());
            } catch (FulmarException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.SYNTAX);
            }
        }
    }
}
