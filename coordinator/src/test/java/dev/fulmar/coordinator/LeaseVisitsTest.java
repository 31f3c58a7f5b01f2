package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.lease.LeaseAsker;
import dev.fulmar.coordinator.lease.LeaseWish;
import dev.fulmar.coordinator.lease.RowLeases;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Route;
import dev.fulmar.engine.execution.RowArea;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A transaction asks other nodes for the leases of a range, and takes their refusals as such. */
class LeaseVisitsTest {
    private static final long PATIENCE_NANOS = 300;
    private static final long TIMEOUT_NANOS = 5_000;
    private static final LeaseAsker ASKER = new LeaseAsker(1, 1);

    private final ManualScheduler time = new ManualScheduler();
    private final RowLeases leases = new RowLeases(time, time, 1_000_000_000, wish -> false);
    private final List<Boolean> heard = new ArrayList<>();
    private final OtherNode other = new OtherNode();

    /** All partitions but the first are at another node. */
    private static final class OtherNode implements PartitionHomes {
        final List<TransactionRequest> asked = new ArrayList<>();
        final List<ResponseSink> sinks = new ArrayList<>();

        @Override
        public Route route(int partition) {
            return partition == 0 ? Route.LOCAL : Route.ELSEWHERE;
        }

        @Override
        public void pass(int partition, TransactionRequest request, ResponseSink sink) {
            asked.add(request);
            sinks.add(sink);
        }

        void answers(TransactionResponse response) {
            sinks.getLast().respond(asked.getLast(), response);
        }
    }

    private void visit(long patienceNanos) {
        TransactionRequest.Script script = new TransactionRequest.Script(
                3, 4, TIMEOUT_NANOS, List.of(), ScriptEnding.LEASE, 1, false, false, 1, 0, Caller.TRUSTED, 0);
        LeaseWish wish = new LeaseWish(new RowArea(7, 0, List.of()), ASKER, patienceNanos, true, 3, 4);
        BitSet homes = new BitSet();
        homes.set(0, 3);
        new LeaseVisits(
                        other,
                        leases,
                        time,
                        script,
                        SteppedDatabase.sink(new ArrayList<>()),
                        List.of(wish),
                        homes,
                        heard::add)
                .goOn();
    }

    @Test
    void theOtherNodeWaitsForTheRestOfThePatience() {
        visit(PATIENCE_NANOS);
        assertThat(other.asked.getLast().timeoutNanos()).isEqualTo(PATIENCE_NANOS);
        time.advance(PATIENCE_NANOS / 3);
        other.answers(Committed.DONE);
        assertThat(other.asked.getLast().timeoutNanos()).isEqualTo(PATIENCE_NANOS - PATIENCE_NANOS / 3);
        other.answers(Committed.DONE);
        assertThat(heard).containsExactly(true);
    }

    /** The other node may have to plan the statement first. */
    @Test
    void whoDoesNotWaitHasAllItsTimeToBePlanned() {
        visit(0);
        assertThat(other.asked.getLast().timeoutNanos()).isEqualTo(TIMEOUT_NANOS);
        other.answers(Committed.DONE);
        other.answers(Committed.DONE);
        assertThat(heard).containsExactly(true);
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"LOCK_NOT_AVAILABLE", "CANCELLED", "TIMEOUT"})
    void aRefusalEndsTheVisits(ErrorCode code) {
        visit(PATIENCE_NANOS);
        other.answers(new Failed(code, "not now"));
        assertThat(heard).containsExactly(false);
        assertThat(other.asked).hasSize(1);
    }

    @Test
    void aNodeThatCannotAnswerHasNoLease() {
        visit(PATIENCE_NANOS);
        other.answers(new Failed(ErrorCode.SERVER_BUSY, "busy"));
        other.answers(Committed.DONE);
        assertThat(heard).containsExactly(true);
    }
}
