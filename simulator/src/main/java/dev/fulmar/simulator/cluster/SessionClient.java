package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.campaign.Replies;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.verify.Operation;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.simulator.workload.WishSource;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client that reads lists and appends to them in transactions of many statements. It computes the places of what it
 * appends from what it has read, and thinks in between.
 */
final class SessionClient {
    private static final long PATIENCE_NANOS = 12_000_000_000L;
    private static final int FIRST_CLIENT = 300;
    private static final int ROLL_BACK_ONE_IN = 8;
    private static final int SAVEPOINT_ONE_IN = 4;
    private static final int BURST_ONE_IN = 3;
    private static final int LOCK_ONE_IN = 3;
    private static final int READ_COMMITTED_ONE_IN = 4;
    private static final String READ = "SELECT v FROM entry WHERE k = ? ORDER BY n";
    private static final String LENGTH = "SELECT COUNT(*) FROM entry WHERE k = ?";
    private static final String FIRST = "SELECT v FROM entry WHERE k = ? AND n = 0 FOR UPDATE";
    private static final String APPEND = "INSERT INTO entry (k, n, v) VALUES (?, ?, ?)";

    /** Wants no answer. */
    private static final SessionLink.Listener NOBODY = new SessionLink.Listener() {
        @Override
        public void answered(TransactionResponse response) {}

        @Override
        public void lost() {}
    };

    private final int number;
    private final SimulatedCluster cluster;
    private final FaultInjector faults;
    private final ClusterAccess access;
    private final SimulatedWorld world;
    private final WishSource wishes;
    private final HistoryRecorder recorder;
    private final RandomSource random;
    private @Nullable SessionLink link;
    private long lastRequest;
    private long lastTransaction;
    private boolean isResting;
    private boolean isBusy;

    SessionClient(
            int number,
            SimulatedCluster cluster,
            FaultInjector faults,
            ClusterAccess access,
            WishSource wishes,
            HistoryRecorder recorder) {
        this.number = FIRST_CLIENT + number;
        this.cluster = cluster;
        this.faults = faults;
        this.access = access;
        this.world = cluster.world();
        this.wishes = wishes;
        this.recorder = recorder;
        this.random = world.random("session-" + number);
        cluster.onDeath(this::died);
    }

    void work() {
        isBusy = true;
        think(this::next);
    }

    /** Wants nothing more. */
    void rest() {
        isResting = true;
    }

    /** Whether it waits for nothing. */
    boolean isIdle() {
        return !isBusy;
    }

    private void died(SimulatedNode node) {
        SessionLink open = link;
        if (open != null && open.node().equals(node.node())) {
            link = null;
            open.breaks();
        }
    }

    private void think(Runnable then) {
        world.schedule(random.nextInt(cluster.scenario().maxThinkNanos()), "a client thinks in its session", then);
    }

    private void next() {
        if (isResting) {
            isBusy = false;
            close();
            return;
        }
        Wish wish = wishes.next();
        if (wish instanceof Wish.Transact transact && !cluster.isHushed()) {
            new Exchange(transact).begin();
        } else {
            think(this::next);
        }
    }

    private SessionLink link() {
        SessionLink open = link;
        if (open == null || open.isGone()) {
            NodeId to = cluster.idOf(random.nextInt(cluster.scenario().nodes()));
            open = new SessionLink(cluster, faults, random, to);
            link = open;
        }
        return open;
    }

    private void close() {
        SessionLink open = link;
        link = null;
        if (open != null) {
            open.breaks();
        }
    }

    /** One transaction, from BEGIN to the moment at which its outcome is known or never will be. */
    private final class Exchange {
        private final Wish.Transact wish;
        private final boolean rollsBack = random.nextInt(ROLL_BACK_ONE_IN) == 0;
        private final boolean bursts = !rollsBack && random.nextInt(BURST_ONE_IN) == 0;
        private final boolean locks = random.nextInt(LOCK_ONE_IN) == 0;
        private final boolean isReadCommitted = random.nextInt(READ_COMMITTED_ONE_IN) == 0;
        private final List<Long> lengths = new ArrayList<>();
        private final long transaction = ++lastTransaction;
        private final SessionLink over = link();
        private final HistoryRecorder.Pending record;
        private final List<Operation> operations = new ArrayList<>();
        private int locked;
        private int reads;
        private int appends;

        Exchange(Wish.Transact wish) {
            this.wish = wish;
            this.record = recorder.invoke(number, wish.writes());
        }

        void begin() {
            send(isReadCommitted ? "BEGIN ISOLATION LEVEL READ COMMITTED" : "BEGIN", done -> think(this::goOn));
        }

        /** A query whose result counts at the COMMIT: at the weaker level only if it says so. */
        private String counting(String query) {
            return isReadCommitted ? query + " FOR UPDATE" : query;
        }

        private void goOn() {
            if (locks && locked < wish.appends().length) {
                send(FIRST, this::locked, wish.appends()[locked++]);
            } else if (reads < wish.reads().length) {
                long key = wish.reads()[reads++];
                send(counting(READ), done -> read(key, done), key);
            } else if (bursts) {
                burst();
            } else if (appends < wish.appends().length) {
                append(appends++);
            } else if (rollsBack) {
                send("ROLLBACK", done -> failed());
            } else {
                commit();
            }
        }

        private void locked(Committed done) {
            cluster.probes().reached(SessionPath.QUEUED.name());
            think(this::goOn);
        }

