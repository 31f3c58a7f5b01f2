package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.RequestHistory;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.campaign.Ledger;
import dev.fulmar.simulator.campaign.Replies;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.simulator.workload.WishSource;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A client that executes one wish after another until it is told to rest. */
final class ClusterClient {
    private static final long PATIENCE_NANOS = 12_000_000_000L;

    /**
     * Commits of all clients together in a minute, or in a longer run, at which they keep a pace. It is a little more
     * than makes a run count, and clients make up at full speed for commits that a fault held up.
     */
    private static final long PACED_COMMITS = 6_600;

    private static final long MINUTE_NANOS = 60_000_000_000L;
    private static final long LONGEST_REST_NANOS = 1_000_000_000;

    /** In a steered run a client goes to any node now and then, so that each has some. */
    private static final int STRAYS_ONE_IN = 3;

    private final int number;
    private final SimulatedCluster cluster;
    private final ClusterAccess access;
    private final SimulatedWorld world;
    private final WishSource wishes;
    private final HistoryRecorder recorder;
    private final Ledger ledger;
    private final RandomSource random;
    private final long beginNanos;
    private final Echoes echoes;

    /** Time for each of its commits, 0 without a pace. */
    private final long paceNanos;

    private NodeId home;
    private long lastRequest;
    private boolean isResting;
    private boolean isBusy;
    private long committed;

    /** Requests that appended something. */
    private final Set<Long> appending = new TreeSet<>();

    ClusterClient(
            int number,
            SimulatedCluster cluster,
            ClusterAccess access,
            WishSource wishes,
            HistoryRecorder recorder,
            Ledger ledger,
            long durationNanos) {
        this.number = number;
        this.cluster = cluster;
        this.access = access;
        this.world = cluster.world();
        this.wishes = wishes;
        this.recorder = recorder;
        this.ledger = ledger;
        this.random = world.random("client-" + number);
        this.home = cluster.idOf(number);
        this.echoes = new Echoes(cluster, access, number);
        this.beginNanos = world.nowNanos();
        boolean isPaced = durationNanos > MINUTE_NANOS
                || (world.random("pace").nextInt(3) > 0 && !cluster.scenario().isSteered());
        this.paceNanos =
                isPaced ? cluster.scenario().clients() * Math.max(durationNanos, MINUTE_NANOS) / PACED_COMMITS : 0;
    }

    /** Begins, or goes on. */
    void work() {
        isResting = false;
        if (!isBusy) {
            isBusy = true;
            think();
        }
    }

    /** Wants nothing more. */
    void rest() {
        isResting = true;
    }

    /** Whether it waits for nothing. */
    boolean isIdle() {
        return !isBusy;
    }

    /** Wishes that it knows to be committed. */
    long committed() {
        return committed;
    }

    /** Whether a request may fail like that where a disk is full or its log has failed. */
    static boolean isOfDisk(ErrorCode code) {
        return code == ErrorCode.DISK_FULL || code == ErrorCode.STORAGE_FAILURE;
    }

    /**
     * Whether the client may repeat the request, so that every copy remembers it: it knows that the request was
     * committed and appended something. Of requests a whole window back one copy may remember the outcome, and another
     * one not.
     */
    boolean mayRepeat(long clientId, long requestId) {
        return clientId == number && requestId > lastRequest - RequestHistory.WINDOW && appending.contains(requestId);
    }

    private void think() {
        long aheadNanos = committed * paceNanos - (world.nowNanos() - beginNanos);
        long restNanos = Math.clamp(aheadNanos, 0, LONGEST_REST_NANOS);
        world.schedule(restNanos + random.nextInt(cluster.scenario().maxThinkNanos()), "a client thinks", () -> {
            if (isResting) {
                isBusy = false;
            } else if (cluster.isHushed()) {
                think();
            } else if (echoes.isDue()) {
                echoes.send(this::think);
            } else {
                new Exchange(wishes.next()).begin();
            }
        });
    }

    /** A wish until its outcome is known, or never will be. */
    private final class Exchange implements ClusterCall.Outcome {
        private final Wish wish;
        private final TransactionRequest request;
        private final HistoryRecorder.Pending record;
        private final ClusterCall call;
        private @Nullable TransactionResponse outcome;

