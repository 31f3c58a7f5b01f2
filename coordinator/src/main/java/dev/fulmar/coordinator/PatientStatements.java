package dev.fulmar.coordinator;

import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.transaction.PortalReader;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.function.Consumer;

/**
 * Runs those statements again, after a pause, that are refused for now. A statement of a client is sent again by the
 * client, and one of the node by nobody else.
 *
 * @param deadlineNanos when a refusal is the answer, on the monotonic clock
 */
record PatientStatements(OwnStatements ways, Clock clock, Scheduler scheduler, long deadlineNanos)
        implements OwnStatements {
    static final long PAUSE_NANOS = 20_000_000;

    /** Whether the failure says that the same statement may succeed a moment later, and has done nothing now. */
    static boolean isPassing(ErrorCode code) {
        return switch (code) {
            case SERVER_BUSY, TRANSACTION_RESTART, CATALOG_CHANGED, SNAPSHOT_TOO_OLD -> true;
            default -> false;
        };
    }

    @Override
    public void run(TransactionRequest.AdHoc statement, Consumer<TransactionResponse> then) {
        ways.run(statement, response -> {
            boolean isAgain = response instanceof Failed failed
                    && isPassing(failed.code())
                    && clock.monotonicNanos() - deadlineNanos < 0;
            if (isAgain) {
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
