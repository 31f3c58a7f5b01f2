package dev.fulmar.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.access.CallerListener;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RequestForwardingTest {
    private static final NodeId FIRST = new NodeId(1);
    private static final NodeId SECOND = new NodeId(2);
    private static final PartitionId HERE = new PartitionId(0);
    private static final PartitionId THERE = new PartitionId(1);
    private static final PartitionId NOWHERE = new PartitionId(2);

    private final SimulatedWorld world = new SimulatedWorld(3);
    private final SimulatedProcess firstProcess = world.startProcess(FIRST);
    private final SimulatedProcess secondProcess = world.startProcess(SECOND);
    private final NodeMessages firstMessages = new NodeMessages(firstProcess.network());
    private final Topology topology = new Topology(3);
    private final RequestForwarding first =
            new RequestForwarding(firstMessages.on(NodeChannel.REQUEST), () -> topology, 0);
    private final List<String> cancelled = new ArrayList<>();
    private final RequestForwarding second = new RequestForwarding(
            new NodeMessages(secondProcess.network()).on(NodeChannel.REQUEST),
            () -> topology,
            0,
            (process, secret) -> cancelled.add(process + "/" + secret));
    private final List<TransactionRequest> executing = new ArrayList<>();
    private final List<ResponseSink> sinks = new ArrayList<>();
    private final List<TransactionResponse> answers = new ArrayList<>();
    private final TransactionRequest request = new TransactionRequest.Call(
            7,
            8,
            9,
            ReadConsistency.SNAPSHOT,
            "Größe",
            new byte[] {1, 2, 3},
            Caller.user("ANNA", CallerListener.none()));

    @BeforeEach
    void connect() {
        topology.found(HERE, new PartitionRecord(1, new CopyId(FIRST, 1), 1, List.of(new CopyId(FIRST, 1))));
        topology.found(THERE, new PartitionRecord(1, new CopyId(SECOND, 1), 1, List.of(new CopyId(SECOND, 1))));
        first.serve((received, sink) -> sinks.add(sink), "first:1");
        second.serve(
                (received, sink) -> {
                    executing.add(received);
                    sinks.add(sink);
                },
                "second:2");
        world.runUntilIdle(1_000);
    }

    @Test
    void aStatementOfASessionIsCancelledAtItsNode() {
        first.cancelSession(SECOND, 5, -6);
        world.runUntilIdle(1_000);
        assertThat(cancelled).containsExactly("5/-6");
    }

    private void pass(PartitionId partition) {
        first.pass(partition, request, (asked, response) -> {
            assertThat(asked).isSameAs(request);
            answers.add(response);
        });
    }

    @Test
    void aRequestIsExecutedThereAndAnsweredHere() {
        pass(THERE);
        world.runUntilIdle(1_000);
        assertThat(executing).singleElement().usingRecursiveComparison().isEqualTo(request);
        assertThat(answers).isEmpty();
        assertThat(first.outstanding()).isEqualTo(1);
        TransactionResponse response =
                new TransactionResponse.Committed(TransactionResponse.Kind.TABLE, 5, new byte[] {4, 5}, 6);
        sinks.getFirst().respond(executing.getFirst(), response);
        world.runUntilIdle(1_000);
        assertThat(answers).singleElement().usingRecursiveComparison().isEqualTo(response);
        assertThat(first.outstanding()).isZero();
        assertThat(first.forwarded()).isEqualTo(1);
        assertThat(first.clientAddresses()).containsEntry(FIRST, "first:1").containsEntry(SECOND, "second:2");
    }

    @Test
    void aStatementTravelsToo() {
        TransactionRequest statement = new TransactionRequest.AdHoc(1, 2, 0, "SELECT 1", new byte[0]);
        first.pass(THERE, statement, (asked, response) -> answers.add(response));
        world.runUntilIdle(1_000);
        assertThat(executing).singleElement().usingRecursiveComparison().isEqualTo(statement);
        sinks.getFirst().respond(executing.getFirst(), new TransactionResponse.Failed(ErrorCode.SYNTAX, "wrong"));
        world.runUntilIdle(1_000);
        assertThat(answers).containsExactly(new TransactionResponse.Failed(ErrorCode.SYNTAX, "wrong"));
    }

    @Test
    void whatItsSenderKnewOfTheCatalogTravelsWithARequest() {
        TransactionRequest statement =
                new TransactionRequest.AdHoc(1, 2, 0, "DELETE FROM t", new byte[] {0, 0}).sentAt(1L << 40);
        first.pass(THERE, statement, (asked, response) -> answers.add(response));
        first.pass(THERE, request.sentAt(3), (asked, response) -> answers.add(response));
        world.runUntilIdle(1_000);
        assertThat(executing).usingRecursiveComparison().isEqualTo(List.of(statement, request.sentAt(3)));
    }

    @Test
    void aRequestIsCancelledWhereItWent() {
        List<Long> cancelled = new ArrayList<>();
        second.serve(
                new TransactionRouter() {
                    @Override
                    public void submit(TransactionRequest received, ResponseSink sink) {
                        executing.add(received);
                        sinks.add(sink);
                    }

                    @Override
                    public void cancel(long clientId, long requestId) {
                        cancelled.addAll(List.of(clientId, requestId));
                    }
                },
                "second:2");
        pass(THERE);
        world.runUntilIdle(1_000);
        first.cancel(7, 9);
        first.cancel(7, 8);
        world.runUntilIdle(1_000);
        assertThat(cancelled).containsExactly(7L, 8L);
        sinks.getFirst().respond(executing.getFirst(), new TransactionResponse.Failed(ErrorCode.CANCELLED, "ended"));
        world.runUntilIdle(1_000);
        assertThat(onlyCode()).isEqualTo(ErrorCode.CANCELLED);
        first.cancel(7, 8);
        world.runUntilIdle(1_000);
        assertThat(cancelled).hasSize(2);
    }

    /** The connection of a client who goes when the test says so. */
    private final class Connection implements ResponseSink {
        private boolean isGone;

        @Override
        public void respond(TransactionRequest asked, TransactionResponse response) {
            answers.add(response);
        }

        @Override
        public boolean isGone() {
            return isGone;
        }
    }

    @Test
    void theNodeThatExecutesARequestHearsThatItsClientIsGone() {
        List<ResponseSink> departed = new ArrayList<>();
        second.serve(
                new TransactionRouter() {
                    @Override
                    public void submit(TransactionRequest received, ResponseSink sink) {
                        sinks.add(sink);
                    }

                    @Override
                    public void departed(ResponseSink sink) {
                        departed.add(sink);
                    }
                },
                "second:2");
        Connection connection = new Connection();
        pass(THERE); // of another client
        first.pass(THERE, request, connection);
        world.runUntilIdle(1_000);
        assertThat(sinks).hasSize(2).noneMatch(ResponseSink::isGone);
        connection.isGone = true;
        first.departed(connection);
        world.runUntilIdle(1_000);
        assertThat(departed).containsExactly(sinks.getLast());
        assertThat(sinks.getLast().isGone()).isTrue();
        assertThat(sinks.getFirst().isGone()).isFalse();

        first.pass(THERE, request, connection); // it was planned meanwhile
        world.runUntilIdle(1_000);
        assertThat(sinks).hasSize(3);
        assertThat(sinks.getLast().isGone()).isTrue();
        sinks.forEach(sink -> sink.respond(request, committed(1)));
        world.runUntilIdle(1_000);
        assertThat(answers).hasSize(3);
        assertThat(first.outstanding()).isZero();
    }

    @Test
    void thatTheOtherNodeStopsIsNotTakenForThisOne() {
        pass(THERE);
        world.runUntilIdle(1_000);
        sinks.getFirst()
                .respond(executing.getFirst(), new TransactionResponse.Failed(ErrorCode.NODE_STOPPING, "stopping"));
        world.runUntilIdle(1_000);
        assertThat(onlyCode()).isEqualTo(ErrorCode.NOT_CONNECTED);
    }

    private ErrorCode onlyCode() {
        assertThat(answers).singleElement().isInstanceOf(TransactionResponse.Failed.class);
        return ((TransactionResponse.Failed) answers.getFirst()).code();
    }

    @Test
    void whenTheLinkBreaksTheOutcomeIsUnknown() {
        pass(THERE);
        world.runUntilIdle(1_000);
        assertThat(executing).hasSize(1);
        secondProcess.kill();
        world.runUntilIdle(1_000);
        assertThat(onlyCode()).isEqualTo(ErrorCode.NODE_LOST);
        assertThat(((TransactionResponse.Failed) answers.getFirst()).lostNode()).isEqualTo(SECOND);
        assertThat(first.lost()).isEqualTo(1);
        assertThat(first.clientAddresses()).containsOnlyKeys(FIRST);
        answers.clear();
        pass(THERE);
        assertThat(onlyCode()).isEqualTo(ErrorCode.NOT_CONNECTED);
    }

    /** That the node broke comes with the session in which it did, and says nothing of its next process. */
    @Test
    void whenANodeBreaksItsRequestsAreNotToBeSentAgain() {
        pass(THERE);
        world.runUntilIdle(1_000);
        second.breakOff();
        world.runUntilIdle(1_000);
        assertThat(first.isBroken(SECOND)).isTrue();
        assertThat(answers).isEmpty();
        secondProcess.kill();
        world.runUntilIdle(1_000);
        assertThat(onlyCode()).isEqualTo(ErrorCode.NODE_BROKEN);
        answers.clear();

        SimulatedProcess restarted = world.startProcess(SECOND);
        RequestForwarding again = new RequestForwarding(
                new NodeMessages(restarted.network()).on(NodeChannel.REQUEST), () -> topology, 1_000);
        again.serve((received, sink) -> executing.add(received), "second:2");
        world.runUntilIdle(1_000);
        assertThat(first.isBroken(SECOND)).isFalse();
        pass(THERE);
        world.runUntilIdle(1_000);
        restarted.kill();
        world.runUntilIdle(1_000);
        assertThat(onlyCode()).isEqualTo(ErrorCode.NODE_LOST);
    }

    /** A request that another node has is that one's to answer. */
    @Test
    void whenOneNodeIsLostOnlyItsRequestsAre() {
        NodeId third = new NodeId(3);
        SimulatedProcess thirdProcess = world.startProcess(third);
        RequestForwarding other = new RequestForwarding(
                new NodeMessages(thirdProcess.network()).on(NodeChannel.REQUEST), () -> topology, 0);
        other.serve((received, sink) -> {}, "third:3");
        topology.found(NOWHERE, new PartitionRecord(1, new CopyId(third, 1), 1, List.of(new CopyId(third, 1))));
        world.runUntilIdle(1_000);
        pass(THERE);
        pass(NOWHERE);
        world.runUntilIdle(1_000);
        other.breakOff();
        thirdProcess.kill();
        world.runUntilIdle(1_000);
        assertThat(onlyCode()).isEqualTo(ErrorCode.NODE_BROKEN);
        assertThat(first.isBroken(SECOND)).isFalse();
        assertThat(first.outstanding()).isEqualTo(1);
        answers.clear();
        sinks.getFirst().respond(executing.getFirst(), committed(1));
        world.runUntilIdle(1_000);
        assertThat(answers).singleElement().usingRecursiveComparison().isEqualTo(committed(1));
    }

    @Test
    void whatNobodyServesHadNoEffect() {
        pass(NOWHERE);
        assertThat(onlyCode()).isEqualTo(ErrorCode.NOT_CONNECTED);
        answers.clear();
        pass(HERE); // this node is the primary by the record, but does not serve yet, or any more
        assertThat(onlyCode()).isEqualTo(ErrorCode.NOT_CONNECTED);
        assertThat(first.outstanding()).isZero();
    }

    @Test
    void aRequestTravelsOnce() {
        second.serve((received, sink) -> second.pass(HERE, received, sink), "second:2");
        pass(THERE);
        world.runUntilIdle(1_000);
        assertThat(onlyCode()).isEqualTo(ErrorCode.WRONG_NODE);
    }

    @Test
    void aNodeThatIsNotReadySaysSo() {
        new RequestForwarding(new NodeMessages(secondProcess.network()).on(NodeChannel.REQUEST), () -> topology, 0);
        pass(THERE);
        world.runUntilIdle(1_000);
        assertThat(onlyCode()).isEqualTo(ErrorCode.NOT_CONNECTED);
    }

    /** Two processes of a node forward a request each; the answer to the first one comes to the second. */
    @Test
    void anAnswerToAnEarlierProcessIsNoneToThisOne() {
        pass(THERE);
        world.runUntilIdle(1_000);
        firstProcess.crash();
        world.runUntilIdle(1_000);
        SimulatedProcess restarted = world.startProcess(FIRST);
        RequestForwarding again = new RequestForwarding(
                new NodeMessages(restarted.network()).on(NodeChannel.REQUEST),
                () -> topology,
                restarted.random().nextLong());
        again.serve((received, sink) -> {}, "first:1");
        world.runUntilIdle(1_000);
        again.pass(THERE, request, (asked, response) -> answers.add(response));
        world.runUntilIdle(1_000);
        assertThat(executing).hasSize(2);
        sinks.getFirst().respond(executing.getFirst(), committed(1));
        world.runUntilIdle(1_000);
        assertThat(answers).isEmpty();
        sinks.getLast().respond(executing.getLast(), committed(2));
        world.runUntilIdle(1_000);
        assertThat(answers).singleElement().usingRecursiveComparison().isEqualTo(committed(2));
    }

    private static TransactionResponse committed(long value) {
        return new TransactionResponse.Committed(TransactionResponse.Kind.VALUE, value, new byte[0]);
    }

    @Test
    void whatIsNoMessageEndsTheSession() {
        Network channel = firstMessages.on(NodeChannel.REQUEST);
        List<byte[]> bad = List.of(
                new byte[0],
                new byte[] {2, 5},
                new byte[] {1, 9},
                new byte[] {1, 5, 0, 0, 0, 9},
                new byte[] {1, 5, -1, 0, 0, 9},
                new byte[] {1, 5, 0, 0, 0, 1, 65, 66});
        for (byte[] message : bad) {
            world.runFor(1_000_000_000);
            long sessions = world.network().sessions();
            channel.send(SECOND, ByteBuffer.wrap(message));
            world.runFor(1_000_000_000);
            assertThat(world.network().sessions()).isEqualTo(sessions + 1);
        }
        assertThat(executing).isEmpty();
    }
}
