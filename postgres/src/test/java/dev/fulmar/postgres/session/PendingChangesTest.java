package dev.fulmar.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.postgres.dialect.FixedFacts;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.wire.session.SessionCommand;
import org.junit.jupiter.api.Test;

class PendingChangesTest {
    private final PendingChanges changes = new PendingChanges();

    @Test
    void changesOfTablesAreKeptInTheirOrder() {
        execute("CREATE TABLE a (id INT)", "INSERT INTO a VALUES (1)", "SELECT 1", "ALTER TABLE a ADD COLUMN b INT");

        assertThat(changes.texts()).containsExactly("CREATE TABLE a (id INT)", "ALTER TABLE a ADD COLUMN b INT");
    }

    @Test
    void aSavepointTakesBackWhatFollowsIt() {
        execute("DROP TABLE a", "SAVEPOINT s", "DROP TABLE b", "SAVEPOINT s", "DROP TABLE c");

        execute("ROLLBACK TO s");
        assertThat(changes.texts()).containsExactly("DROP TABLE a", "DROP TABLE b");

        execute("RELEASE s", "ROLLBACK TO s");
        assertThat(changes.texts()).containsExactly("DROP TABLE a");
    }

    @Test
    void aReleasedSavepointLeavesItsChanges() {
        execute("SAVEPOINT s", "DROP TABLE a", "SAVEPOINT t", "DROP TABLE b", "RELEASE s", "DROP TABLE c");

        assertThat(changes.texts()).containsExactly("DROP TABLE a", "DROP TABLE b", "DROP TABLE c");
    }

    private void execute(String... statements) {
        for (String sql : statements) {
            Translation statement = FixedFacts.translated(sql);
            changes.executed(SessionCommand.of(statement.sql()), statement);
        }
    }
}
