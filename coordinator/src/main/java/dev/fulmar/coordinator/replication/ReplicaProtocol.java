package dev.fulmar.coordinator.replication;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.leadership.Leadership;
import dev.fulmar.coordinator.membership.leadership.LeadershipEffect;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.time.Clock;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One partition's copy on one node: leads or follows as the partition's record says. Joins the two state machines,
 * {@link Leadership} and that of replication, with the copy's log, the other copies and the store. All calls come on
 * one thread, the partition's.
 */
public final class ReplicaProtocol {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final PrimaryReplication.Limits limits;
    private final Ports ports;
    private final Probes probes;
    private final ByteBuffer header = ByteBuffer.allocate(ReplicationFormat.MAX_BYTES);
    private final RetoldEvents learnt = new RetoldEvents();
    private final Succession succession = new Succession();
    private Leadership.Self self;
    private Leadership leadership;
    private CopyState initial;
    private Set<NodeId> nodes = Set.of();
    private @Nullable PartitionRecord term;
    private @Nullable PrimaryReplication primary;
    private @Nullable BackupReplication backup;
    private boolean leads;

    /** Whether the copy is damaged. */
    private boolean isBroken;

    /** The group that is being taken, and its place. */
    private ByteBuffer records = NOTHING;

    private long recordsBegin;

    /** Grows with each role, so that what a former one awaited is not told to the next. */
    private long role;

    /** Up to where groups were closed, and whether a reply waits for the next one. */
    private long closedEnd;

    private boolean isAwaited;
    private long safeNumber;

    /** Ports to the copy's log, the other copies, the record and the role's listener. */
    public record Ports(CopyStream stream, ReplicaOutbox outbox, RecordStore store, CopyRole role, Clock clock) {}

    /** @param state of the copy of {@code self} */
    public ReplicaProtocol(
            Leadership.Self self, CopyState state, PrimaryReplication.Limits limits, Ports ports, Probes probes) {
        Invariants.check(self.copy().equals(state.copy()), "a replica has the copy that it speaks for");
        this.self = self;
        this.initial = state;
        this.limits = limits;
        this.ports = ports;
        this.probes = probes;
        this.leadership = new Leadership(self, probes);
    }

    @Override
    public String toString() {
        return leadership + " log " + ports.stream().end() + (leads ? " leads" : "");
    }

    /** The copy that it speaks for. */
    public CopyId copy() {
        return self.copy();
    }

    /** Role of this process for the partition. */
    public Leadership.Role role() {
        return leadership.role();
    }

    /** The term that this process knows of; null before the first. */
    public @Nullable PartitionRecord term() {
        return term;
    }

    /** Whether requests are executed here. */
    public boolean leads() {
        return leads;
    }

    /** Whether this process leads, and a copy is known that is to lead in its place. */
    public boolean isToHandOver() {
        return leads && leadership.isToHandOver();
    }

    /** Whether everything that was executed is safe, and all replies that waited for it may go. */
    public boolean isSettled() {
        return leads && !isAwaited && ports.stream().end() == closedEnd && safeNumber >= leader().ticket() - 1;
    }

    /** State of the copy. */
    public CopyState state() {
        PrimaryReplication leader = primary;
        BackupReplication follower = backup;
        if (leader == null) {
            return follower == null ? initial : follower.state();
        }
        // A role may end within a turn, which has logged what the machine is told of at the turn's end.
        return leader.state().grownTo(ports.stream().end());
    }

    /** Takes what became known of the record, and of nodes. */
    public void take(LeadershipEvent event) {
        switch (event) {
            case LeadershipEvent.RecordFound(var found)
            when isOvertaken(found) -> ports.store().readAgain();
            case LeadershipEvent.ChangeEnded(var outcome)
            when isOvertaken(outcome) -> {
                ports.store().readAgain();
                handle(new LeadershipEvent.ChangeEnded(
                        new ChangeOutcome.Unknown<>("a later term of another copy has begun")));
            }
            default -> {
                learnt.note(event);
                handle(event);
            }
        }
    }

