package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.world.SimulatedDatabase;

/** A client that changes the catalog, one thing after another, until it is told to rest. */
final class CatalogClient extends ThinkingClient {
    private static final long PATIENCE_NANOS = 15_000_000_000L;
    private static final long FIRST_CLIENT = 700;

    private final long number;
    private final SimulatedCluster cluster;
    private final ClusterAccess access;
    private final FaultInjector faults;
    private final RandomSource random;
    private final CatalogKnowledge knowledge;
    private final CatalogWishes wishes;
    private NodeId home;
    private long lastRequest;
    private long ended;

    CatalogClient(
            int number,
            SimulatedCluster cluster,
            ClusterAccess access,
            FaultInjector faults,
            CatalogKnowledge knowledge,
            CatalogWishes wishes) {
        super(cluster.world(), "a changer thinks");
        this.number = FIRST_CLIENT + number;
        this.cluster = cluster;
        this.access = access;
        this.faults = faults;
        this.random = cluster.world().random("catalog-" + number);
        this.knowledge = knowledge;
        this.wishes = wishes;
        this.home = cluster.idOf(number);
    }

    /** Its changes that came to an end, whatever that is. */
    long ended() {
        return ended;
    }

    @Override
    long pauseNanos() {
        return random.nextInt(cluster.scenario().maxChangePauseNanos());
    }

    @Override
    void act() {
        CatalogWish wish = wishes.next(random);
        if (wish.isJoint()) {
            together(wish);
        } else {
            new Exchange(wish).begin();
        }
    }

    /** Makes a change of several statements in a transaction. */
    private void together(CatalogWish wish) {
        CatalogKnowledge.Change change = knowledge.begin(wish.made(), wish.dropped());
        SessionLink link = new FulmarLink(cluster, faults, random, home);
        long first = lastRequest + 1;
        lastRequest += JointChange.requests(wish.statements());
        wish.begun();
        new JointChange(link, number, first, wish.statements(), new JointChange.Outcome() {
                    @Override
                    public void done() {
                        cluster.probes().reached(CatalogPath.CHANGED_TOGETHER.name());
                        change.done();
                        wish.done();
                        end("is done");
                    }

                    @Override
                    public void refused(Failed failure) {
                        if (isCatalogFull(failure)) {
                            knowledge.catalogIsFull();
                        } else if (failure.code().category() == ErrorCode.Category.USER
                                && failure.code() != ErrorCode.NO_ACTIVE_TRANSACTION
                                && failure.code() != ErrorCode.SERIALIZATION_FAILURE) { // another change came first
                            cluster.violation("an unexpected failure of " + wish.text() + ": " + failure.code() + " "
                                    + failure.message());
                        }
                        noEffect();
                    }

                    @Override
                    public void noEffect() {
                        change.refused();
                        wish.refused();
                        end("had no effect");
                    }

                    @Override
                    public void unknown() {
                        cluster.probes().reached(CatalogPath.CHANGE_UNKNOWN.name());
                        wish.unknown();
                        end("has an unknown outcome");
                    }

                    private void end(String how) {
                        cluster.note("the transaction " + wish.text() + " " + how);
                        ended++;
                        home = cluster.idOf(random.nextInt(cluster.scenario().nodes()));
                        think();
                    }
                })
                .next();
    }

    /** Whether the change was refused because small logs hold few. */
    static boolean isCatalogFull(Failed failed) {
        return failed.code() == ErrorCode.NOT_SUPPORTED && failed.message().contains("no node could join it any more");
    }

    /** A change until its outcome is known, or never will be. */
    private final class Exchange implements ClusterCall.Outcome {
        private final CatalogWish wish;
        private final CatalogKnowledge.Change change;
        private final ClusterCall call;

        Exchange(CatalogWish wish) {
            this.wish = wish;
            this.change = knowledge.begin(wish.made(), wish.dropped());
            byte[] jar = wish.jar();
            long id = ++lastRequest;
            TransactionRequest request = jar == null
                    ? new TransactionRequest.AdHoc(number, id, 0, wish.text(), SimulatedDatabase.parameters())
                    : new TransactionRequest.Call(
                            number, id, 0, wish.text(), SimulatedDatabase.parameters((Object) jar));
            NodeId gathering = cluster.gathering();
            this.call = new ClusterCall(
                    cluster, access, random, gathering == null ? home : gathering, request, PATIENCE_NANOS, this);
        }

        void begin() {
            cluster.note(this + " begins");
            wish.begun();
            call.send();
        }

        @Override
        public void answered(TransactionResponse response, boolean isSure) {
            switch (response) {
                case Committed _ -> done();
                case Failed failed -> failed(failed, isSure);
            }
        }

        private void done() {
            CatalogPath path = wish.placesRows() ? CatalogPath.PLACED_ANEW : CatalogPath.CATALOG_CHANGED;
            cluster.probes().reached(path.name());
            change.done();
            wish.done();
            end("is done");
        }

        private void failed(Failed failed, boolean isSure) {
            boolean isExpected = wish.refusals().contains(failed.code())
                    || (failed.code() == ErrorCode.DISK_FULL && cluster.hasDisturbedDisk())
                    || isCatalogFull(failed);
            if (isCatalogFull(failed)) {
                knowledge.catalogIsFull();
            }
            if (!isExpected) {
                cluster.violation("an unexpected failure of " + this + ": " + failed.code() + " " + failed.message());
            }
            if (!isSure) {
                unknown();
                return;
            }
            if (wish.refusals().contains(failed.code())) {
                cluster.probes().reached(CatalogPath.CONSTRAINT_REFUSED.name());
            }
            noEffect();
        }

        @Override
        public void unknown() {
            cluster.probes().reached(CatalogPath.CHANGE_UNKNOWN.name());
            wish.unknown();
            end("has an unknown outcome");
        }

        @Override
        public void noEffect() {
            change.refused();
            wish.refused();
            end("had no effect");
        }

        private void end(String how) {
            cluster.note(this + " " + how);
            ended++;
            home = call.node();
            think();
        }

        @Override
        public String toString() {
            return "change " + number + "/" + lastRequest + " " + wish.text();
        }
    }
}
