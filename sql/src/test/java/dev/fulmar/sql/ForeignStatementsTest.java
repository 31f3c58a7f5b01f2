package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.calcite.QueryParser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Statements that other databases have. */
class ForeignStatementsTest {
    private final QueryParser parser = new QueryParser();

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "BEGIN; stored procedure",
                "begin transaction; stored procedure",
                "START TRANSACTION ISOLATION LEVEL SERIALIZABLE; stored procedure",
                "COMMIT; stored procedure",
                "/* all */ ROLLBACK; stored procedure",
                "SET autocommit = 0; no settings",
                "SHOW TABLES; INFORMATION_SCHEMA",
                "DESCRIBE t; INFORMATION_SCHEMA",
                "EXEC p 1; CALL name",
                "REPLACE INTO t VALUES (1); UPSERT INTO"
            })
    void theMessageSaysWhatToDoInstead(String sql, String instead) {
        assertThatThrownBy(() -> parser.parse(sql, Catalog.empty()))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED))
                .hasMessageStartingWith(sql.startsWith("/*") ? "1:11: there is no statement" : "1:1: there is no")
                .hasMessageContaining(instead);
    }
}