    /** A conflict may have met this copy's own change, made by an earlier attempt. */
    private boolean isOvertaken(ChangeOutcome<Versioned<PartitionRecord>> outcome) {
        return switch (outcome) {
            case ChangeOutcome.Applied<Versioned<PartitionRecord>>(var applied) -> isOvertaken(applied);
            case ChangeOutcome.Conflict<Versioned<PartitionRecord>>(var current) -> isOvertaken(current);
            case ChangeOutcome.Unknown<?> _, ChangeOutcome.SessionLost<?> _, ChangeOutcome.Refused<?> _ -> false;
        };
    }

    /** Whether the record gives this copy a term, but a message of a later one's primary was faster than the store. */
    private boolean isOvertaken(Versioned<PartitionRecord> found) {
        PartitionRecord record = found.record();
        return primary == null && record != null && record.primary().equals(copy()) && record.epoch() < heardEpoch();
    }

    private void handle(LeadershipEvent event) {
        leadership.handle(event, ports.clock().monotonicNanos()).forEach(this::perform);
    }

    /** The nodes that have, or are to have, a copy. */
    public void nodes(Set<NodeId> others) {
        nodes = Set.copyOf(others);
        PrimaryReplication leader = primary;
        if (leader != null) {
            replicate(leader.others(nodes));
        }
    }

    private void perform(LeadershipEffect effect) {
        switch (effect) {
            case LeadershipEffect.Change(var expected, PartitionRecord next) -> change(expected, next);
            case LeadershipEffect.Lead(PartitionRecord newTerm) -> lead(newTerm);
            case LeadershipEffect.Follow(PartitionRecord newTerm) -> follow(newTerm);
            case LeadershipEffect.CatchUp(PartitionRecord newTerm) -> follow(newTerm);
            case LeadershipEffect.Require(var copies, var joining) -> replicate(leader().require(copies, joining));
            case LeadershipEffect.Acknowledge(boolean reads, boolean writes) ->
                replicate(leader().acknowledge(reads, writes));
            case LeadershipEffect.Complain(String message) -> ports.role().complain(message);
        }
    }

    private void change(Versioned<PartitionRecord> expected, PartitionRecord next) {
        Leadership asking = leadership;
        ports.store().change(expected, next, outcome -> {
            if (asking == leadership) {
                take(new LeadershipEvent.ChangeEnded(outcome));
            } else {
                ports.store().readAgain(); // it was another copy that asked
            }
        });
    }

    private PrimaryReplication leader() {
        PrimaryReplication leader = primary;
        if (leader == null) {
            throw Invariants.breach("only a primary requires and acknowledges");
        }
        return leader;
    }

    private void lead(PartitionRecord newTerm) {
        if (isBroken) {
            follow(newTerm); // it asked for the term before it broke
            return;
        }
        Invariants.check(newTerm.primary().equals(copy()), "a copy leads the terms of which it is the primary");
        CopyState copy = state();
        endRole(newTerm);
        backup = null;
        PrimaryReplication next = new PrimaryReplication(copy, newTerm.epoch(), limits, ports.stream());
        primary = next;
        replicate(next.others(nodes));
        replicate(next.begin());
    }

    private void follow(PartitionRecord newTerm) {
        BackupReplication follower = backup;
        if (follower == null) {
            endRole(newTerm); // which may end what is under way with a record
            CopyState copy = state();
            primary = null;
            follower = new BackupReplication(copy);
            backup = follower;
            if (isBroken) {
                replicate(follower.broke());
            }
        }
        if (!newTerm.equals(term)) {
            term = newTerm;
            ports.role().follows(newTerm);
        }
        follower.heardOf(newTerm.epoch());
    }

    private void endRole(PartitionRecord newTerm) {
        term = newTerm;
        role++;
        leads = false;
        isAwaited = false;
        safeNumber = 0;
        ports.role().follows(newTerm);
    }

    private void replicate(List<ReplicationEffect> effects) {
        long current = role;
        for (ReplicationEffect effect : effects) {
            if (role != current || !perform(effect)) {
                return; // a role's effects are not those of the next
            }
        }
    }

