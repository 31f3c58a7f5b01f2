package dev.fulmar.client;

import static dev.fulmar.client.ConnectionState.CLOSED;
import static dev.fulmar.client.ConnectionState.CONNECTING;
import static dev.fulmar.client.ConnectionState.HELD;
import static dev.fulmar.client.ConnectionState.LEAVING;
import static dev.fulmar.client.ConnectionState.READY;
import static dev.fulmar.client.ConnectionState.RETURNING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The ways of a connection from state to state; any other is a defect. */
class ConnectionStateTest {
    private static final Map<ConnectionState, Set<ConnectionState>> WAYS = Map.of(
            CONNECTING, Set.of(READY, CLOSED),
            READY, Set.of(HELD, LEAVING, RETURNING, CONNECTING, CLOSED),
            HELD, Set.of(READY, LEAVING, RETURNING, CONNECTING, CLOSED),
            LEAVING, Set.of(CONNECTING, CLOSED),
            RETURNING, Set.of(CONNECTING, CLOSED),
            CLOSED, Set.of());

    @Test
    void onlyTheseWaysAreOpen() {
        for (ConnectionState from : ConnectionState.values()) {
            assertThat(Arrays.stream(ConnectionState.values())
                            .filter(from::mayBecome)
                            .collect(Collectors.toSet()))
                    .as("ways from %s", from)
                    .isEqualTo(WAYS.get(from));
        }
    }
}
