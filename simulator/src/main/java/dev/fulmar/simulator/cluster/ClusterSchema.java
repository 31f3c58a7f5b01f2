package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.simulator.campaign.SerializabilityScript;
import dev.fulmar.simulator.workload.ProcedureEditions;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.List;
import java.util.function.Consumer;

/** Gives a node that begins empty its procedures and tables, before it takes its place, as the setting schema does. */
final class ClusterSchema {
    private static final byte[] JAR = ProcedureEditions.jar(ProcedureEditions.FIRST);
    private static final List<String> STATEMENTS = SerializabilityScript.statements();

    private final Database database;
    private final Consumer<String> refused;
    private final Runnable done;

    /** @param refused told what was refused, instead of the end */
    ClusterSchema(Database database, Consumer<String> refused, Runnable done) {
        this.database = database;
        this.refused = refused;
        this.done = done;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whoever hears of the answer goes on
    void apply() {
        if (!database.catalog().tables().isEmpty()) {
            done.run();
            return;
        }
        database.loadClasses(JAR).thenAccept(response -> answered("the procedures", response, 0));
    }

    private void answered(String what, TransactionResponse response, int next) {
        if (response instanceof Failed failed) {
            refused.accept(what + ": " + failed.code() + " " + failed.message());
        } else if (next == STATEMENTS.size()) {
            done.run();
        } else {
            String statement = STATEMENTS.get(next);
            byte[] none = SimulatedDatabase.parameters();
            database.submit(
                    new TransactionRequest.AdHoc(0, 0, 0, statement, none),
                    (request, answer) -> answered(statement, answer, next + 1));
        }
    }
}
