package dev.fulmar.simulator.cluster;

import dev.fulmar.benchmarks.workload.ProcedureJar;
import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.simulator.campaign.SerializabilityScript;
import dev.fulmar.simulator.cluster.procedure.Wander;
import dev.fulmar.simulator.workload.ProcedureEditions;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Gives a node that begins empty its procedures and tables, before it takes its place, as the setting schema does. */
final class ClusterSchema {
    private static final byte[] JAR = ProcedureEditions.jar(ProcedureEditions.FIRST);
    private static final List<String> STATEMENTS = SerializabilityScript.statements();
    private static final byte[] WANDERING_JAR = ProcedureJar.of(List.of(Wander.class));
    private static final List<String> WANDERING_STATEMENTS = List.of(
            "CREATE TABLE wander (id BIGINT NOT NULL, v BIGINT NOT NULL, PRIMARY KEY (id))",
            "PARTITION TABLE wander ON COLUMN id",
            "CREATE PROCEDURE Wander PARTITION ON TABLE wander COLUMN id FROM CLASS " + Wander.class.getName());

    private final Database database;
    private final List<byte[]> jars = new ArrayList<>();
    private final List<String> statements = new ArrayList<>();
    private final Consumer<String> refused;
    private final Runnable done;

    /**
     * @param wanders whether there is a procedure that does something else at each copy
     * @param movesKeys whether keys move, and with them the rows of views
     * @param refused told what was refused, instead of the end
     */
    ClusterSchema(Database database, boolean wanders, boolean movesKeys, Consumer<String> refused, Runnable done) {
        this.database = database;
        jars.add(JAR);
        statements.addAll(STATEMENTS);
        statements.addAll(KeyClient.TABLES);
        statements.addAll(ConstraintClient.TABLES);
        if (movesKeys) {
            statements.addAll(ViewClient.VIEWS);
        }
        if (wanders) {
            jars.add(WANDERING_JAR);
            statements.addAll(WANDERING_STATEMENTS);
        }
        this.refused = refused;
        this.done = done;
    }

    void apply() {
        if (database.catalog().tables().isEmpty()) {
            load(0);
        } else {
            done.run();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whoever hears of the answer goes on
    private void load(int next) {
        if (next == jars.size()) {
            execute(0);
        } else {
            database.loadClasses(jars.get(next))
                    .thenAccept(response -> answered("procedures", response, () -> load(next + 1)));
        }
    }

    private void execute(int next) {
        if (next == statements.size()) {
            done.run();
        } else {
            String statement = statements.get(next);
            byte[] none = SimulatedDatabase.parameters();
            database.submit(
                    new TransactionRequest.AdHoc(0, 0, 0, statement, none),
                    (request, answer) -> answered(statement, answer, () -> execute(next + 1)));
        }
    }

    private void answered(String what, TransactionResponse response, Runnable next) {
        if (response instanceof Failed failed) {
            refused.accept(what + ": " + failed.code() + " " + failed.message());
        } else {
            next.run();
        }
    }
}
