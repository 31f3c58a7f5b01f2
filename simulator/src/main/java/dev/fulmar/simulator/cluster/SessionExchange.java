package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.verify.Operation;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.wire.session.Isolation;
import dev.fulmar.wire.session.TransactionMode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** One transaction of many statements, from BEGIN to the moment at which its outcome is known or never will be. */
abstract class SessionExchange {
    private static final long PATIENCE_NANOS = 12_000_000_000L;
    private static final int READ_COMMITTED_ONE_IN = 4;
    private static final int SNAPSHOT_ONE_IN = 3;
    private static final int KEEPS_ONE_IN = 3;

    /** Wants no answer. */
    private static final SessionLink.Listener NOBODY = new SessionLink.Listener() {
        @Override
        public void answered(List<long[]> rows) {}

        @Override
        public void refused(ErrorCode code, String message) {}

        @Override
        public void lost() {}
    };

    private final SessionClient client;
    private final SimulatedCluster cluster;
    private final Wish wish;
    private final Isolation level;

    /** Whether its queries are FOR UPDATE, so that its history is serializable at any level. */
    private final boolean keeps;

    private final long transaction;
    private final SessionLink over;
    private final HistoryRecorder.Pending record;
    private final List<Operation> operations = new ArrayList<>();

    SessionExchange(SessionClient client, Wish wish) {
        this.client = client;
        this.cluster = client.cluster();
        this.wish = wish;
        this.level = level(client.random());
        this.keeps = level == Isolation.READ_COMMITTED
                || (level == Isolation.SNAPSHOT && client.random().nextInt(KEEPS_ONE_IN) == 0);
        this.transaction = client.nextTransaction();
        this.over = client.link();
        this.record = client.recorder().invoke(client.number(), wish.writes());
        if (level == Isolation.SNAPSHOT && !keeps) {
            record.atSnapshot();
        }
    }

    private static Isolation level(RandomSource random) {
        if (random.nextInt(READ_COMMITTED_ONE_IN) == 0) {
            return Isolation.READ_COMMITTED;
        }
        return random.nextInt(SNAPSHOT_ONE_IN) == 0 ? Isolation.SNAPSHOT : Isolation.SERIALIZABLE;
    }

    final void begin() {
        send(beginning(), done -> think());
    }

    /** The statement that opens it. */
    String beginning() {
        return level == Isolation.SERIALIZABLE
                ? "BEGIN"
                : TransactionMode.USUAL.isolation(level).begin();
    }

    /** Sends the next statement, or the last one. */
    abstract void goOn();

    final SimulatedCluster cluster() {
        return cluster;
    }

    final RandomSource random() {
        return client.random();
    }

    /** Thinks, and goes on. */
    final void think() {
        client.think(this::goOn);
    }

    /** Notes what it has done, in the order of the statements. */
    final void did(Operation operation) {
        operations.add(operation);
    }

    /** A query whose result the transaction rests on: at the weaker levels it may say so. */
    final String counting(String query) {
        return keeps ? query + " FOR UPDATE" : query;
    }

    /** The only number of an answer. */
    static long first(List<long[]> rows) {
        return rows.getFirst()[0];
    }

    final void send(String sql, Consumer<List<long[]>> then, long... arguments) {
        over.send(
                transaction,
                client.request(sql, arguments),
                arguments,
                cluster.scenario().patienceNanos(),
                new SessionLink.Listener() {
                    @Override
                    public void answered(List<long[]> rows) {
                        then.accept(rows);
                    }

                    @Override
                    public void refused(ErrorCode code, String message) {
                        fails(sql, code, message);
                    }

                    @Override
                    public void lost() {
                        failed();
                    }
                });
    }

    /** Sends a statement without waiting for its answer. If it fails, so does the COMMIT. */
    final void sendAhead(String sql, long... arguments) {
        over.send(
                transaction,
                client.request(sql, arguments),
                arguments,
                cluster.scenario().patienceNanos(),
                new SessionLink.Listener() {
                    @Override
                    public void answered(List<long[]> rows) {}

                    @Override
                    public void refused(ErrorCode code, String message) {
                        client.check(sql, code, message);
                    }

                    @Override
                    public void lost() {}
                });
    }

    final void rollBack() {
        send("ROLLBACK", done -> failed());
    }

    /** A transaction that is not committed leaves nothing, for whatever reason. */
    private void fails(String sql, ErrorCode code, String message) {
        client.check(sql, code, message);
        over.send(
                transaction,
                client.request("ROLLBACK"),
                new long[0],
                cluster.scenario().patienceNanos(),
                NOBODY);
        failed();
    }

    private void failed() {
        record.failed();
        client.think(client::next);
    }

    final void commit() {
        TransactionRequest.AdHoc request = client.request("COMMIT");
        over.send(transaction, request, new long[0], cluster.scenario().patienceNanos(), new SessionLink.Listener() {
            @Override
            public void answered(List<long[]> rows) {
                committed(SessionPath.COMMITTED);
            }

            @Override
            public void refused(ErrorCode code, String message) {
                if (SessionClient.mayBeCommitted(code)) {
                    ask(request);
                } else {
                    fails("COMMIT", code, message);
                }
            }

            @Override
            public void lost() {
                ask(request);
            }
        });
    }

    private void committed(SessionPath path) {
        cluster.probes().reached(path.name());
        if (!over.answersQuestions()) {
            cluster.probes().reached(SessionPath.COMMITTED_OVER_POSTGRES.name());
        }
        if (level == Isolation.SNAPSHOT) {
            cluster.probes().reached(SessionPath.COMMITTED_AT_SNAPSHOT.name());
        }
        record.ok(operations, OptionalLong.empty());
        client.ledger().committed(wish);
        client.think(client::next);
    }

    private void unknown() {
        record.unknown();
        client.ledger().unknown(wish);
        client.think(client::next);
    }

    /** Asks any node what became of the COMMIT, if its protocol has such a question. */
    private void ask(TransactionRequest.AdHoc commit) {
        if (!over.answersQuestions()) {
            unknown();
            return;
        }
        TransactionRequest.Script question = TransactionRequest.Script.question(commit);
        new ClusterCall(cluster, client.access(), client.random(), over.node(), question, PATIENCE_NANOS, new Answer())
                .send();
    }

    private final class Answer implements ClusterCall.Outcome {
        @Override
        public void answered(TransactionResponse response, boolean isSure) {
            switch (response) {
                case Committed _ -> committed(SessionPath.ASKED_AND_COMMITTED);
                case Failed(ErrorCode code, var _, var _)
                when code == ErrorCode.SERIALIZATION_FAILURE -> {
                    cluster.probes().reached(SessionPath.ASKED_AND_NOT_COMMITTED.name());
                    failed();
                }
                case Failed failed -> {
                    if (!ClusterClient.isOfDisk(failed.code()) || !cluster.hasDisturbedDisk()) {
                        cluster.violation(
                                "an unexpected answer about a COMMIT of client " + client.number() + ": " + failed);
                    }
                    SessionExchange.this.unknown();
                }
            }
        }

        @Override
        public void unknown() {
            SessionExchange.this.unknown();
        }

        @Override
        public void noEffect() {
            unknown();
        }
    }
}
