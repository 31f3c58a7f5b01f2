package dev.fulmar.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.fulmar.foundation.error.ErrorCode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client does when its node dies or does not lead, in a cluster and outside of one. */
class ClusterCallsTest {
    private FakePair pair;
    private FakeServer first;
    private FakeServer second;

    @BeforeEach
    void start() throws IOException {
        pair = new FakePair();
        first = pair.first;
        second = pair.second;
    }

    @AfterEach
    void stop() throws IOException {
        pair.close();
    }

    @Test
    void aCallThatItsNodeLeftUnansweredIsAskedOfAnotherUnderTheSameHandle() throws Exception {
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> result = client.callAsync("P", 1L);
            FakeServer.Call asked = first.next();
            first.stop();
            FakeServer.Call again = second.next();
            assertThat(again.clientId()).isEqualTo(asked.clientId());
            assertThat(again.requestId()).isEqualTo(asked.requestId());
            again.answer(7);
            assertThat(result.join().longValue()).isEqualTo(7);
            CompletableFuture<CallResult> next = client.callAsync("P", 2L);
            second.next().answer(8);
            assertThat(next.join().longValue()).isEqualTo(8);
        }
    }

    @Test
    void aCallThatMayHaveBeenExecutedKeepsItsHandleWhenItsNextNodeStops() throws Exception {
        try (FulmarClient client = FulmarClient.builder()
                .hosts(first.address(), second.address())
                .callTimeout(Duration.ofSeconds(20))
                .connect()) {
            while (client.readyConnections() < 2) {
                LockSupport.parkNanos(1_000_000);
            }
            CompletableFuture<CallResult> result = client.callAsync("P", 1L);
            FakeServer.Call asked = first.nextWithin(100);
            FakeServer server = asked == null ? second : first;
            FakeServer other = asked == null ? first : second;
            asked = asked == null ? second.next() : asked;
            server.stop();
            FakeServer.Call again = other.next();
            server.reopen();
            again.session().sayGoodbye();
            again.fail(ErrorCode.NODE_STOPPING, "stopping");
            FakeServer.Call last = server.next();
            assertThat(last.clientId()).isEqualTo(asked.clientId());
            assertThat(last.requestId()).isEqualTo(asked.requestId());
            last.answer(9);
            assertThat(result.join().longValue()).isEqualTo(9);
        }
    }

    @Test
    void aCallThatAStoppingNodeRefusedWaitsForTheNextNode() throws Exception {
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> result = client.callAsync("P", 1L);
            FakeServer.Call refused = first.next();
            refused.session().sayGoodbye();
            refused.fail(ErrorCode.NODE_STOPPING, "stopping; go elsewhere");
            FakeServer.Call again = first.nextWithin(300);
            (again == null ? second.next() : again).answer(4);
            assertThat(result.join().longValue()).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "SERVER_BUSY",
                "DISK_FULL",
                "UNKNOWN_PROCEDURE",
                "UNKNOWN_OBJECT",
                "WRONG_PARAMETERS",
                "PERMISSION_DENIED"
            })
    void aRefusalSaysNothingOfAnEarlierAttempt(ErrorCode code) throws Exception {
        pair.join(ByteString.EMPTY, ByteString.EMPTY);
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> result = client.callAsync("P", 1L);
            FakeServer.Call asked = first.next();
            first.breakConnections();
            FakeServer.Call again = first.next();
            assertThat(again.requestId()).isEqualTo(asked.requestId());
            again.fail(code, "not now");
            FakePair.assertFails(result, ErrorCode.OUTCOME_UNKNOWN);
        }
    }

    @Test
    void anotherClusterDoesNotKnowTheCall() throws Exception {
        pair.join(FakePair.CLUSTER, ByteString.copyFromUtf8("another"));
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> result = client.callAsync("P", 1L);
            first.next();
            first.stop();
            FakePair.assertFails(result, ErrorCode.OUTCOME_UNKNOWN);
            assertThat(second.nextWithin(100)).isNull();
        }
    }

    @Test
    void whatConcernsOneNodeIsAskedOfNoOther() throws Exception {
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> result = client.callAsync("@Shutdown");
            first.next();
            first.stop();
            FakePair.assertFails(result, ErrorCode.OUTCOME_UNKNOWN);
            assertThat(second.nextWithin(100)).isNull();
        }
    }

    @Test
    void aCallIsSentAgainUntilSomebodyLeads() throws Exception {
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> result = client.callAsync("P", 1L);
            FakeServer.Call asked = first.next();
            for (ErrorCode code : List.of(ErrorCode.NOT_CONNECTED, ErrorCode.WRONG_NODE, ErrorCode.OUTCOME_UNKNOWN)) {
                asked.fail(code, "nobody leads");
                FakeServer.Call again = first.next();
                assertThat(again.requestId()).isEqualTo(asked.requestId());
                asked = again;
            }
            asked.answer(3);
            assertThat(result.join().longValue()).isEqualTo(3);
        }
    }

    /**
     * Two copies under way could be answered differently: what one of them says of the call would not be true of the
     * other.
     */
    @Test
    void aCallIsUnderWayOnceOnlyWhenItsConnectionBreaksBetweenTwoAttempts() throws Exception {
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> result = client.callAsync("P", 1L);
            FakeServer.Call asked = pair.turnedAwayForLong();
            LockSupport.parkNanos(20_000_000);
            first.stop();
            FakeServer.Call again = second.next();
            assertThat(again.requestId()).isEqualTo(asked.requestId());
            assertThat(second.nextWithin(500)).isNull();
            again.answer(6);
            assertThat(result.join().longValue()).isEqualTo(6);
        }
    }

    /** As from a node that was started and is not in the cluster yet. */
    @Test
    void aNodeThatCannotServeACallIsNotAskedUntilTheCallerGivesUp() throws Exception {
        try (FulmarClient client = FulmarClient.builder()
                .hosts(first.address(), second.address())
                .callTimeout(Duration.ofSeconds(20))
                .connect()) {
            while (client.readyConnections() < 2) {
                LockSupport.parkNanos(1_000_000);
            }
            CompletableFuture<CallResult> result = client.callAsync("P", 1L);
            FakeServer.Call asked = first.nextWithin(100);
            FakeServer other = asked == null ? first : second;
            (asked == null ? second.next() : asked).fail(ErrorCode.WRONG_NODE, "not in the cluster");
            other.next().answer(5);
            assertThat(result.join().longValue()).isEqualTo(5);
        }
    }

    @Test
    void whatSurelyHadNoEffectIsNotToldAsUnknown() throws Exception {
        try (FulmarClient client = FulmarClient.builder()
                .hosts(first.address())
                .callTimeout(Duration.ofMillis(400))
                .connect()) {
            CompletableFuture<CallResult> refused = client.callAsync("P", 1L);
            while (!refused.isDone()) {
                FakeServer.Call asked = first.nextWithin(1_000);
                if (asked != null) {
                    asked.fail(ErrorCode.NOT_CONNECTED, "nobody leads");
                }
            }
            FakePair.assertFails(refused, ErrorCode.NOT_CONNECTED);
            CompletableFuture<CallResult> doubtful = client.callAsync("P", 1L);
            first.next().fail(ErrorCode.OUTCOME_UNKNOWN, "the node is gone");
            while (!doubtful.isDone()) {
                FakeServer.Call asked = first.nextWithin(1_000);
                if (asked != null) {
                    asked.fail(ErrorCode.NOT_CONNECTED, "nobody leads");
                }
            }
            FakePair.assertFails(doubtful, ErrorCode.TIMEOUT);
        }
    }

    @Test
    void outsideOfAClusterNothingIsAskedTwice() throws Exception {
        pair.join(ByteString.EMPTY, ByteString.EMPTY);
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> result = client.callAsync("P", 1L);
            first.next().fail(ErrorCode.NOT_CONNECTED, "nobody leads");
            FakePair.assertFails(result, ErrorCode.NOT_CONNECTED);
            result = client.callAsync("P", 1L);
            first.next();
            first.stop();
            assertThat(second.nextWithin(300)).isNull();
            assertThat(result).isNotDone();
        }
    }

    @Test
    void aLaneGoesHomeWhenItsNodeIsBack() throws Exception {
        try (FulmarClient client = pair.connect()) {
            first.stop();
            CompletableFuture<CallResult> away = client.callAsync("P", 1L);
            second.next().answer(1);
            away.join();
            first.reopen();
            FakeServer.Call home = null;
            for (int i = 0; home == null && i < 100; i++) {
                LockSupport.parkNanos(100_000_000);
                CompletableFuture<CallResult> call = client.callAsync("P", 1L);
                while (!call.isDone()) {
                    home = first.nextWithin(10);
                    FakeServer.Call asked = home == null ? second.nextWithin(10) : home;
                    if (asked != null) {
                        asked.answer(1);
                        call.join();
                    }
                }
            }
            assertThat(home).isNotNull();
        }
    }
}