    /** Returns whether what comes next is to be done. */
    private boolean perform(ReplicationEffect effect) {
        switch (effect) {
            case ReplicationEffect.Send(NodeId to, ReplicationMessage message) -> send(to, message);
            case ReplicationEffect.RollBack(long to) -> {
                if (to < ports.stream().end()) {
                    probes.reached("replication: a log goes back");
                }
                if (!ports.stream().rollBack(to, follower().state().history())) {
                    probes.reached("replication: a log cannot go back");
                    replicate(follower().unable());
                    return false;
                }
            }
            case ReplicationEffect.StoreTerm(long epoch, EpochHistory history) -> store(epoch, history);
            case ReplicationEffect.Apply(long from, long to) -> {
                if (!ports.stream().apply(records, recordsBegin, from, to)) {
                    boolean isAhead = ports.stream().isAhead();
                    probes.reached(isAhead ? "replication: tables are ahead of the log" : "replication: diverged");
                    long end = ports.stream().end();
                    replicate(isAhead ? follower().ahead(end) : follower().diverged(end + 1));
                    return false;
                }
            }
            case ReplicationEffect.Release(long to) -> ports.stream().release(to);
            case ReplicationEffect.Rebuild _ -> rebuild();
            case ReplicationEffect.Safe(long number, long _) -> {
                Invariants.check(number > safeNumber, "a primary's groups become safe once each");
                safeNumber = number;
                ports.role().safe(number);
            }
            case ReplicationEffect.Approached(CopyId other) -> take(new LeadershipEvent.Approached(other));
            case ReplicationEffect.CaughtUp(CopyId other) -> take(new LeadershipEvent.CaughtUp(other));
            case ReplicationEffect.Lost(CopyId other) -> {
                probes.reached("replication: a copy is lost");
                take(new LeadershipEvent.Diverged(other));
            }
            case ReplicationEffect.Different(long sequence) -> ports.role().different(sequence);
            case ReplicationEffect.ClockWanted(CopyId reader, long timestamp) ->
                ports.role().clockWanted(reader, timestamp);
            case ReplicationEffect.ClockPassed(long timestamp) -> ports.role().clockPassed(timestamp);
            case ReplicationEffect.Outdated _ -> ports.store().readAgain();
        }
        return true;
    }

    private BackupReplication follower() {
        BackupReplication follower = backup;
        if (follower == null) {
            throw Invariants.breach("only a copy that follows is told to apply and to roll back");
        }
        return follower;
    }

    private void send(NodeId to, ReplicationMessage message) {
        header.clear();
        ReplicationFormat.write(message, header);
        header.flip();
        if (message instanceof ReplicationMessage.Group group && group.end() > group.begin()) {
            ports.outbox().send(to, header, ports.stream().records(group.begin(), group.end()));
        } else {
            ports.outbox().send(to, header);
        }
    }

    private void store(long epoch, EpochHistory history) {
        long current = role;
        boolean asLeader = primary != null;
        ports.stream().store(epoch, history, asLeader, () -> {
            if (role == current) {
                stored(epoch);
            }
        });
    }

    private void stored(long epoch) {
        PrimaryReplication leader = primary;
        PartitionRecord current = term;
        if (leader == null) {
            replicate(follower().termStored(epoch));
        } else if (current != null) {
            leads = true;
            probes.reached("replication: a term begins");
            replicate(leader.termStored());
            ports.role().leads(current);
            isAwaited = true;
            turnEnded();
            replicate(leader.durable(ports.stream().end()));
        }
    }

    private void rebuild() {
        PartitionRecord current = term;
        if (current != null) {
            probes.reached("replication: a copy is built anew");
            ports.role().rebuild(current);
        }
    }

    /** Marks the copy as damaged: it takes part in nothing, and lets another lead, until it is built anew. */
    public void broke() {
        isBroken = true;
        take(new LeadershipEvent.Broken());
        PartitionRecord current = term;
        if (primary != null && current != null) {
            CopyState copy = state();
            endRole(current);
            primary = null;
            backup = new BackupReplication(copy);
        }
        BackupReplication follower = backup;
        if (follower != null) {
            replicate(follower.broke());
        }
    }

    /** Tells the copies in sync that another one must lead. */
    private void resign() {
        PartitionRecord current = term;
        if (isBroken && current != null && role() == Leadership.Role.PRIMARY) {
            ReplicationMessage.Diverged own = new ReplicationMessage.Diverged(current.epoch(), copy(), 0);
            current.inSync().stream().filter(other -> !other.equals(copy())).forEach(other -> send(other.node(), own));
        }
    }

