package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.spi.Invocation;
import dev.fulmar.engine.spi.Invocation.Argument;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that call procedures. */
class InvocationsTest {
    private static final Argument MARKER = new Argument.Marker(Optional.empty());

    private final SqlCompiler compiler = new SqlCompiler();

    private Invocation call(String sql) {
        return ((SqlFrontend.Compiled.Call) compiler.compile(sql, Catalog.empty())).invocation();
    }

    private List<Argument> arguments(String list) {
        return call("CALL p(" + list + ")").arguments();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "CALL transfer(); TRANSFER",
                "call \"Transfer\" ( ) ; Transfer",
                "/* pay */ CALL public.transfer(); TRANSFER",
                "CALL shop.sell(); SHOP.SELL",
                "CALL public.account.insert(); ACCOUNT.INSERT",
                "SELECT * FROM shop.sell(); SHOP.SELL"
            })
    void namesAreThoseOfProcedures(String sql, String name) {
        assertThat(call(sql).procedure()).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "SELECT * FROM shop.sell(); SELL",
                "select*from\"Sell\"(); Sell",
                "SELECT * FROM sell() AS result; RESULT",
                "SELECT * FROM sell() \"Result\"; Result"
            })
    void rowsAreReadByAQueryThatMayNameThem(String sql, String column) {
        Invocation invocation = call(sql);
        assertThat(invocation.form()).isEqualTo(Invocation.Form.ROWS);
        assertThat(invocation.column()).isEqualTo(column);
    }

    @Test
    void argumentsAreParametersAndConstants() {
        assertThat(arguments("?, ?, 5, -7, 1.50, NULL, true, 'it''s', CAST(? AS INTEGER)"))
                .containsExactly(
                        MARKER,
                        MARKER,
                        new Argument.Value(TypeKind.BIGINT, 5L),
                        new Argument.Value(TypeKind.BIGINT, -7L),
                        new Argument.Value(TypeKind.DECIMAL, new BigDecimal("1.50")),
                        new Argument.Null(),
                        new Argument.Value(TypeKind.BOOLEAN, true),
                        new Argument.Text("it's"),
                        new Argument.Marker(Optional.of(ColumnType.of(TypeKind.INTEGER))));
        assertThat(arguments("9223372036854775807, -9223372036854775808, 9223372036854775808"))
                .containsExactly(
                        new Argument.Value(TypeKind.BIGINT, Long.MAX_VALUE),
                        new Argument.Value(TypeKind.BIGINT, Long.MIN_VALUE),
                        new Argument.Value(TypeKind.DECIMAL, new BigDecimal("9223372036854775808")));
    }

    @Test
    void constantsHaveTheTypesThatTheyAreGiven() {
        assertThat(arguments("DATE '2024-02-29', CAST('1.25' AS NUMERIC(38, 2)), 1E3, (2 + 3) * 4, CAST(NULL AS DATE)"))
                .containsExactly(
                        new Argument.Value(
                                TypeKind.DATE, LocalDate.of(2024, 2, 29).toEpochDay()),
                        new Argument.Value(TypeKind.DECIMAL, new BigDecimal("1.25")),
                        new Argument.Value(TypeKind.DOUBLE, 1000.0),
                        new Argument.Value(TypeKind.INTEGER, 20L),
                        new Argument.Null());
        assertThat(((Argument.Value) arguments("X'00ff'").getFirst()).value()).isEqualTo(new byte[] {0, (byte) 0xff});
    }

    @Test
    void theZoneIsThatOfTheText() {
        assertThat(call("CALL p('2024-01-01')").zone()).isEqualTo(ZoneOffset.UTC);
        assertThat(call("CALL p('2024-01-01') /* TIME ZONE Europe/Oslo */").zone())
                .isEqualTo(ZoneId.of("Europe/Oslo"));
        assertThat(call("SELECT * FROM p() /* TIME ZONE Europe/Oslo */").zone()).isEqualTo(ZoneId.of("Europe/Oslo"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"CALL p(? + 1)", "CALL p(CURRENT_TIMESTAMP)", "CALL p((SELECT 1))", "CALL p(UPPER(?))"})
    void computedArgumentsAreRefused(String sql) {
        assertRefused(sql, ErrorCode.NOT_SUPPORTED, "1:8: the argument ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "CALL p; 1:7: expected '('",
                "CALL (1); 1:6: expected a procedure name",
                "CALL p(1; 1:9: expected ')'",
                "CALL p(,); 1:8: expected a value or a parameter",
                "CALL p(1) + 1; 1:11: expected the end",
                "CALL p(CAST(? AS INTEGER NOT)); 1:26: expected the end"
            })
    void wrongCallsAreErrorsAtTheirPlaces(String sql, String message) {
        assertRefused(sql, ErrorCode.SYNTAX, message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM p(1) WHERE a = 1",
                "SELECT * FROM p(1) AS t (a, b)",
                "SELECT * FROM p(1), q(2)",
                "SELECT * FROM p(1) ORDER BY 1"
            })
    void moreThanTheRowsOfAProcedureIsRefused(String sql) {
        assertRefused(sql, ErrorCode.NOT_SUPPORTED, "the rows of a procedure are read by SELECT * FROM p(...)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"EXPLAIN CALL p(1)", "EXPLAIN SELECT * FROM p(1)", "EXPLAIN ANALYZE SELECT * FROM p(1)"})
    void aCallHasNoPlan(String sql) {
        assertRefused(sql, ErrorCode.NOT_SUPPORTED, "a procedure has its own");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM UNNEST(ARRAY[1, 2])",
                "SELECT * FROM (VALUES (1)) AS t",
                "SELECT * FROM TABLE(p(1))"
            })
    void otherQueriesAreNone(String sql) {
        try {
            assertThat(compiler.compile(sql, Catalog.empty())).isNotInstanceOf(SqlFrontend.Compiled.Call.class);
        } catch (FulmarException e) {
            assertThat(e).message().doesNotContain("the rows of a procedure");
        }
    }

    private void assertRefused(String sql, ErrorCode code, String message) {
        assertThatThrownBy(() -> compiler.compile(sql, Catalog.empty()))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(message);
    }
}
