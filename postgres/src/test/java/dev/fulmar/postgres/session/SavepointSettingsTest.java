package dev.fulmar.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** ROLLBACK TO takes back the values of SET behind the savepoint. The values are PostgreSQL 15's. */
class SavepointSettingsTest {
    private final FakeDatabase database = new FakeDatabase();
    private final TalkingClient client = new TalkingClient(database);

    /** Executes the statements, and yields the time zones that SHOW tells in between, and the last one. */
    private List<String> zones(String... statements) {
        List<String> zones = new ArrayList<>();
        for (String statement : statements) {
            List<String> answers = client.asks(statement.equals("SHOW") ? "SHOW TimeZone" : statement);
            if (statement.equals("SHOW")) {
                zones.add(answers.get(1).substring("row ".length()));
            } else {
                assertThat(answers).as(statement).noneMatch(answer -> answer.startsWith("ERROR"));
            }
        }
        zones.add(client.asks("SHOW TimeZone").get(1).substring("row ".length()));
        return zones;
    }

    @Test
    void rollbackToTakesSettingsBack() {
        assertThat(zones(
                        "BEGIN",
                        "SAVEPOINT s",
                        "SET TimeZone = 'Asia/Tokyo'",
                        "SHOW",
                        "ROLLBACK TO s",
                        "SHOW",
                        "COMMIT"))
                .containsExactly("Asia/Tokyo", "UTC", "UTC");
        assertThat(zones(
                        "BEGIN",
                        "SET TimeZone = 'Asia/Tokyo'",
                        "SAVEPOINT s",
                        "SET TimeZone = 'Europe/Oslo'",
                        "ROLLBACK TO s",
                        "SHOW",
                        "COMMIT"))
                .containsExactly("Asia/Tokyo", "Asia/Tokyo");
    }

    @Test
    void theClientHearsOfValuesThatAreBack() {
        client.asks("BEGIN; SAVEPOINT s; SET TimeZone = 'Asia/Tokyo'; SAVEPOINT t; SET TimeZone = 'Europe/Oslo'");

        assertThat(client.asks("ROLLBACK TO s")).containsExactly("TimeZone=UTC", "ROLLBACK", "ready T");
        assertThat(client.asks("ROLLBACK TO s")).containsExactly("ROLLBACK", "ready T");
        assertThat(client.asks("COMMIT")).containsExactly("COMMIT", "ready I");
    }

    @Test
    void localSettingsAreTakenBackToo() {
        assertThat(zones(
                        "BEGIN",
                        "SET LOCAL TimeZone = 'Asia/Tokyo'",
                        "SAVEPOINT s",
                        "SET TimeZone = 'Europe/Oslo'",
                        "ROLLBACK TO s",
                        "SHOW",
                        "COMMIT"))
                .containsExactly("Asia/Tokyo", "UTC");
        assertThat(zones(
                        "BEGIN",
                        "SET TimeZone = 'Asia/Tokyo'",
                        "SAVEPOINT s",
                        "SET LOCAL TimeZone = 'Europe/Oslo'",
                        "ROLLBACK TO s",
                        "SHOW",
                        "COMMIT"))
                .containsExactly("Asia/Tokyo", "Asia/Tokyo");
    }

    @Test
    void releaseKeepsThem() {
        assertThat(zones("BEGIN", "SAVEPOINT s", "SET TimeZone = 'Asia/Tokyo'", "RELEASE s", "SHOW", "COMMIT"))
                .containsExactly("Asia/Tokyo", "Asia/Tokyo");
        assertThat(zones(
                        "BEGIN",
                        "SAVEPOINT s",
                        "SET TimeZone = 'Europe/Oslo'",
                        "SAVEPOINT t",
                        "SET TimeZone = 'America/Lima'",
                        "RELEASE t",
                        "SHOW",
                        "ROLLBACK TO s",
                        "SHOW",
                        "ROLLBACK"))
                .containsExactly("America/Lima", "Asia/Tokyo", "Asia/Tokyo");
    }

    @Test
    void savepointsOfOneNameAreTwo() {
        assertThat(zones(
                        "BEGIN",
                        "SAVEPOINT s",
                        "SET TimeZone = 'Asia/Tokyo'",
                        "SAVEPOINT s",
                        "SET TimeZone = 'Europe/Oslo'",
                        "ROLLBACK TO s",
                        "SHOW",
                        "ROLLBACK TO s",
                        "SHOW",
                        "RELEASE s",
                        "ROLLBACK TO s",
                        "SHOW",
                        "COMMIT"))
                .containsExactly("Asia/Tokyo", "Asia/Tokyo", "UTC", "UTC");
    }

    @Test
    void anOuterSavepointTakesTheInnerOnesWithIt() {
        assertThat(zones(
                        "BEGIN",
                        "SAVEPOINT a",
                        "SET TimeZone = 'Asia/Tokyo'",
                        "SAVEPOINT b",
                        "SET LOCAL TimeZone = 'Europe/Oslo'",
                        "SAVEPOINT c",
                        "SET TimeZone = 'America/Lima'",
                        "ROLLBACK TO a",
                        "SHOW",
                        "SET TimeZone = 'Asia/Seoul'",
                        "COMMIT"))
                .containsExactly("UTC", "Asia/Seoul");
    }

    @Test
    void aFailedTransactionThatGoesBackHasTheValuesOfTheSavepoint() {
        database.fails("bad", ErrorCode.UNIQUE_VIOLATION);
        zones("BEGIN", "SAVEPOINT s", "SET TimeZone = 'Asia/Tokyo'");
        assertThat(client.asks("bad")).containsExactly("ERROR 23505", "ready E");
        assertThat(zones("ROLLBACK TO s", "SHOW", "COMMIT")).containsExactly("UTC", "UTC");
    }

    @Test
    void aSavepointThatIsRefusedMarksNothing() {
        zones("BEGIN", "SAVEPOINT s", "SET TimeZone = 'Asia/Tokyo'");
        database.fails("ROLLBACK TO s", ErrorCode.UNKNOWN_SAVEPOINT);
        assertThat(client.asks("ROLLBACK TO s")).containsExactly("ERROR 3B001", "ready E");
        database.answers.clear();
        assertThat(zones("ROLLBACK TO s", "SHOW", "ROLLBACK")).containsExactly("UTC", "UTC");
    }

    @Test
    void localOutsideOfATransactionWarns() {
        assertThat(client.asks("SET LOCAL TimeZone = 'Asia/Tokyo'")).containsExactly("WARNING 25P01", "SET", "ready I");
        assertThat(client.asks("SELECT 1")).containsExactly("SELECT", "ready I");
        assertThat(zones()).containsExactly("UTC");
    }
}
