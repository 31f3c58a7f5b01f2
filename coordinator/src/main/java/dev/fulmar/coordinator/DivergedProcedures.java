package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.schedule.Scheduler;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Switches a procedure to logging by value after one of its calls gave different results when run twice, or on primary
 * and backup. In this process that holds at once, in later ones and on other nodes by the procedure's changed
 * definition. A checkpoint makes the calls that are in the log already needless. Thread-safe.
 */
final class DivergedProcedures {
    private static final long RETRY_NANOS = 1_000_000_000;
    private static final int MOST_TRIES = 60;

    private final Supplier<Program> current;
    private final Marking marking;
    private final Scheduler scheduler;
    private final Consumer<String> complaints;
    private final Runnable checkpoint;

    /** Changes the catalog. */
    @FunctionalInterface
    interface Marking {
        /** Marks the procedure LOG VALUES. */
        void mark(String procedure, Consumer<TransactionResponse> answer);
    }

    /**
     * @param current what runs now
     * @param complaints takes what an operator must know
     * @param checkpoint asks for one
     */
    DivergedProcedures(
            Supplier<Program> current,
            Marking marking,
            Scheduler scheduler,
            Consumer<String> complaints,
            Runnable checkpoint) {
        this.current = current;
        this.marking = marking;
        this.scheduler = scheduler;
        this.complaints = complaints;
        this.checkpoint = checkpoint;
    }

    /** Notes a procedure whose second run did something else than its first. */
    void foundHere(LoadedProcedure procedure, String what) {
        distrust(procedure, ", called twice with the same parameters, time and seed on the same rows, " + what);
    }

    /** Another copy of a partition came to something else. */
    void foundElsewhere(String name) {
        CallTarget target = current.get().find(name);
        if (target != null && target.procedure().isLoggedAsCommand()) {
            distrust(target.procedure(), " came to another result at another copy of its partition");
        }
    }

    private void distrust(LoadedProcedure procedure, String what) {
        if (procedure.distrust()) {
            complaints.accept("procedure " + procedure.name() + what
                    + ": its calls are logged by value from now on. Correct its code, load it, and run ALTER PROCEDURE "
                    + procedure.name() + " LOG COMMANDS");
            mark(procedure.name(), 1);
        }
    }

    private void mark(String procedure, int attempt) {
        marking.mark(procedure, answer -> {
            switch (answer) {
                case TransactionResponse.Committed _ -> checkpoint.run();
                case TransactionResponse.Failed failed -> {
                    if (mayHelp(failed.code()) && attempt < MOST_TRIES) {
                        scheduler.schedule(RETRY_NANOS, () -> mark(procedure, attempt + 1));
                    } else {
                        checkpoint.run();
                        complaints.accept("procedure " + procedure + " could not be marked LOG VALUES: "
                                + failed.message() + "; run ALTER PROCEDURE " + procedure + " LOG VALUES");
                    }
                }
            }
        });
    }

    /** Whether it may go better later: another node makes the changes of the catalog, and may be about to. */
    private static boolean mayHelp(ErrorCode code) {
        return code == ErrorCode.WRONG_NODE
                || code == ErrorCode.NOT_CONNECTED
                || code == ErrorCode.OUTCOME_UNKNOWN
                || code == ErrorCode.NODE_LOST
                || code == ErrorCode.SERVER_BUSY;
    }
}
