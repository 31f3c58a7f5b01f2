package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.durability.ChangeDigest;
import dev.fulmar.engine.partition.UndoPort;
import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Repeats some calls that are to be logged as commands, at once and on the same rows, and compares what they do. The
 * replay of the log relies on equal results, and would find a difference too late. The first run is undone and the
 * second counts, so nothing happens twice. A partition has one; one thread.
 */
final class RepeatCheck {
    /** So many first calls of a procedure under a version of the catalog are repeated, and then one in so many. */
    private static final int FIRST_CALLS = 4;

    private static final int PERIOD = 1024;

    private final UndoPort undo;
    private final ChangeDigest digest;
    private final BiConsumer<LoadedProcedure, String> diverged;
    private int[] calls = {};

    /** @param diverged hears of a procedure that did not do the same, and what it did; on the partition's thread */
    RepeatCheck(UndoPort undo, PartitionStorage storage, BiConsumer<LoadedProcedure, String> diverged) {
        this.undo = undo;
        this.digest = new ChangeDigest(storage);
        this.diverged = diverged;
    }

    /** Another version of the catalog counts, and has procedures at so many places. */
    void use(int places) {
        calls = new int[places];
    }

    /** Whether the call that just ran is to be repeated. Procedures without code of their own need no check. */
    boolean isDue(CallTarget target) {
        if (!(target.procedure().definition().body() instanceof ProcedureDefinition.JavaClass)) {
            return false;
        }
        int number = calls[target.index()]++;
        return number < FIRST_CALLS || number % PERIOD == 0;
    }

    /**
     * Undoes the call and runs it again; returns what it answered then, or throws what it threw.
     *
     * @param begin where its changes begin
     */
    Committed repeat(LoadedProcedure procedure, long begin, Committed first, Supplier<Committed> again) {
        long before = digest.since(begin);
        undo.undoTo(begin);
        Committed second;
        try {
            second = again.get();
        } catch (FulmarException e) {
            // Others may have used the memory up meanwhile, and time depends on the machine.
            if (e.code() != ErrorCode.MEMORY_LIMIT
                    && e.code().beforeBudgetsHadCodes() != ErrorCode.PROCEDURE_TIME_BUDGET) {
                diverged.accept(procedure, "did not commit again: " + e.getMessage());
            }
            throw e;
        } catch (ControlSignal e) {
            diverged.accept(procedure, "needed another partition then");
            throw e;
        }
        if (digest.since(begin) != before) {
            diverged.accept(procedure, "changed other rows");
        } else if (!isSame(first, second)) {
            diverged.accept(procedure, "gave another answer");
        }
        return second;
    }

    private static boolean isSame(Committed first, Committed second) {
        return first.kind() == second.kind()
                && first.value() == second.value()
                && Arrays.equals(first.results(), second.results());
    }
}
