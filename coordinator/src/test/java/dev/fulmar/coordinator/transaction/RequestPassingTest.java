package dev.fulmar.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.ManualScheduler;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Route;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestPassingTest {
    private static final long SECOND = 1_000_000_000;

    private final ManualScheduler time = new ManualScheduler();
    private final CancelledRequests cancelled = new CancelledRequests();
    private final List<ResponseSink> passed = new ArrayList<>();
    private final List<IncomingRequest> routedAgain = new ArrayList<>();
    private final List<TransactionResponse> answers = new ArrayList<>();
    private final TransactionRequest request = new TransactionRequest.AdHoc(7, 8, 0, "SELECT 1", new byte[0]);
    private final RequestPassing passing = new RequestPassing(new Elsewhere(), cancelled, time, time, routedAgain::add);

    /** Another node leads all partitions. */
    private final class Elsewhere implements PartitionHomes {
        @Override
        public Route route(int partition) {
            return Route.ELSEWHERE;
        }

        @Override
        public void pass(int partition, TransactionRequest asked, ResponseSink sink) {
            passed.add(sink);
        }
    }

    private void passAndSendBack() {
        passing.pass(0, new IncomingRequest(request, (asked, answer) -> answers.add(answer), time.monotonicNanos()));
        passed.getLast().respond(request, new Failed(ErrorCode.WRONG_NODE, "it is not led here"));
    }

    @Test
    void whatAnotherNodeSendsBackIsRoutedAgain() {
        passAndSendBack();
        assertThat(routedAgain).isEmpty();
        time.advance(SECOND);
        assertThat(routedAgain).extracting(IncomingRequest::request).containsExactly(request);
        assertThat(answers).isEmpty();
    }

    /** No node has the request in between, so none would hear that it shall end. */
    @Test
    void whatIsCancelledInBetweenIsNotRoutedAgain() {
        passAndSendBack();
        cancelled.add(7, 8);
        time.advance(SECOND);
        assertThat(routedAgain).isEmpty();
        assertThat(answers).singleElement().isEqualTo(Answers.failed(CancelledRequests.failure()));
    }

    @Test
    void anAnswerOfAnotherKindIsTheClients() {
        passing.pass(0, new IncomingRequest(request, (asked, answer) -> answers.add(answer), time.monotonicNanos()));
        passed.getLast().respond(request, new Failed(ErrorCode.SYNTAX, "wrong"));
        time.advance(SECOND);
        assertThat(routedAgain).isEmpty();
        assertThat(answers).containsExactly(new Failed(ErrorCode.SYNTAX, "wrong"));
    }
}
