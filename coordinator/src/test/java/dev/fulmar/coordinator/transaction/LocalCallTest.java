package dev.fulmar.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.engine.partition.SinglePartitionWork.Verdict;
import dev.fulmar.engine.procedure.Determinism;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ProcedureEntry;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalCallTest {
    private static final Failed UNDONE = new Failed(ErrorCode.NOT_CONNECTED, "a node was lost");
    private static final FulmarException DEPOSED = new FulmarException(ErrorCode.OUTCOME_UNKNOWN, "deposed");

    private final SteppedPartition here = new SteppedPartition();
    private final Partition partition = here.partition;
    private final Program program = here.program;
    private final PartitionRuntime runtime = here.runtime;
    private final List<TransactionResponse> answers = new ArrayList<>();
    private final HandledRequest.Underway first = new HandledRequest.Underway();
    private int rerouted;

    @AfterEach
    void giveBack() {
        here.close();
    }

    /** A request that came before, as a transaction over several partitions that is under way. */
    private LocalCall retry() {
        runtime.history().put(7, 1, first);
        return call((to, answer) -> answers.add(answer), (context, parameters, reply) -> reply.nothing());
    }

    private LocalCall call(ResponseSink sink, ProcedureEntry entry) {
        return call(sink, true, entry);
    }

    private LocalCall call(ResponseSink sink, boolean isReadOnly, ProcedureEntry entry) {
        TransactionRequest request = new TransactionRequest.Call(7, 1, 0, "P", new byte[2]);
        LoadedProcedure procedure = new LoadedProcedure(
                new ProcedureDefinition("P", Optional.empty(), new ProcedureDefinition.Sql(List.of())),
                List.of(),
                List.of(),
                new LoadedProcedure.Code(
                        List.of(), LoadedProcedure.Scope.ANYWHERE, isReadOnly, Determinism.PROVEN, entry),
                false);
        return new LocalCall(
                new IncomingRequest(request, sink, here.process.clock().monotonicNanos()),
                new CallTarget(procedure, 1, null, 0),
                program,
                runtime,
                new CallContinuation() {
                    @Override
                    public void reroute(IncomingRequest incoming) {
                        rerouted++;
                    }

                    @Override
                    public void distribute(
                            IncomingRequest incoming,
                            PartitionRuntime home,
                            HandledRequest.@Nullable Underway underway) {
                        throw new AssertionError("nothing is distributed");
                    }
                });
    }

    /**
     * It was executed where another node may have led already, on rows of before: nobody may have confirmed that what
     * it tells of was not old.
     */
    @Test
    void aFailureIsNotRememberedOverTheEndOfATerm() {
        HandledRequest.Done done = new HandledRequest.Done(Answers.CHANGED);
        runtime.history().put(8, 1, done);
        runtime.history().put(8, 2, new HandledRequest.Done(new Failed(ErrorCode.USER_ABORT, "there is too little")));
        runtime.deposed();
        assertThat(runtime.history().find(8, 1)).isEqualTo(done);
        assertThat(runtime.history().find(8, 2)).isNull();
    }

    @Test
    void aRetryThatWasAnsweredWhileItsExecutionCouldStillBeUndoneIsNotAnsweredAgain() {
        LocalCall retry = retry();
        assertThat(retry.execute(partition)).isEqualTo(Verdict.DUPLICATE);
        first.answer(UNDONE);
        retry.revoked(partition);
        runtime.history().remove(7, 1); // the next try may succeed

        assertThat(retry.execute(partition)).isEqualTo(Verdict.DUPLICATE);
        retry.leave(new ReplyBatch());
        retry.lost(DEPOSED, new ReplyBatch());
        retry.turnedAway(partition);
        retry.refused(partition.id());
        assertThat(answers).containsExactly(UNDONE);
        assertThat(rerouted).isZero();
    }

    @Test
    void aRetryWhoseExecutionIsUndoneBeforeTheAnswerWaitsAgain() {
        LocalCall retry = retry();
        retry.execute(partition);
        retry.revoked(partition);
        first.answer(UNDONE);
        assertThat(answers).isEmpty();

        assertThat(retry.execute(partition)).isEqualTo(Verdict.DUPLICATE);
        retry.leave(new ReplyBatch());
        first.answer(UNDONE);
        retry.lost(DEPOSED, new ReplyBatch());
        assertThat(answers).containsExactly(UNDONE);
    }

    @Test
    void aRetryThatStillWaitsWhenItsTermEndsIsToldThatNobodyKnows() {
        LocalCall retry = retry();
        retry.execute(partition);
        retry.lost(DEPOSED, new ReplyBatch());
        first.answer(UNDONE);
        assertThat(answers)
                .singleElement()
                .extracting(answer -> ((Failed) answer).code())
                .isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    }

    /**
     * What the log has all copies remember: a primary too whose term ended before it noted the end of the transaction.
     */
    @Test
    void aDeposedPartitionRemembersWhatItsLogSaysOfARequest() {
        LocalCall retry = retry();
        retry.execute(partition);
        runtime.history().put(7, 2, new HandledRequest.Underway());
        Committed outcome = new Committed(TransactionResponse.Kind.VALUE, 5, new byte[0], 0);
        first.decided(outcome);
        runtime.deposed();
        assertThat(runtime.history().find(7, 1)).isEqualTo(new HandledRequest.Done(outcome));
        assertThat(runtime.history().find(7, 2)).isNull();
        assertThat(answers)
                .singleElement()
                .extracting(answer -> ((Failed) answer).code())
                .isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    }

    /** It left no trace, so the same request may succeed when it comes again. */
    @Test
    void resultsThatThereIsNoMemoryForFailTheCallAndAreNotRemembered() {
        AtomicBoolean hasRoom = new AtomicBoolean();
        List<Long> reserved = new ArrayList<>();
        ResponseSink sink = new ResponseSink() {
            @Override
            public void respond(TransactionRequest to, TransactionResponse answer) {
                answers.add(answer);
            }

            @Override
            public boolean reserve(TransactionRequest to, long bytes) {
                reserved.add(bytes);
                return hasRoom.get();
            }
        };
        ProcedureEntry wordy = (context, parameters, reply) ->
                reply.table(context.table("WORDS").row("x".repeat(10_000)).build());
        LocalCall busy = call(sink, wordy);
        assertThat(busy.execute(partition)).isEqualTo(Verdict.ABORT);
        busy.leave(new ReplyBatch());
        assertThat(runtime.history().find(7, 1)).isNull();
        assertThat(answers.getFirst())
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SERVER_BUSY));

        hasRoom.set(true);
        LocalCall again = call(sink, wordy);
        assertThat(again.execute(partition)).isEqualTo(Verdict.COMMIT);
        again.leave(new ReplyBatch());
        assertThat(answers.getLast())
                .isInstanceOfSatisfying(
                        Committed.class,
                        done -> assertThat((long) done.results().length).isEqualTo(reserved.getLast()));
    }

    /** The connection of a client who goes when the test says so. */
    private final class Departing implements ResponseSink {
        private boolean isGone;

        @Override
        public void respond(TransactionRequest to, TransactionResponse answer) {
            answers.add(answer);
        }

        @Override
        public boolean isGone() {
            return isGone;
        }
    }

    private Verdict run(LocalCall call) {
        Verdict verdict = call.execute(partition);
        call.leave(new ReplyBatch());
        return verdict;
    }

    @Test
    void aCallThatOnlyReadsIsNotBegunForAClientWhoIsGoneAndIsWhenItComesAgain() {
        AtomicInteger runs = new AtomicInteger();
        ProcedureEntry reading = (context, parameters, reply) -> reply.value(runs.incrementAndGet());
        Departing connection = new Departing();
        LocalCall queued = call(connection, reading);
        connection.isGone = true;

        assertThat(run(queued)).isEqualTo(Verdict.ABORT);
        assertThat(runs).hasValue(0);
        assertThat(answers).as("what it holds is given back with its answer").hasSize(1);
        assertThat(run(call(new Departing(), reading))).isEqualTo(Verdict.COMMIT);
        assertThat(runs).hasValue(1);
    }

    @Test
    void aCallThatWritesIsExecutedForAClientWhoIsGone() {
        AtomicInteger runs = new AtomicInteger();
        Departing connection = new Departing();
        LocalCall queued = call(connection, false, (context, parameters, reply) -> reply.value(runs.incrementAndGet()));
        connection.isGone = true;

        assertThat(run(queued)).isEqualTo(Verdict.COMMIT);
        assertThat(runs).hasValue(1);
    }

    @Test
    void aReadingThatEndedAsItsClientWentIsNotRemembered() {
        Departing connection = new Departing();
        LocalCall running = call(connection, (context, parameters, reply) -> {
            connection.isGone = true;
            throw CancelledRequests.failure();
        });

        assertThat(run(running)).isEqualTo(Verdict.ABORT);
        assertThat(runtime.history().find(7, 1)).isNull();
    }
}
