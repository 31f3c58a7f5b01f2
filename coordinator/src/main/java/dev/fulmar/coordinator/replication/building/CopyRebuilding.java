package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.durability.replica.CopyBuilder;
import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.durability.replica.PartitionReplicas;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.coordinator.replication.CopyState;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds copies of a node that cannot follow, as often as it takes, each time from the current primary and with
 * another life. Also serves the copies that other nodes build.
 */
public final class CopyRebuilding implements CopyBuilder {
    private static final int MOST_DOUBLINGS = 6;
    private static final int FAILURES_TO_TELL = 4;

    private final NodeId self;
    private final long incarnation;
    private final BuildSettings settings;
    private final BuildOutbox outbox;
    private final Probes probes;
    private volatile @Nullable Parts parts;

    private record Parts(CopyBuilding building, List<Rebuild> rebuilds, CatalogRebuilding catalog) {}

    /** @param incarnation of the process */
    public CopyRebuilding(NodeId self, long incarnation, BuildSettings settings, BuildOutbox outbox, Probes probes) {
        this.self = self;
        this.incarnation = incarnation;
        this.settings = settings;
        this.outbox = outbox;
        this.probes = probes;
    }

    /** Gives it the copies; before any of them takes part. */
    public void bind(PartitionReplicas copies) {
        List<Rebuild> rebuilds = copies.all().stream().map(Rebuild::new).toList();
        PartitionRuntimes runtimes = new PartitionRuntimes(
                copies.all().stream().map(PartitionReplica::runtime).toList());
        CopyBuilding building = new CopyBuilding(
                runtimes,
                settings,
                new ReplicaLogs(copies),
                outbox,
                partition -> new ReplicaPlace(copies.of(partition)),
                partition -> rebuilds.get(partition.number()));
        rebuilds.forEach(rebuild -> rebuild.target = building.target(rebuild.here.partition()));
        parts = new Parts(
                building, rebuilds, new CatalogRebuilding(copies.catalog(), settings, outbox, this::nextLife, probes));
    }

    /** A life for a copy of the partition that begins in this process, above all that copies of it here ever had. */
    public CopyId nextLife(long before) {
        return ReplicaGenerations.next(self, incarnation, before);
    }

    /**
     * The life with which a copy takes part after a restart. It is the one that the copy had, if everything that it
     * confirmed is there, else one that no copy of the partition on this node ever had. A copy that has nothing yet
     * begins with the first life, whatever process it is: it would be taken for that after the next restart, for only a
     * copy that was built has its life in the log.
     *
     * @param keepsConfirmed whether a copy of this database has after a crash whatever it confirmed
     * @param first life of all copies on the disk for which nothing says otherwise; it is stored with the disk, and
     *     goes with it
     */
    public CopyId lifeAfterRestart(PartitionReplica copy, boolean keepsConfirmed, long first) {
        if (!keepsConfirmed || copy.isUseless()) {
            return nextLife(0);
        }
        long kept = copy.recoveredLife();
        return new CopyId(self, kept > 0 ? kept : first);
    }

    @Override
    public void rebuild(PartitionReplica copy, PartitionRecord term) {
        Parts bound = parts;
        Invariants.check(bound != null, "copies are bound before they take part");
        if (bound != null) {
            if (bound.catalog.isOf(copy.partition())) {
                bound.catalog.begin();
            } else {
                bound.rebuilds.get(copy.partition().number()).begin();
            }
        }
    }

    /** Takes a message about the building of copies, for any thread; refuses by throwing what is none. */
    public void received(NodeId from, ByteBuffer message) {
        Parts bound = parts;
        if (bound != null) {
            BuildMessage read = BuildFormat.read(message.duplicate());
            if (bound.catalog.isOf(read.partition())) {
                bound.catalog.received(from, message);
                return;
            }
            if (read instanceof BuildMessage.Begin(PartitionId partition, CopyId copy)
                    && copy.node().equals(from)
                    && partition.number() < bound.rebuilds.size()) {
                bound.rebuilds.get(partition.number()).here.tell(new LeadershipEvent.Replaced(copy));
            }
            bound.building.received(from, message);
        }
    }

    /** To be called several times a second, on any thread. */
    public void timePassed() {
        Parts bound = parts;
        if (bound != null) {
            bound.building.timePassed();
            bound.rebuilds.stream().filter(rebuild -> rebuild.isUnderWay).forEach(Rebuild::look);
            bound.catalog.timePassed();
        }
    }

    /** The partitions whose copies are being built. For any thread. */
    public Stream<PartitionId> underWay() {
        Parts bound = parts;
        return bound == null
                ? Stream.empty()
                : bound.rebuilds.stream()
                        .filter(rebuild -> rebuild.isUnderWay)
                        .map(rebuild -> rebuild.here.partition());
    }

    /** One partition's; for its thread. */
    private final class Rebuild implements CopyTarget.Listener {
        private final PartitionReplica here;
        private @Nullable CopyTarget target;
        private long lastLife;
        private long endedNanos;

        /** Number of attempts in a row that came to nothing. */
        private int failures;

        private @Nullable CopyState built;
        private volatile boolean isUnderWay;

        Rebuild(PartitionReplica here) {
            this.here = here;
        }

        private CopyTarget target() {
            CopyTarget known = target;
            if (known == null) {
                throw Invariants.breach("copies are bound before they take part");
            }
            return known;
        }

        private long nowNanos() {
            return here.runtime().partition().clock().monotonicNanos();
        }

        void begin() {
            isUnderWay = true;
            built = null;
            endedNanos = nowNanos();
            PartitionRecord term = here.term();
            CopyId former = here.copy();
            if (term == null || former == null || term.primary().node().equals(self)) {
                return; // until there is a primary
            }
            CopyId next = nextLife(Math.max(lastLife, former.life()));
            lastLife = next.life();
            probes.reached("copies: one is begun");
            target().build(next, term.primary().node());
        }

        void look() {
            here.post(() -> {
                CopyState state = built;
                if (here.serves()) {
                    isUnderWay = false;
                    target().giveUp();
                } else if (state != null) {
                    boolean follows = here.end() > state.end();
                    if (follows || nowNanos() - endedNanos >= settings.silenceNanos()) {
                        built = null;
                        isUnderWay = false;
                        target().follows();
                    }
                } else if (isUnderWay && !target().isBuilding() && nowNanos() - endedNanos >= pauseNanos()) {
                    begin();
                }
            });
        }

        /**
         * Pause before the next build. It grows with failures, for builds that fail for want of memory or space here
         * must not keep primaries busy.
         */
        private long pauseNanos() {
            return settings.retryNanos() << Math.min(failures, MOST_DOUBLINGS);
        }

        @Override
        public void built(CopyState state) {
            Invariants.check(isUnderWay, "a copy is built that was begun");
            Invariants.check(state.copy().life() == lastLife, "a copy that is built is the last one that was begun");
            failures = 0;
            probes.reached("copies: one is built");
            built = state;
            endedNanos = nowNanos();
            here.rebuilt(state);
        }

        @Override
        public void failed(CopyId copy, String reason) {
            probes.reached("copies: one came to nothing");
            failures++;
            if (failures == FAILURES_TO_TELL) {
                here.complain("building the copy anew has failed " + failures + " times, the last time because: "
                        + reason + "; it is tried again, ever more seldom");
            }
            endedNanos = nowNanos();
        }
    }
}
