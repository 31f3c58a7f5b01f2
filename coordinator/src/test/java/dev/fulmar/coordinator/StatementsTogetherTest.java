package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.DrawnNumbers;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionRequest.Script;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.coordinator.session.Sessions;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Statements that are sent as one transaction at once, as they come to the router of requests. */
class StatementsTogetherTest extends SessionBank {
    private final List<Script> sent = new ArrayList<>();
    private final List<ResponseSink> sinks = new ArrayList<>();
    private final List<TransactionResponse> next = new ArrayList<>();
    private final Client client = new Client();
    private final Sessions together = new Sessions(
            new TransactionRouter() {
                @Override
                public void submit(TransactionRequest request, ResponseSink sink) {
                    sent.add((Script) request);
                    sinks.add(sink);
                    sink.respond(request, next.isEmpty() ? Committed.DONE : next.removeFirst());
                }
            },
            bank.database.portals(),
            bank.time,
            bank.time,
            new SeededRandom(1),
            LIMITS,
            memory,
            10);

    private void send(int statements) {
        together.executeTogether(
                Collections.nCopies(statements, client.request(0, INSERT, 7L, 7L)),
                client.request(5, "COMMIT"),
                client);
    }

    /** Numbers that are thrown away would be a gap. */
    @Test
    void theNumbersThatWereDrawnAreUsed() {
        next.add(DrawnNumbers.toAnswer(List.of(new long[] {1, 2}, new long[] {3})));
        send(2);
        assertThat(sent).hasSize(2);
        assertThat(sent.get(0).steps())
                .allSatisfy(step -> assertThat(step.numbers()).isEmpty());
        assertThat(sent.get(1).steps()).map(ScriptStep::numbers).containsExactly(new long[] {1, 2}, new long[] {3});
        assertThat(sent).map(Script::requestId).containsOnly(5L);
        assertThat(sent).map(Script::ending).containsOnly(sent.getFirst().ending());
        assertThat(client.answers).containsExactly(Committed.DONE);
    }

    @Test
    void noTwoTransactionsHaveASeedInCommon() {
        for (int statements : List.of(1, LIMITS.statements(), 3 * LIMITS.statements(), 2, 1)) {
            send(statements);
        }
        assertThat(sent.stream().flatMap(script -> script.steps().stream()).map(ScriptStep::seed))
                .doesNotHaveDuplicates();
        long last = sent.getLast().transaction();
        together.execute(1, client.request(6, "BEGIN"), client);
        together.execute(1, client.request(7, INSERT, 7L, 7L), client);
        long begun = sent.getLast().transaction();
        assertThat(LongStream.range(last, last + LIMITS.statements()).boxed()).doesNotContain(begun);
        send(1);
        assertThat(sent.getLast().transaction()).isGreaterThanOrEqualTo(begun + LIMITS.statements());
        together.execute(1, client.request(8, "ROLLBACK"), client);
    }

    @Test
    void theSinkIsThatOfTheClient() {
        send(2);
        ResponseSink sink = sinks.getFirst();
        assertThat(sink.origin()).isEqualTo(client.origin());
        assertThat(sink.isGone()).isFalse();
        client.isGone = true;
        assertThat(sink.isGone()).isTrue();
        client.hasMemory = false;
        assertThat(sink.reserve(sent.getFirst(), 1)).isFalse();
    }
}
