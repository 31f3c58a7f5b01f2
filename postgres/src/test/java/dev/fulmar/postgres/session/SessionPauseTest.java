package dev.fulmar.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SessionPauseTest {
    private final FakeDatabase database = new FakeDatabase();
    private final TalkingClient client = new TalkingClient(database);

    private List<String> sleeps(String sql, double seconds) {
        database.finds(sql, seconds);
        return client.asks(sql);
    }

    @Test
    void theClientWaitsForItsPause() {
        assertThat(sleeps("SELECT pg_sleep(0.5)", 0.5)).isEmpty();
        assertThat(database.scheduler.delays).containsExactly(500_000_000L);
        assertThat(client.session().isExecuting()).isTrue();

        database.scheduler.runAll();

        assertThat(client.answers()).contains("row ", "SELECT 1", "ready I");
        assertThat(client.session().isExecuting()).isFalse();
    }

    @Test
    void nothingIsShorterThanNoPause() {
        sleeps("SELECT pg_sleep(-1)", -1);
        assertThat(database.scheduler.delays).containsExactly(0L);
    }

    @Test
    void aCancelledPauseEndsAtOnce() {
        sleeps("SELECT pg_sleep(100)", 100);

        client.session().cancel();

        assertThat(client.answers()).containsExactly("ERROR 57014", "ready I");
        assertThat(database.scheduler.delays).isEmpty();
    }

    @Test
    void theLimitOfStatementsEndsIt() {
        client.asks("SET statement_timeout = 20");
        sleeps("SELECT pg_sleep(100)", 100);
        assertThat(database.scheduler.delays).containsExactly(20_000_000L);

        database.scheduler.runAll();

        assertThat(client.answers()).containsExactly("ERROR 57014", "ready I");
    }

    /** The end of a pause that was given up, and comes all the same, is not that of the next one. */
    @Test
    void aLateEndIsForgotten() {
        SessionWait wait = new SessionWait(Runnable::run, (error, places) -> {}, () -> {});
        StringBuilder ended = new StringBuilder();
        long first = wait.begin();
        wait.end(first, () -> ended.append("first "));
        long second = wait.begin();

        wait.end(first, () -> ended.append("first again "));

        assertThat(wait.isUnderWay()).isTrue();
        wait.end(second, () -> ended.append("second"));
        assertThat(ended).hasToString("first second");
    }
}
