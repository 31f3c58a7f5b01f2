package dev.fulmar.coordinator;

import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.CancelledRequests;
import dev.fulmar.coordinator.transaction.PortalReader;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Runs those statements again, after a pause, that are refused for now. A statement of a client is sent again by the
 * client, and one of the node by nobody else.
 *
 * @param deadlineNanos when a refusal is the answer, on the monotonic clock
 * @param isCancelled whether nobody wants the statements any more: then none is run again
 */
record PatientStatements(
        OwnStatements ways, Clock clock, Scheduler scheduler, long deadlineNanos, BooleanSupplier isCancelled)
        implements OwnStatements {
    static final long PAUSE_NANOS = 20_000_000;

    /** Time for a statement that takes back what others have done. */
    private static final long TAKING_BACK_NANOS = 10_000_000_000L;

    /** Whether the failure says that the same statement may succeed a moment later, and has done nothing now. */
    static boolean isPassing(ErrorCode code) {
        return switch (code) {
            case SERVER_BUSY, TRANSACTION_RESTART, CATALOG_CHANGED, SNAPSHOT_TOO_OLD -> true;
            default -> false;
        };
    }

    /** The same for statements that take back what those before have done: they need time of their own. */
    PatientStatements takingBack() {
        return new PatientStatements(ways, clock, scheduler, clock.monotonicNanos() + TAKING_BACK_NANOS, () -> false);
    }

    @Override
    public void run(TransactionRequest.AdHoc statement, Consumer<TransactionResponse> then) {
        ways.run(statement, response -> {
            boolean isAgain = response instanceof Failed failed
                    && isPassing(failed.code())
                    && clock.monotonicNanos() - deadlineNanos < 0;
            if (isAgain && isCancelled.getAsBoolean()) {
                then.accept(Answers.failed(CancelledRequests.failure()));
            } else if (isAgain) {
                scheduler.schedule(PAUSE_NANOS, () -> run(statement, then));
            } else {
                then.accept(response);
            }
        });
    }

    @Override
    public FetchedParts.Source read(TransactionRequest.AdHoc query, PortalReader.Listener listener) {
        return ways.read(query, listener);
    }

    @Override
    public void change(TransactionRequest.AdHoc statement, ChangeHandle handle, Consumer<TransactionResponse> then) {
        ways.change(statement, handle, then);
    }
}
