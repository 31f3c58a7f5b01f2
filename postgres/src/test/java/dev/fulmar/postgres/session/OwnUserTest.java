package dev.fulmar.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A session is its user's, whatever it says. */
class OwnUserTest {
    private final TalkingClient client = new TalkingClient(new FakeDatabase());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET ROLE NONE",
                "SET ROLE 'none'",
                "SET SESSION ROLE NONE",
                "SET LOCAL ROLE NONE",
                "SET SESSION AUTHORIZATION DEFAULT",
                "SET LOCAL SESSION AUTHORIZATION DEFAULT",
                "SET ROLE ann",
                "SET ROLE ANN"
            })
    void itMayStayItself(String sql) {
        assertThat(client.asks(sql)).containsExactly("SET", "ready I");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RESET ROLE", "RESET SESSION AUTHORIZATION"})
    void itMayBecomeItself(String sql) {
        assertThat(client.asks(sql)).containsExactly("RESET", "ready I");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SET ROLE bob", "SET SESSION AUTHORIZATION bob", "SET LOCAL SESSION AUTHORIZATION 'bob'"})
    void itIsNobodyElse(String sql) {
        assertThat(client.asks(sql)).containsExactly("ERROR 42501", "ready I");
    }

    @Test
    void aCallWithoutAValueIsRefused() {
        assertThat(client.asks("SELECT set_config('lock_timeout', true)"))
                .containsExactly("ERROR 0A000 at 8", "ready I");
    }
}
