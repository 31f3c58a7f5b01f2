package dev.fulmar.sql.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.plan.RowLock;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** FOR UPDATE and its kin are found and taken out of queries, and of nothing else. */
class LockingClauseTest {
    private static LockingClause of(String sql) {
        return LockingClause.of(sql, Tokenizer.tokens(sql));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FOR UPDATE                      | EXCLUSIVE",
                "for no key update               | EXCLUSIVE",
                "FOR UPDATE OF t, s.\"U\"         | EXCLUSIVE",
                "FOR UPDATE OF t NOWAIT          | EXCLUSIVE_AT_ONCE",
                "FOR UPDATE SKIP LOCKED          | EXCLUSIVE_OR_SKIP",
                "FOR UPDATE OF t SKIP LOCKED     | EXCLUSIVE_OR_SKIP",
                "FOR KEY SHARE SKIP LOCKED       | SHARED_OR_SKIP",
                "FOR SHARE NOWAIT                | SHARED",
                "FOR SHARE                       | SHARED",
                "FOR KEY SHARE                   | SHARED",
                "FOR SHARE OF a FOR UPDATE OF b  | EXCLUSIVE",
                "FOR UPDATE OF a FOR SHARE OF b  | EXCLUSIVE",
            })
    void aQueryHasAWish(String clause, RowLock lock) {
        LockingClause found = of("SELECT a FROM t WHERE b = 'x' " + clause);
        assertThat(found.lock()).contains(lock);
        assertThat(found.query().strip()).isEqualTo("SELECT a FROM t WHERE b = 'x'");
    }

    @Test
    void otherClausesMayFollow() {
        assertThat(of("(SELECT 1) FOR UPDATE LIMIT 2").query().replaceAll(" +", " "))
                .isEqualTo("(SELECT 1) LIMIT 2");
    }

    @ParameterizedTest
    @CsvSource({
        "SELECT SUBSTRING(a FROM 1 FOR 2) FROM t",
        "SELECT 'FOR UPDATE' FROM t",
        "UPDATE t SET a = 1",
        "SELECT a FROM (SELECT a FROM t FOR UPDATE)"
    })
    void anythingElseHasNone(String sql) {
        assertThat(of(sql)).isEqualTo(new LockingClause(sql, Optional.empty()));
    }

    @Test
    void aTableMustFollowOf() {
        assertThatThrownBy(() -> of("SELECT a FROM t FOR UPDATE OF"))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("the name of a table");
    }
}
