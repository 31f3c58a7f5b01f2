package dev.fulmar.coordinator.durability.recovery;

import dev.fulmar.coordinator.durability.catalog.LoadedEditions;
import dev.fulmar.coordinator.durability.log.LoggedCommand;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.transaction.CallReplay;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.durability.ChangeDigest;
import dev.fulmar.engine.durability.ChangeReplay;
import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.loading.ProcedureRegistry;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.record.RecordReader;

/**
 * Replays the procedure calls of one partition, each procedure as it was under the version of the catalog that its
 * record names. One thread.
 */
final class CommandReplay {
    private final PartitionRuntime runtime;
    private final LoadedEditions editions;
    private final CallReplay calls;
    private final ChangeReplay images;
    private final UndoLog undo;
    private final ChangeDigest digest;
    private ProcedureRegistry procedures = ProcedureRegistry.empty();
    private long version;

    /** @param images what does changes by value again */
    CommandReplay(PartitionRuntime runtime, LoadedEditions editions, ChangeReplay images) {
        this.runtime = runtime;
        this.images = images;
        this.editions = editions;
        this.calls = runtime.replay();
        this.undo = runtime.storage().undoLog();
        this.digest = new ChangeDigest(runtime.storage());
    }

    /** Runs the command, whose tables are as its version of the catalog has them; returns how many rows it changed. */
    int run(RecordReader record, LoggedCommand command) {
        use(record.catalogVersion());
        LoadedProcedure procedure = procedures.find(command.procedure());
        if (procedure == null) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "a record calls procedure " + command.procedure() + ", which version " + version
                            + " of the catalog does not have");
        }
        Committed answer;
        try {
            answer = calls.run(procedure, command.parameters(), record.procedureTimeMicros(), command.seed());
        } catch (FulmarException | ControlSignal failure) {
            undo.rollback();
            throw diverged(procedure, "did not commit again: " + failure.getMessage());
        }
        long found = digest.since(0);
        if (found != record.digest()) {
            undo.rollback();
            throw diverged(
                    procedure,
                    "changed other rows than before: the digest is " + Long.toHexString(found) + " but was "
                            + Long.toHexString(record.digest()));
        }
        images.observe();
        undo.commit(record.commitTimestamp());
        if (record.clientId() != 0) {
            runtime.remember(record.clientId(), record.requestId(), answer);
        }
        return digest.rows();
    }

    /** The tables are others, of whatever version: what is bound to them is bound anew. */
    void tablesReplaced() {
        version = -1;
        calls.use(ProcedureRegistry.empty());
    }

    private void use(long newVersion) {
        if (newVersion != version) {
            procedures = editions.at(newVersion);
            version = newVersion;
            calls.use(procedures);
        }
    }

    private static FulmarException diverged(LoadedProcedure procedure, String what) {
        boolean ownClass = procedure.definition().body() instanceof ProcedureDefinition.JavaClass code
                && code.jarDigest().isEmpty();
        return new FulmarException(
                ErrorCode.REPLAY_DIVERGED,
                "procedure " + procedure.name() + ", called again, " + what + ". "
                        + (ownClass
                                ? "Its class came with the node: start the version of Fulmar that wrote the log. "
                                : "")
                        + "Restore the data directory from a copy or a backup, run ALTER PROCEDURE "
                        + procedure.name() + " LOG VALUES there, and report this");
    }
}
