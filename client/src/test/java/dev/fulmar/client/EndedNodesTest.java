package dev.fulmar.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.proto.ConnectionError;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A call that may have ended a node is kept from the others: at once if the node said that it broke, after two
 * otherwise.
 */
final class EndedNodesTest {
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

    private static void breakOff(FakeServer.Call call) throws IOException {
        call.session()
                .send(
                        FrameKind.CONNECTION_ERROR,
                        ConnectionError.newBuilder()
                                .setCode(ErrorCode.NODE_BROKEN.number())
                                .setMessage("node 1 broke and ends itself")
                                .build());
        call.session().close();
    }

    @Test
    void whatABrokenNodeHadGoesToNoOther() throws Exception {
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> answered = client.callAsync("P", 0L);
            first.next().answer(4);
            assertThat(answered.join().longValue()).isEqualTo(4);
            CompletableFuture<CallResult> guilty = client.callAsync("P", 1L);
            FakeServer.Call asked = first.next();
            breakOff(asked);
            first.stop();
            FakePair.assertFails(guilty, ErrorCode.OUTCOME_UNKNOWN);
            assertThatThrownBy(guilty::join).hasMessageContaining("node 1 broke", "may be why");
            assertThat(second.nextWithin(300)).isNull();

            CompletableFuture<CallResult> next = client.callAsync("P", 2L);
            second.next().answer(5);
            assertThat(next.join().longValue()).isEqualTo(5);
        }
    }

    /** A call that was turned away and waits for its next attempt was not there when the node broke. */
    @Test
    void whatABrokenNodeHadTurnedAwayGoesToAnother() throws Exception {
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> innocent = client.callAsync("P", 1L);
            FakeServer.Call asked = pair.turnedAwayForLong();
            breakOff(asked);
            first.stop();
            second.next().answer(6);
            assertThat(innocent.join().longValue()).isEqualTo(6);
        }
    }

    @Test
    void whatWasForwardedToANodeThatBrokeIsNotAskedAgain() throws Exception {
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> guilty = client.callAsync("P", 1L);
            first.next().fail(ErrorCode.NODE_BROKEN, "node 3 broke");
            FakePair.assertFails(guilty, ErrorCode.OUTCOME_UNKNOWN);
            assertThatThrownBy(guilty::join).hasMessageContaining("node 3 broke");
            assertThat(first.nextWithin(300)).isNull();
        }
    }

    @Test
    void aCallThatTwoNodesWereLostWithGoesToNoThird() throws Exception {
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> guilty = client.callAsync("P", 1L);
            FakeServer.Call asked = first.next();
            first.stop();
            FakeServer.Call again = second.next();
            assertThat(again.requestId()).isEqualTo(asked.requestId());
            first.incarnation = 3;
            first.reopen();
            second.stop();
            FakePair.assertFails(guilty, ErrorCode.OUTCOME_UNKNOWN);
            assertThatThrownBy(guilty::join).hasMessageContaining("two nodes were lost");
            assertThat(first.nextWithin(300)).isNull();
        }
    }

    /**
     * One of the two was lost with the client's connection, the other one behind the node that the client is connected
     * to.
     */
    @Test
    void nodesThatTheCallWasForwardedToCount() throws Exception {
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> guilty = client.callAsync("P", 1L);
            first.next();
            first.stop();
            second.next().fail(ErrorCode.NODE_LOST, "the link to node 3 broke");
            FakePair.assertFails(guilty, ErrorCode.OUTCOME_UNKNOWN);
            assertThatThrownBy(guilty::join).hasMessageContaining("two nodes were lost");

            CompletableFuture<CallResult> innocent = client.callAsync("P", 2L);
            second.next().fail(ErrorCode.NODE_LOST, "the link to node 3 broke");
            second.next().answer(7);
            assertThat(innocent.join().longValue()).isEqualTo(7);
        }
    }

    /**
     * The second node passes the call on to the first one before it knows of that one's end. That end counts once; a
     * further one of the same node counts again.
     */
    @Test
    void anEndThatIsToldTwiceCountsOnce() throws Exception {
        first.node = 1;
        second.node = 2;
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> innocent = client.callAsync("P", 1L);
            CompletableFuture<CallResult> guilty = client.callAsync("P", 2L);
            first.next();
            first.next();
            first.stop();
            FakeServer.Call one = second.next();
            FakeServer.Call other = second.next();
            one.failWithNode(1);
            other.failWithNode(1);
            second.next().answer(7);
            second.next().failWithNode(1);
            assertThat(innocent.join().longValue()).isEqualTo(7);
            FakePair.assertFails(guilty, ErrorCode.OUTCOME_UNKNOWN);
            assertThatThrownBy(guilty::join).hasMessageContaining("two nodes were lost");
        }
    }

    /** A node that does not say which one was lost does not speak of the one that is known. */
    @Test
    void anEndOfAnUnknownNodeCountsAfterOneThatWasToldTwice() throws Exception {
        first.node = 1;
        second.node = 2;
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> guilty = client.callAsync("P", 1L);
            first.next();
            first.stop();
            second.next().failWithNode(1);
            second.next().fail(ErrorCode.NODE_LOST, "the link to a node broke");
            FakePair.assertFails(guilty, ErrorCode.OUTCOME_UNKNOWN);
            assertThatThrownBy(guilty::join).hasMessageContaining("two nodes were lost");
        }
    }

    @Test
    void aRefusalSaysNothingOfWhatALostNodeDid() throws Exception {
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> call = client.callAsync("P", 1L);
            first.next().fail(ErrorCode.NODE_LOST, "the link to node 3 broke");
            first.next().fail(ErrorCode.PERMISSION_DENIED, "the right was taken away");
            FakePair.assertFails(call, ErrorCode.OUTCOME_UNKNOWN);
        }
    }

    @Test
    void theEndsOfTwoNodesThatAreToldCount() throws Exception {
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> guilty = client.callAsync("P", 1L);
            first.next().failWithNode(3);
            first.next().failWithNode(3);
            FakePair.assertFails(guilty, ErrorCode.OUTCOME_UNKNOWN);
        }
    }

    /** The same process again: nothing ended but connections. */
    @Test
    void connectionsThatBreakDoNotCount() throws Exception {
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> call = client.callAsync("P", 1L);
            second.stop();
            for (int i = 0; i < 3; i++) {
                first.next();
                first.breakConnections();
            }
            first.next().answer(8);
            assertThat(call.join().longValue()).isEqualTo(8);
        }
    }
}