        Exchange(Wish wish) {
            this.wish = wish;
            this.request = request();
            this.record = recorder.invoke(number, wish.writes(), wish.takesAnySnapshot());
            NodeId gathering = cluster.gathering();
            this.call = new ClusterCall(
                    cluster, access, random, gathering == null ? home : gathering, request, PATIENCE_NANOS, this);
        }

        private TransactionRequest request() {
            long id = ++lastRequest;
            ReadConsistency consistency = wish.takesAnySnapshot() ? ReadConsistency.SNAPSHOT : ReadConsistency.DECLARED;
            byte[] parameters = SimulatedDatabase.parameters(wish.arguments());
            return wish.isStatement()
                    ? new TransactionRequest.AdHoc(number, id, 0, consistency, wish.text(), parameters)
                    : new TransactionRequest.Call(number, id, 0, consistency, wish.text(), parameters);
        }

        void begin() {
            call.send();
        }

        @Override
        public void answered(TransactionResponse response, boolean isSure) {
            switch (response) {
                case Committed done -> committed(done);
                case Failed failed -> failed(failed, isSure);
            }
            end();
        }

        private void committed(Committed response) {
            committed++;
            outcome = response;
            if (wish.rollsBack()) {
                cluster.violation("a transaction that rolls back was committed: " + text());
            }
            try {
                record.ok(wish.done(Replies.decode(response)), OptionalLong.empty());
            } catch (IllegalStateException wrong) {
                cluster.violation("a wrong answer to " + text() + ": " + wrong.getMessage());
                record.unknown();
            }
            ledger.committed(wish);
            if (!wish.writes().isEmpty()) {
                appending.add(request.requestId());
            }
            if (changes()) {
                echoes.committed(request, response);
            }
        }

        private void failed(Failed response, boolean isSure) {
            switch (response.code()) {
                case USER_ABORT -> {
                    if (!wish.mayRollBack()) {
                        cluster.violation("an unexpected rollback of " + text() + ": " + response.message());
                    }
                    if (isSure || wish.rollsBack()) {
                        outcome = response;
                        record.failed();
                    } else {
                        record.unknown();
                        ledger.unknown(wish);
                    }
                }
                case SNAPSHOT_TOO_OLD -> record.failed();
                default -> {
                    if (!mayBeOfDisk(response.code()) || !cluster.hasDisturbedDisk()) {
                        cluster.violation("an unexpected failure of " + text() + ": " + response.code() + " "
                                + response.message());
                    }
                    record.unknown();
                    ledger.unknown(wish);
                }
            }
        }

        /** A full disk refuses what would be written; where a log has failed readers hear of it too. */
        private boolean mayBeOfDisk(ErrorCode code) {
            return isOfDisk(code) && (code == ErrorCode.DISK_FULL || !changes());
        }

        private boolean changes() {
            return wish instanceof Wish.Transfer || !wish.writes().isEmpty();
        }

        @Override
        public void unknown() {
            record.unknown();
            ledger.unknown(wish);
            end();
        }

        @Override
        public void noEffect() {
            record.failed();
            end();
        }

        private void end() {
            home = cluster.scenario().isSteered() && random.nextInt(STRAYS_ONE_IN) == 0
                    ? cluster.idOf(random.nextInt(cluster.scenario().nodes()))
                    : call.node();
            think();
        }

        /** Compares a later answer to the same handle with the first one, which it must not contradict. */
        @Override
        public void late(TransactionResponse later) {
            boolean changes = changes();
            TransactionResponse first = outcome;
            boolean contradicts = switch (later) {
                case Committed again ->
                    changes
                            && switch (first) {
                                case null -> false;
                                case Failed failed -> true;
                                case Committed known ->
                                    known.value() != again.value() || !Arrays.equals(known.results(), again.results());
                            };
                case Failed failed -> false;
            };
            if (contradicts) {
                cluster.violation("two answers to one handle: " + text() + ": first " + first + ", then " + later);
            } else if (first instanceof Committed && later instanceof Committed && changes) {
                cluster.probes().reached(ClusterPath.RETRY_RECOGNISED.name());
            }
        }

        private String text() {
            return "client " + number + " request " + request.requestId() + " " + wish.text() + " "
                    + Arrays.deepToString(wish.arguments());
        }
    }
}
