package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Definitions of functions, as clients and the log have them. */
class FunctionStatementsTest {
    private final SqlCompiler compiler = new SqlCompiler();

    private CatalogChange.CreateFunction created(String sql) {
        return (CatalogChange.CreateFunction)
                ((SqlFrontend.Compiled.Change) compiler.compile(sql, Catalog.empty())).change();
    }

    /** SQL may have taken the name since: a node reads its log all the same, and goes on. */
    @Test
    void aNameThatSqlHasIsReadButMarked() {
        CatalogChange.CreateFunction hiding =
                created("CREATE FUNCTION upper(v VARCHAR(9)) RETURNS VARCHAR(9) RETURN v");
        assertThat(hiding.hidesBuiltIn()).isTrue();
        assertThat(created("CREATE FUNCTION own(v BIGINT) RETURNS BIGINT RETURN v")
                        .hidesBuiltIn())
                .isFalse();
        Catalog catalog = Catalog.empty().withFunction(hiding.function());
        assertThat(compiler.compile("SELECT UPPER('a'), LOWER('B')", catalog))
                .isInstanceOf(SqlFrontend.Compiled.Runnable.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE FUNCTION f(a BIGINT) RETURNS DATE RETURN a",
                "CREATE FUNCTION f(a BIGINT) RETURNS UUID AS 'SELECT a'",
                "CREATE FUNCTION f(a VARCHAR(9)) RETURNS BIGINT RETURN a"
            })
    void anExpressionIsOfTheTypeThatItReturns(String sql) {
        assertThatThrownBy(() -> created(sql))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TYPE_MISMATCH));
    }

    @Test
    void whatCanBeStoredSoIsConverted() {
        assertThat(created("CREATE FUNCTION f(a INTEGER) RETURNS DECIMAL(9, 2) RETURN a / 3")
                        .function()
                        .result()
                        .scale())
                .isEqualTo(2);
        created("CREATE FUNCTION f(a BIGINT) RETURNS VARCHAR(20) RETURN a");
        created("CREATE FUNCTION f(a BIGINT) RETURNS DATE RETURN NULL");
    }
}
