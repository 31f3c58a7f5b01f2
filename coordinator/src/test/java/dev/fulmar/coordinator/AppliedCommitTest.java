package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.session.SessionLimits;
import dev.fulmar.coordinator.session.Sessions;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The COMMIT of one partition counts there before it is durable, and its client hears of it later. */
class AppliedCommitTest {
    private static final NodeId NODE = new NodeId(0);
    private static final SessionLimits LIMITS = new SessionLimits(1_000, 100_000, 5_000_000_000L, 60_000_000_000L, 2);

    private final SimulatedWorld world = new SimulatedWorld(1);

    private SteppedDatabase start(int partitions) {
        SteppedDatabase db = new SteppedDatabase(
                DatabaseConfiguration.of(partitions, partitions),
                new BankSql(),
                world.startProcess(NODE).storage(),
                DurabilityMode.SYNC);
        for (int change = 0; change < 4; change++) {
            db.sql(BankSql.PREFIX + change);
        }
        db.open(100, 1, 2, 3);
        return db;
    }

    private static Sessions sessions(SteppedDatabase db) {
        return new Sessions(
                db.database,
                db.database.portals(),
                db.time,
                db.time,
                new SeededRandom(1),
                LIMITS,
                new ByteBudget(1 << 20),
                10);
    }

    private static TransactionRequest.AdHoc request(long client, long number, String sql, Object... parameters) {
        return new TransactionRequest.AdHoc(client, number, 0, sql, SteppedDatabase.list(parameters));
    }

    /** A client that never asks what became of a COMMIT. */
    private static final class Ear implements ResponseSink {
        final List<String> heard = new ArrayList<>();

        @Override
        public void applied(TransactionRequest request) {
            heard.add("applied " + request.requestId());
        }

        @Override
        public void respond(TransactionRequest request, TransactionResponse response) {
            Object what = response;
            if (response instanceof Committed committed) {
                what = committed.results().length == 0 ? "done" : SteppedDatabase.cell(committed);
            }
            heard.add(request.requestId() + ": " + what);
        }

        @Override
        public boolean asksForOutcomes() {
            return false;
        }
    }

    /** Two changes of a row, and when the client hears of them. */
    private static List<String> together(SteppedDatabase db, int statements) {
        Ear client = new Ear();
        TransactionRequest.AdHoc commit = request(1, 1, "COMMIT");
        sessions(db)
                .executeTogether(
                        Collections.nCopies(statements, request(1, 1, SessionBank.ADD, 1L, 1L)), commit, client);
        Runnable goOn = db.pause("log");
        db.settle();
        client.heard.add("durable");
        goOn.run();
        db.settle();
        return client.heard;
    }

    @Test
    void statementsThatRunTogetherAreToldOfBeforeTheyAreDurable() {
        SteppedDatabase db = start(1);
        assertThat(together(db, 2)).containsExactly("applied 1", "durable", "1: done");
        assertThat(db.balance(1)).isEqualTo(102);
    }

    /** Else what follows may be durable at another partition before the transaction is at its own. */
    @Test
    void nobodyIsToldSoInADatabaseOfSeveralPartitions() {
        assertThat(together(start(2), 2)).containsExactly("durable", "1: done");
    }

    /** Another node may lead the partition, and execute what the client sends then, without the transaction. */
    @Test
    void nobodyIsToldSoInACluster() {
        SteppedDatabase db = SteppedDatabase.leader(1, NODE);
        SteppedDatabase.createBank(db.database, db::settle);
        db.sql(SessionBank.INSERT, 1L, 100L);
        assertThat(together(db, 2)).containsExactly("1: done", "durable");
    }

    @Test
    void othersHaveThePartitionBetweenTheStatementsOfALongCommit() {
        SteppedDatabase db = start(1);
        long before = db.database.figures().partition(0).distributedCommitted.get();
        assertThat(together(db, 40_000)).containsExactly("durable", "1: done");
        assertThat(db.balance(1)).isEqualTo(40_100);
        assertThat(db.database.figures().partition(0).distributedCommitted.get())
                .isEqualTo(before + 1);
    }
}