    /** The highest epoch whose primary this copy has led as or may have followed; of a copy that cannot follow, too. */
    public long heardEpoch() {
        BackupReplication follower = backup;
        return follower == null ? state().epoch() : follower.epoch();
    }

    /** See {@link Leadership#areOut}. */
    public boolean areOut(CopyId successor) {
        return leadership.areOut(successor);
    }

    /** The copy was built anew, and has another life. */
    public void rebuilt(CopyState state) {
        Invariants.check(!leads && state.copy().compareTo(self.copy()) > 0, "a copy that is built anew has a new life");
        role++;
        primary = null;
        backup = null;
        isBroken = false;
        initial = state;
        self = self.with(state.copy());
        leadership = new Leadership(self, probes);
        learnt.retell(this::take);
        ports.store().readAgain();
    }

    /**
     * The number that {@link CopyRole#safe} must reach before a reply may go that tells of what was executed up to now.
     */
    public long ticket() {
        isAwaited = true;
        return leader().ticket();
    }

    /**
     * Asks the primary to let its clock pass the timestamp, and to tell {@link CopyRole#clockPassed} when this copy has
     * all up to it.
     */
    public void wantClock(long timestamp) {
        PartitionRecord current = term;
        if (backup != null && current != null && !current.primary().equals(copy())) {
            send(current.primary().node(), new ReplicationMessage.ClockWanted(current.epoch(), copy(), timestamp));
        }
    }

    /**
     * Answers a copy that asked for the clock. All up to the end of the log is safe, the clock had passed the timestamp
     * before, and nothing was prepared at or below it.
     */
    public void clockPassed(CopyId reader, long end, long timestamp) {
        PartitionRecord current = term;
        if (leads && current != null) {
            Invariants.check(leader().hasSafe(end), "readers of other copies see what all copies in sync have");
            send(reader.node(), new ReplicationMessage.ClockPassed(current.epoch(), end, timestamp));
        }
    }

    /**
     * Sends another copy what always counts behind a position: the primary may not reach it. Both have joined one term,
     * in which there is one log, so the other takes what is here for what its primary would send.
     *
     * @param asked the term that the other copy has joined
     */
    public void passOn(NodeId to, long asked, long begin) {
        BackupReplication follower = backup;
        long settled = follower == null ? 0 : follower.settledEnd(asked);
        long reached = settled <= begin
                ? ReadableLog.GONE
                : ports.stream().reach(begin, Math.min(settled, begin + limits.maxRecords()));
        if (reached != ReadableLog.GONE) {
            probes.reached("replication: records are passed on");
            send(to, new ReplicationMessage.Group(asked, 0, begin, reached, reached));
        }
    }

    /** The last number that is safe. */
    public long safeNumber() {
        return safeNumber;
    }

    /** Closes a group of the records since the last one, if there are any or a reply waits for a group. */
    public void turnEnded() {
        PrimaryReplication leader = primary;
        if (leader == null || !leads) {
            return;
        }
        long end = ports.stream().end();
        if (isAwaited || end != closedEnd) {
            isAwaited = false;
            closedEnd = end;
            leader.appended(end);
            replicate(leader.close(ports.clock().monotonicNanos()));
        }
    }

    /** The log is durable up to the position, at most that of the last ended turn. */
    public void durable(long position) {
        PrimaryReplication leader = primary;
        BackupReplication follower = backup;
        if (leader != null && leads) {
            replicate(leader.durable(position));
        } else if (follower != null) {
            replicate(follower.durable(position));
        }
    }

    /** Takes a message of another node's replica; fails if it is none. */
    public void received(NodeId from, ByteBuffer in) {
        ReplicationMessage message = ReplicationFormat.read(in);
        checkSpeaker(from, message);
        if (message instanceof ReplicationMessage.Replaces replaces) {
            succession.heard(replaces);
            return;
        }
        PrimaryReplication leader = primary;
        BackupReplication follower = backup;
        if (leader != null) {
            replicate(leader.received(message, ports.clock().monotonicNanos()));
        } else if (message instanceof ReplicationMessage.Diverged(long epoch, CopyId former, long _)) {
            take(new LeadershipEvent.Resigned(former, epoch));
        } else if (follower != null && !isTakeable(message, in)) {
            follower.unready(message.epoch());
        } else if (follower != null) {
            records = in;
            recordsBegin = message instanceof ReplicationMessage.Group group ? group.begin() : 0;
            replicate(follower.received(from, message));
            records = NOTHING;
        }
    }

