package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.coordinator.cluster.MemberCopy;
import dev.fulmar.coordinator.durability.catalog.CatalogImage;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.leadership.Leadership;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.coordinator.replication.CopyRole;
import dev.fulmar.coordinator.replication.CopyState;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.coordinator.replication.ReplicaProtocol;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.time.Clock;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This node's replica of a partition, or of the catalog: runs the replication protocol as a backup or primary. */
public final class PartitionReplica implements MemberCopy {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionReplica.class);

    private final PartitionId partition;
    private final @Nullable PartitionRuntime runtime;
    private final Clock clock;
    private final ReplicationEnvironment environment;
    private final ReplicaLog stream;
    private final CopyMailbox mailbox = new CopyMailbox();
    private final ReplicaTicks ticks = new ReplicaTicks();
    private final ReplicaEnvironment log;
    private volatile ReplicaStatus status = new ReplicaStatus(Leadership.Role.NONE, 0, ReplicaState.DETACHED);

    /** Any thread reads it; {@link #join} and the partition's thread change it. */
    private volatile ReplicaState state = ReplicaState.DETACHED;

    private @Nullable ReplicaProtocol replicaProtocol;
    private final CommitCallbacks onceSafe = new CommitCallbacks();
    private final ReplicaRetirement replicaRetirement;
    private final CopyReads reads;
    private final LeadershipTransfer leadershipTransfer = new LeadershipTransfer();

    /** A term has ended, and the gate of its replies does not know it yet. */
    private boolean hasLost;

    /** @param runtime null for the catalog */
    public PartitionReplica(
            PartitionId partition,
            @Nullable PartitionRuntime runtime,
            Clock clock,
            ReplicationEnvironment environment,
            ReplicaEnvironment log,
            ReplicaLog stream) {
        this.partition = partition;
        this.runtime = runtime;
        this.clock = clock;
        this.environment = environment;
        this.log = log;
        this.stream = stream;
        this.reads = new CopyReads(
                this::follows, stream, wanted -> with(joined -> joined.wantClock(wanted)), clock, environment.probes());
        this.replicaRetirement = new ReplicaRetirement(environment.probes());
    }

    @Override
    public PartitionId partition() {
        return partition;
    }

    @Override
    public String toString() {
        return partition() + " " + status + " " + replicaProtocol;
    }

    /** Readers of snapshots at the copy while another node leads. */
    public CopyReads reads() {
        return reads;
    }

    private void become(ReplicaState next) {
        Invariants.check(state.mayBecome(next), "a replica goes from state to state as the table of its states says");
        state = next;
    }

    private boolean follows() {
        return status.role() == Leadership.Role.BACKUP && !status.isBroken();
    }

    /** Whether it takes part in the cluster, or will in a moment. For any thread. */
    public boolean hasJoined() {
        return state != ReplicaState.DETACHED;
    }

    /** The partition's rows and memory, for its thread; the catalog has none. */
    public PartitionRuntime runtime() {
        PartitionRuntime here = runtime;
        if (here == null) {
            throw Invariants.breach("the catalog has no rows");
        }
        return here;
    }

    /** ReplicaStatus of the copy. For any thread. */
    public ReplicaStatus status() {
        return status;
    }

    /**
     * Log and role of a copy that takes part.
     *
     * @param leads whether it executes requests
     * @param isGivenUp whether its rows are gone, and another life of it is being built
     */
    public record Holding(CopyState state, boolean leads, boolean isGivenUp) {}

    /** The copy's log and role; null while it does not take part. For the partition's thread, or while nothing runs. */
    public @Nullable Holding holding() {
        ReplicaProtocol joined = replicaProtocol;
        return joined == null ? null : new Holding(joined.state(), joined.leads(), stream.isGivenUp());
    }

    /** Epoch of the last term in its log, 0 for none. Before it takes part. */
    public long recoveredEpoch() {
        return stream.recoveredEpoch();
    }

    /** Life of the copy that the data directory has; 0 if nothing says it. Before it takes part. */
    public long recoveredLife() {
        return stream.recoveredLife();
    }

    /** Whether the data directory has a copy that was not whole when its process ended. Before it takes part. */
    public boolean isUseless() {
        return stream.isUseless();
    }

    /** Whether the data directory has a copy that counts. Before it takes part. */
    public boolean isRecovered() {
        return stream.isRecovered();
    }

    /** Begins to take part in the cluster, for any thread; called once. */
    @Override
    public void join(Leadership.Self self, Set<NodeId> nodes) {
        become(ReplicaState.JOINING);
        post(() -> {
            become(ReplicaState.FOLLOWING);
            ReplicaProtocol joined = new ReplicaProtocol(
                    self,
                    stream.recovered(self.copy()),
                    environment.limits(),
                    new ReplicaProtocol.Ports(
                            stream,
                            this::send,
                            new PartitionThreadStore(environment.stores().apply(partition()), this::post),
                            new Role(),
                            clock),
                    environment.probes());
            replicaProtocol = joined;
            stream.joined();
            joined.nodes(nodes);
            environment.stores().apply(partition()).readAgain();
        });
    }

    private void send(NodeId to, ByteBuffer... parts) {
        ByteBuffer[] addressed = new ByteBuffer[parts.length + 1];
        addressed[0] =
                ByteBuffer.allocate(Integer.BYTES).putInt(partition().number()).flip();
        System.arraycopy(parts, 0, addressed, 1, parts.length);
        environment.outbox().send(to, addressed);
    }

    /** Tells what became known of the partition's record or of nodes; for any thread. */
    @Override
    public void tell(LeadershipEvent event) {
        post(() -> with(replicaProtocol -> replicaProtocol.take(event)));
    }

    /** The nodes that have, or are to have, a copy; for any thread. */
    @Override
    public void nodes(Set<NodeId> nodes) {
        post(() -> with(replicaProtocol -> replicaProtocol.nodes(nodes)));
    }

    @Override
    public boolean timePassed() {
        return ticks.periodPassed();
    }

    /** Takes what another node's replica sent, which stays the caller's; for any thread. */
    @Override
    public void received(NodeId from, ByteBuffer message) {
        mailbox.put(from, message);
        ticks.disturbed();
        log.wake(partition().number());
    }

    /** Runs the task on the partition's thread, between two transactions; for any thread. */
    public void post(Runnable task) {
        mailbox.put(task);
        ticks.disturbed();
        log.wake(partition().number());
    }

    /** Does what there is to do with a copy that takes part. For the partition's thread. */
    public void with(Consumer<ReplicaProtocol> action) {
        ReplicaProtocol joined = replicaProtocol;
        if (joined != null) {
            action.accept(joined);
        }
    }

    /** Handles waiting words and newly durable records; returns how many. For the partition's thread, as all below. */
    int work() {
        try {
            boolean isTime = ticks.take();
            int done = mailbox.open(stream::isCrowded, this::take);
            if (isTime) {
                with(this::look);
            }
            with(this::goOn);
            return done;
        } catch (RuntimeException
                | Error defect) { // what was being done is done in part: nothing here can be trusted any more
            broke(defect);
            return 1;
        }
    }

    /** Time has passed. */
    private void look(ReplicaProtocol joined) {
        joined.timePassed();
        reads.timePassed();
        boolean isCalm = state.isLasting() && joined.isCalm() && reads.isCalm() && !leadershipTransfer.isUnderWay();
        ticks.looked(isCalm && (runtime != null || log.isCatalogCalm()));
    }

    private void goOn(ReplicaProtocol joined) {
        stream.goOn();
        long durable = stream.newlyDurable();
        if (durable >= 0) {
            joined.durable(durable);
        }
        joined.catchUp();
        beginToServe();
        tellRelease(joined);
        showStatus(joined);
        leadershipTransfer.look(joined, serves(), runtime, log, clock.monotonicNanos());
        replicaRetirement.look(joined.role(), stream);
        onceSafe.run(joined.safeNumber());
    }

    /** Marks the copy as damaged: another copy leads, if one can, and this one is built anew. */
    void broke(Throwable defect) {
        ReplicaProtocol joined = replicaProtocol;
        if (joined == null) {
            throw new IllegalStateException(partition + " breaks before it takes part", defect);
        }
        boolean isNew = state != ReplicaState.BROKEN;
        if (isNew) {
            LOG.error("the replica of {} is damaged; a new one replaces it", partition, defect);
            complain("the replica is damaged, because an operation failed half-way: " + defect
                    + "; a new one replaces it, and another node leads the partition");
            environment.probes().reached("copies: one broke");
        }
        log.abandon(partition);
        reads.end();
        stream.abandon();
        joined.broke();
        if (isNew) {
            become(ReplicaState.BROKEN); // last: the end of the role has to know whether the replica served
        }
        showStatus(joined);
    }

    /** Runs the task once what was logged so far is safe, unless the term ends before. */
    public void onceSafe(Runnable task) {
        onceSafe.add(ticket(), task, () -> {});
    }

    /** Runs one task once all copies in sync confirm anew that this one leads, or the other at the term's end. */
    public void onceConfirmed(Runnable task, Runnable lost) {
        if (serves() && leads()) {
            onceSafe.add(ticket(), task, lost);
        } else {
            lost.run();
        }
    }

    private void take(NodeId from, ByteBuffer message) {
        try {
            with(joined -> joined.received(from, message));
        } catch (FulmarException refused) {
            if (refused.code() != ErrorCode.MALFORMED_REQUEST && refused.code() != ErrorCode.VERSION_MISMATCH) {
                throw refused; // it says nothing of the message
            }
            environment.refused().accept(from, refused);
        }
    }

    private void showStatus(ReplicaProtocol joined) {
        PartitionRecord term = joined.term();
        long epoch = term == null ? 0 : term.epoch();
        boolean isOld = status.role() != joined.role() || status.epoch() != epoch || status.state() != state;
        if (isOld) {
            status = new ReplicaStatus(joined.role(), epoch, state);
        }
    }

    /** Whether it takes part in the cluster. */
    boolean isJoined() {
        return replicaProtocol != null;
    }

    /** Whether requests are executed here. */
    public boolean serves() {
        return state == ReplicaState.SERVING;
    }

    /** Whether this copy executes requests, rather than the copy that leads in a moment. For any thread. */
    boolean takesRequests() {
        return status.serves() && !leadershipTransfer.isUnderWay();
    }

    /** Whether a term ended since the last time, so that the outcome of what is held is unknown. */
    boolean takeLoss() {
        boolean lost = hasLost;
        hasLost = false;
        return lost;
    }

    /** Whether a reply sent now becomes safe, or fails at the term's end; a term without answers ends in silence. */
    public boolean leads() {
        ReplicaProtocol joined = replicaProtocol;
        return joined != null && joined.leads() && state.answers();
    }

    /** The number that must be safe before anything may go that tells of what was executed up to now. */
    long ticket() {
        ReplicaProtocol joined = replicaProtocol;
        return joined == null ? 0 : joined.ticket();
    }

    /** Number of the last group that is safe. */
    long safeNumber() {
        ReplicaProtocol joined = replicaProtocol;
        return joined == null ? 0 : joined.safeNumber();
    }

    /** The turn is over: what was executed is shipped. */
    public void turnEnded() {
        ReplicaProtocol joined = replicaProtocol;
        if (joined == null) {
            return;
        }
        try {
            stream.offered();
            joined.turnEnded();
            long durable = stream.newlyDurable();
            if (durable >= 0) {
                joined.durable(durable);
            }
        } catch (RuntimeException | Error defect) {
            broke(defect);
        }
    }

    /** Whether so much is unconfirmed that no request may begin. Where none is served, waiting requests are refused. */
    boolean isCrowded() {
        return serves() && stream.isTight();
    }

    /** The term's record is in the log. Rows are served with the newest catalog, so that has to be known here first. */
    private void beginToServe() {
        ReplicaProtocol joined = replicaProtocol;
        PartitionRecord term = joined == null ? null : joined.term();
        if (state != ReplicaState.PROMOTED
                || joined == null
                || term == null
                || (runtime != null && !log.knowsCatalog(partition, term.epoch()))) {
            return;
        }
        stream.promote();
        log.doubts()
                .promoted(
                        partition(),
                        stream.inDoubt(),
                        (commit, timestamp) -> post(() -> with(here -> serve(here, term.epoch(), commit, timestamp))));
        become(ReplicaState.RESOLVING);
        showStatus(joined);
    }

    /** Resolves the part that was in doubt when the term began; a verdict that comes after the term is ignored. */
    private void serve(ReplicaProtocol joined, long epoch, boolean commit, long timestamp) {
        PartitionRecord term = joined.term();
        if (!joined.leads() || term == null || term.epoch() != epoch || state != ReplicaState.RESOLVING) {
            return;
        }
        if (runtime != null && !log.isCounted(partition, epoch)) {
            return; // the catalog has changed with the word of a later primary, of which this one hears soon
        }
        stream.resolve(commit, timestamp);
        become(ReplicaState.SERVING);
        showStatus(joined);
        stream.promote(); // versions of the catalog that came since concerned no partition that did not serve
        log.promoted(partition);
    }

    /** Tells other copies that all have a change of the catalog, in case no next change would tell them. */
    private void tellRelease(ReplicaProtocol joined) {
        if (runtime == null && stream.takeReleased() && joined.leads()) {
            joined.ticket();
        }
    }

    /** Ends what the partition has begun, when it is not the one to go on with it. */
    private void depose() {
        ReplicaState before = state;
        if (before != ReplicaState.FOLLOWING && before != ReplicaState.BROKEN) {
            become(ReplicaState.FOLLOWING);
        }
        if (before.answers()) {
            hasLost = true;
            with(this::showStatus); // before anybody hears that something has ended
            onceSafe.lose();
            if (log.depose(partition)) {
                stream.recallVote();
            }
            stream.beganToFollow();
        }
    }

    /** The term that is known here; null before the first. */
    public @Nullable PartitionRecord term() {
        ReplicaProtocol joined = replicaProtocol;
        return joined == null ? null : joined.term();
    }

    /** The copy that it takes part with; null while it does not. */
    public @Nullable CopyId copy() {
        ReplicaProtocol joined = replicaProtocol;
        return joined == null ? null : joined.copy();
    }

    /** State of this copy as the primary's, up to the end of its log; null while it does not lead. */
    public @Nullable CopyState led() {
        ReplicaProtocol joined = replicaProtocol;
        if (joined == null || !serves() || !joined.leads()) {
            return null;
        }
        return joined.state().grownTo(stream.end());
    }

    /** Position of the oldest record that can be sent to other copies. */
    public long oldestKept() {
        return stream.oldestKept();
    }

    /** Keeps the records from the position on, within a bound, until what is returned is run, once. */
    public Runnable keep(long position) {
        return stream.keep(position);
    }

    /** Position behind the last record. */
    public long end() {
        return stream.end();
    }

    /** The newest version of the catalog that the node has. */
    public long catalogVersion() {
        return stream.catalogVersion();
    }

    /**
     * This copy counts no more, as its primary has said; a copy of another life is about to be built.
     *
     * @param done to be run on this thread when it is given up
     */
    public void giveUp(CopyId next, Runnable done) {
        replicaRetirement.want(next, done);
        with(joined -> replicaRetirement.look(joined.role(), stream));
    }

    /** Whether this copy leads, and the earlier ones on the node of that one are out for good. */
    public boolean areOut(CopyId successor) {
        ReplicaProtocol joined = replicaProtocol;
        return joined != null && joined.areOut(successor);
    }

    /** The highest epoch whose primary this copy may have followed. */
    public long heardEpoch() {
        ReplicaProtocol joined = replicaProtocol;
        return joined == null ? 0 : joined.heardEpoch();
    }

    /** Begins anew without rows, with the tables of a version of the catalog. */
    public void prepare(int catalogVersion) {
        stream.prepare(catalogVersion);
    }

    /**
     * The rows of the copy that is built are there.
     *
     * @param position behind the last record that they have the effects of
     * @param terms of the log up to there
     * @param stored run on this thread once a restart would find the copy
     */
    public void complete(long position, long epoch, EpochHistory terms, Runnable stored) {
        stream.complete(position, epoch, terms, stored);
    }

    /** Image with which a copy of the catalog on another node goes on behind the end of this log. */
    public byte[] image() {
        return stream.content();
    }

    /** The catalog is what the image says. What follows is {@link #complete}. */
    public void load(CatalogImage image) {
        stream.load(image);
    }

    /** By the monotonic clock, for any thread. */
    public long nowNanos() {
        return clock.monotonicNanos();
    }

    private void tellClock(CopyId reader, long end, long timestamp) {
        onceSafe(() -> with(joined -> joined.clockPassed(reader, end, timestamp)));
    }

    private final class Role implements CopyRole {
        @Override
        public void leads(PartitionRecord term) {
            replicaRetirement.forget(); // whatever was wrong with it, it leads now, with all that was acknowledged
            become(ReplicaState.PROMOTED);
            beginToServe();
        }

        @Override
        public void follows(PartitionRecord term) {
            depose();
            reads.end();
        }

        @Override
        public void clockWanted(CopyId reader, long timestamp) {
            if (serves() && runtime != null) {
                new PromisedClock(runtime.partition(), timestamp)
                        .pass(() -> tellClock(reader, stream.end(), timestamp));
            }
        }

        @Override
        public void clockPassed(long timestamp) {
            reads.passed(timestamp);
        }

        @Override
        public void safe(long number) {}

        @Override
        public void rebuild(PartitionRecord term) {
            environment.builder().rebuild(PartitionReplica.this, term);
        }

        @Override
        public void different(long sequence) {
            String procedure = stream.procedureOf(sequence);
            if (procedure != null) {
                log.diverged(procedure);
            }
        }

        @Override
        public void complain(String message) {
            PartitionReplica.this.complain(message);
        }
    }

    /** Tells an operator. */
    public void complain(String message) {
        environment.complaints().accept(partition() + ": " + message);
    }

    /** The copy was built anew; on the partition's thread. */
    public void rebuilt(CopyState built) {
        if (state == ReplicaState.BROKEN) {
            become(ReplicaState.FOLLOWING);
        }
        with(joined -> joined.rebuilt(built));
    }
}