        private void read(long key, Committed done) {
            List<Long> values = new ArrayList<>();
            Replies.decode(done).tables().getFirst().forEach(row -> values.add(row[0]));
            operations.add(new Operation.ReadList(key, values));
            think(this::goOn);
        }

        /** Asks for all lengths, and sends all that is appended, and the COMMIT, without waiting for answers. */
        private void burst() {
            if (lengths.size() < wish.appends().length) {
                long key = wish.appends()[lengths.size()];
                send(
                        counting(LENGTH),
                        done -> {
                            lengths.add(length(done));
                            burst();
                        },
                        key);
                return;
            }
            for (int i = 0; i < wish.appends().length; i++) {
                long key = wish.appends()[i];
                long value = wish.values()[i];
                operations.add(new Operation.Append(key, value));
                over.send(
                        transaction,
                        request(APPEND, key, lengths.get(i), value),
                        cluster.scenario().patienceNanos(),
                        new SessionLink.Listener() {
                            @Override
                            public void answered(TransactionResponse response) {
                                if (response instanceof Failed failed) {
                                    check(APPEND, failed); // the COMMIT fails too
                                }
                            }

                            @Override
                            public void lost() {}
                        });
            }
            commit();
        }

        private static long length(Committed done) {
            return Replies.decode(done).tables().getFirst().getFirst()[0];
        }

        private void append(int which) {
            long key = wish.appends()[which];
            long value = wish.values()[which];
            boolean wavers = random.nextInt(SAVEPOINT_ONE_IN) == 0;
            send(
                    counting(LENGTH),
                    done -> {
                        long length = length(done);
                        Runnable appends = () -> send(
                                APPEND,
                                appended -> {
                                    operations.add(new Operation.Append(key, value));
                                    think(this::goOn);
                                },
                                key,
                                length,
                                value);
                        if (wavers) {
                            waver(key, length, value, appends);
                        } else {
                            appends.run();
                        }
                    },
                    key);
        }

        /** Appends something that nobody is to see, and takes it back. */
        private void waver(long key, long length, long value, Runnable then) {
            send(
                    "SAVEPOINT before",
                    set -> send(
                            APPEND, appended -> send("ROLLBACK TO before", back -> then.run()), key, length, -value));
        }

        private void send(String sql, Consumer<Committed> then, Object... arguments) {
            over.send(
                    transaction,
                    request(sql, arguments),
                    cluster.scenario().patienceNanos(),
                    new SessionLink.Listener() {
                        @Override
                        public void answered(TransactionResponse response) {
                            switch (response) {
                                case Committed committed -> then.accept(committed);
                                case Failed failed -> refused(sql, failed);
                            }
                        }

                        @Override
                        public void lost() {
                            failed();
                        }
                    });
        }

        private TransactionRequest.AdHoc request(String sql, Object... arguments) {
            return new TransactionRequest.AdHoc(number, ++lastRequest, 0, sql, SimulatedDatabase.parameters(arguments));
        }

        /** A transaction that is not committed leaves nothing, for whatever reason. */
        private void refused(String sql, Failed failed) {
            check(sql, failed);
            over.send(transaction, request("ROLLBACK"), cluster.scenario().patienceNanos(), NOBODY);
            failed();
        }

        private void check(String sql, Failed failed) {
            boolean isExpected = switch (failed.code()) {
                case SERIALIZATION_FAILURE -> {
                    cluster.probes().reached(SessionPath.CONFLICT.name());
                    yield true;
                }
                case NOT_CONNECTED,
                        WRONG_NODE,
                        SERVER_BUSY,
                        NODE_STOPPING,
                        TRANSACTION_RESTART,
                        NO_ACTIVE_TRANSACTION,
                        FAILED_TRANSACTION,
                        LOCK_NOT_AVAILABLE,
                        OUTCOME_UNKNOWN,
                        NODE_LOST,
                        TIMEOUT -> true;
                default -> ClusterClient.isOfDisk(failed.code()) && cluster.hasDisturbedDisk();
            };
            if (!isExpected) {
                cluster.violation(
                        "an unexpected failure of " + sql + " in a session of client " + number + ": " + failed);
            }
        }

        private void failed() {
            record.failed();
            think(SessionClient.this::next);
        }

        private void commit() {
            TransactionRequest.AdHoc request = request("COMMIT");
            over.send(transaction, request, cluster.scenario().patienceNanos(), new SessionLink.Listener() {
                @Override
                public void answered(TransactionResponse response) {
                    switch (response) {
                        case Committed _ -> committed(SessionPath.COMMITTED);
                        case Failed(ErrorCode code, var _, var _)
                        when code == ErrorCode.OUTCOME_UNKNOWN
                                || code == ErrorCode.TIMEOUT
                                || code == ErrorCode.NODE_LOST
                                || code == ErrorCode.STORAGE_FAILURE -> ask(request);
                        case Failed failed -> refused("COMMIT", failed);
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
            record.ok(operations, OptionalLong.empty());
            think(SessionClient.this::next);
        }

        /** Asks any node what became of the COMMIT. */
        private void ask(TransactionRequest.AdHoc commit) {
            TransactionRequest.Script question = TransactionRequest.Script.question(commit);
            new ClusterCall(cluster, access, random, over.node(), question, PATIENCE_NANOS, new Answer()).send();
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
                                    "an unexpected answer about a COMMIT of client " + number + ": " + failed);
                        }
                        unknown();
                    }
                }
            }

            @Override
            public void unknown() {
                record.unknown();
                think(SessionClient.this::next);
            }

            @Override
            public void noEffect() {
                unknown();
            }
        }
    }
}