    /** Asks for records that could not be applied when they came, once they can be. To be called often. */
    public void catchUp() {
        BackupReplication follower = backup;
        if (follower != null && follower.isUnready() && ports.stream().isReady()) {
            replicate(follower.ready());
        }
    }

    /** A node speaks for its own copies only. */
    private static void checkSpeaker(NodeId from, ReplicationMessage message) {
        CopyId speaker = switch (message) {
            case ReplicationMessage.Joined joined -> joined.copy();
            case ReplicationMessage.Confirmed confirmed -> confirmed.copy();
            case ReplicationMessage.AwaitsTerm awaits -> awaits.copy();
            case ReplicationMessage.Diverged diverged -> diverged.copy();
            case ReplicationMessage.Replaces replaces -> replaces.copy();
            case ReplicationMessage.ClockWanted wanted -> wanted.copy();
            case ReplicationMessage.TermBegun _,
                    ReplicationMessage.Group _,
                    ReplicationMessage.Behind _,
                    ReplicationMessage.ClockPassed _,
                    ReplicationMessage.Outdated _ -> null;
        };
        if (speaker != null && !speaker.node().equals(from)) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST, "node " + from + " speaks for copy " + speaker + " of another node");
        }
    }

    private boolean isTakeable(ReplicationMessage message, ByteBuffer in) {
        return !(message instanceof ReplicationMessage.Group group)
                || ports.stream().isApplicable(in, group.begin(), group.end());
    }

    /**
     * Lets the copy with the best log go on after a restart of all nodes, where copies do not keep what they confirmed.
     */
    private void succeed() {
        Versioned<PartitionRecord> found = learnt.lastFound();
        if (backup == null || found == null || role() != Leadership.Role.LEARNER) {
            return;
        }
        boolean mayBegin = ports.stream().maySucceed();
        if (!mayBegin && !ports.stream().mayBePassedOver()) {
            return; // it is still to be found out what there is
        }
        ReplicationMessage.Replaces own = claim(found.get().epoch(), mayBegin);
        if (mayBegin && succession.isDue(own, found.get())) {
            take(new LeadershipEvent.Orphaned(found.version()));
        }
        if (succession.mayTell(ports.clock().monotonicNanos(), limits.retryNanos())) {
            found.get().inSync().stream()
                    .filter(other -> !other.node().equals(copy().node()))
                    .forEach(other -> send(other.node(), own));
        }
    }

    /** This copy's claim to succeed: a given up one has nothing, and comes after all that have something. */
    private ReplicationMessage.Replaces claim(long epoch, boolean hasLog) {
        return hasLog
                ? new ReplicationMessage.Replaces(
                        epoch,
                        copy(),
                        follower().state().history().epoch(),
                        ports.stream().end())
                : new ReplicationMessage.Replaces(epoch, copy(), 0, 0);
    }

    /** Whether it leads or is in sync, and neither has begun anything that is not over nor misses a copy. */
    public boolean isCalm() {
        PrimaryReplication leader = primary;
        BackupReplication follower = backup;
        return leadership.isCalm()
                && (leader == null ? follower != null && follower.hasJoined() : leads && leader.isCalm());
    }

    /** To be called many times a second. */
    public void timePassed() {
        take(new LeadershipEvent.TimePassed());
        PrimaryReplication leader = primary;
        if (leader != null && leads) {
            // Where nobody calls no group would be closed, and nobody could join.
            isAwaited |= leader.hasNewcomers();
            turnEnded();
            replicate(leader.timePassed(ports.clock().monotonicNanos()));
        }
        BackupReplication follower = backup;
        PartitionRecord current = term;
        if (follower != null && current != null) {
            replicate(follower.timePassed(current.primary().node(), role() == Leadership.Role.BACKUP));
        }
        resign();
        succeed();
    }
}
