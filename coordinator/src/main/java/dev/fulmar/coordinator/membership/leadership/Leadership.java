package dev.fulmar.coordinator.membership.leadership;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.id.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * State machine that decides, for one process's copy of a partition, when it proposes itself as primary and which
 * copies are in sync. One thread at a time; every event gives the effects that are due.
 */
public final class Leadership {
    private final Self self;
    private final Probes probes;
    private final Set<NodeId> suspected = new TreeSet<>();
    private final Map<NodeId, Long> youngest = new TreeMap<>();
    private final Set<CopyId> joining = new TreeSet<>();

    /** Processes that are about to end in order, by their nodes. */
    private final Map<NodeId, Long> leaving = new TreeMap<>();

    /**
     * The processes that were known when this one began to leave: what they confirmed since then they confirmed with
     * the copies that the record names.
     */
    private Map<NodeId, Long> heirs = Map.of();

    private final PlannedCopies planned;

    /**
     * Copies that cannot follow or are damaged, each with the youngest process of its node that was known when that was
     * said. It is said of what this process has of the copy, as it may be said of its memory only: the next one has
     * what the log leads to.
     */
    private final Map<CopyId, Long> lost = new TreeMap<>();

    /** Copies that are about to be built, by their nodes: the earlier ones there do not join any more in this term. */
    private final Map<NodeId, Successor> successors = new TreeMap<>();

    private List<LeadershipEffect> effects = new ArrayList<>();
    private Versioned<PartitionRecord> known = Versioned.absent();
    private @Nullable Proposal proposal;
    private Role role = Role.NONE;
    private boolean isWaiting;
    private long waitsUntilNanos;
    private long candidateSinceNanos;
    private boolean isCandidate;

    /** Whether this process's copy is damaged. */
    private boolean isBroken;

    /** The primary of the term that is known, if it said that its copy is damaged. */
    private @Nullable CopyId resigned;

    private LeadershipEffect.Require required = new LeadershipEffect.Require(Set.of(), Set.of());
    private LeadershipEffect.Acknowledge acknowledged = new LeadershipEffect.Acknowledge(false, false);

    /**
     * The process whose view it is.
     *
     * @param copy this process's copy of the partition
     * @param incarnation of this process
     * @param minInSync of the cluster
     * @param retryNanos how long to wait before a change whose outcome is unknown is made again
     * @param candidacyNanos how much longer each copy in sync waits than the one before it, so that they do not compete
     * @param returnNanos how long the copy on the preferred node is in sync before the primary hands over to it
     */
    public record Self(
            CopyId copy, long incarnation, int minInSync, long retryNanos, long candidacyNanos, long returnNanos) {
        /** The same process with another copy. */
        public Self with(CopyId other) {
            return new Self(other, incarnation, minInSync, retryNanos, candidacyNanos, returnNanos);
        }
    }

    /** Role of this process for the partition. */
    public enum Role {
        /** Nothing is known yet. */
        NONE,
        PRIMARY,
        /** In sync, and to be promoted if need be. */
        BACKUP,
        /** Not in sync. */
        LEARNER
    }

    public Leadership(Self self, Probes probes) {
        this.self = self;
        this.probes = probes;
        this.planned = new PlannedCopies(self.returnNanos);
    }

    public Role role() {
        return role;
    }

    /** Whether it has a part in the partition, and nothing that it began or waits for is left. */
    public boolean isCalm() {
        return (role == Role.PRIMARY || role == Role.BACKUP) && !isBroken && !awaitsTime() && proposal == null;
    }

    private boolean awaitsTime() {
        return isWaiting || isCandidate || planned.awaitsTime();
    }

    @Override
    public String toString() {
        return role + " of " + self.copy + "/" + self.incarnation + ", knows " + known + ", proposes " + proposal
                + ", suspects " + suspected + ", " + required;
    }

    /** Takes an event. */
    public List<LeadershipEffect> handle(LeadershipEvent event, long nowNanos) {
        boolean isIdleTime = event instanceof LeadershipEvent.TimePassed && !awaitsTime();
        if (isIdleTime && !Invariants.EXPENSIVE) {
            return List.of(); // all that is due by what is known was given with the last event
        }
        List<LeadershipEffect> due = handled(event, nowNanos);
        Invariants.check(!isIdleTime || due.isEmpty(), "time alone does nothing unless it is waited for");
        return due;
    }

    private List<LeadershipEffect> handled(LeadershipEvent event, long nowNanos) {
        switch (event) {
            case LeadershipEvent.RecordFound(var found) -> learn(found);
            case LeadershipEvent.ChangeEnded(var outcome) -> ended(outcome, nowNanos);
            case LeadershipEvent.Suspected(NodeId node) -> suspected.add(node);
            case LeadershipEvent.Trusted(NodeId node, long incarnation) -> {
                suspected.remove(node);
                youngest.merge(node, incarnation, Math::max);
            }
            case LeadershipEvent.Approached(CopyId copy) -> approached(copy);
            case LeadershipEvent.CaughtUp(CopyId copy) -> caughtUp(copy);
            case LeadershipEvent.Diverged(CopyId copy) -> diverged(copy);
            case LeadershipEvent.Replaced(CopyId copy) -> replaced(copy);
            case LeadershipEvent.Broken _ -> isBroken = true;
            case LeadershipEvent.Resigned(CopyId primary, long epoch) -> resigned(primary, epoch);
            case LeadershipEvent.Orphaned(long version) -> orphaned(version, nowNanos);
            case LeadershipEvent.Planned(List<NodeId> nodes) -> planned.plan(nodes);
            case LeadershipEvent.Leaving(NodeId node, long incarnation) -> leaving(node, incarnation);
            case LeadershipEvent.TransferAsked _ -> handOver();
            case LeadershipEvent.TransferLate(boolean isConfirmed) -> late(isConfirmed, nowNanos);
            case LeadershipEvent.TimePassed _ -> {}
        }
        if (role == Role.PRIMARY && !isBroken) {
            joining.removeIf(
                    copy -> suspected.contains(copy.node()) || leaves(copy.node()) || planned.excludes(copy.node()));
            tellRequirements();
        }
        planned.look(preferredCopy(), nowNanos);
        if (!isBroken) {
            act(nowNanos);
        }
        if (Invariants.EXPENSIVE) {
            checkJoining();
        }
        List<LeadershipEffect> due = effects;
        effects = new ArrayList<>();
        return due;
    }

    private void checkJoining() {
        Invariants.check(joining.isEmpty() || role == Role.PRIMARY, "a primary lets copies join, and nobody else");
        for (CopyId copy : joining) {
            Invariants.check(
                    known.get().inSyncOn(copy.node()).isEmpty(), "a primary lets no copy join beside one of its node");
        }
    }

    private void learn(Versioned<PartitionRecord> found) {
        if (found.version() <= known.version()) {
            return;
        }
        PartitionRecord before = known.record();
        known = found;
        Proposal open = proposal;
        if (open != null && !open.isUnderWay() && unsettled() == null) {
            proposal = null;
        }
        isCandidate = false;
        PartitionRecord record = found.get();
        joining.removeIf(copy -> record.inSyncOn(copy.node()).isPresent());
        boolean isNewTerm = before == null || before.epoch() != record.epoch();
        if (isNewTerm) {
            resigned = null;
        }
        if (record.isTermOf(self.copy.node(), self.incarnation)
                && record.primary().equals(self.copy)) {
            if (role != Role.PRIMARY || isNewTerm) {
                lead(record);
            }
        } else {
            follow(record, isNewTerm);
        }
    }

    private void lead(PartitionRecord record) {
        role = Role.PRIMARY;
        joining.clear();
        lost.clear();
        successors.clear();
        required = new LeadershipEffect.Require(Set.of(), Set.of());
        acknowledged = new LeadershipEffect.Acknowledge(false, false);
        effects.add(new LeadershipEffect.Lead(record));
    }

    private void follow(PartitionRecord record, boolean isNewTerm) {
        if (role == Role.PRIMARY) {
            probes.reached("leadership: deposed");
        }
        boolean isSuperseded =
                record.primary().node().equals(self.copy.node()) && record.incarnation() > self.incarnation;
        if (isSuperseded) {
            effects.add(new LeadershipEffect.Complain("a younger process of this node, " + record.incarnation()
                    + ", serves the partition; stop this one"));
        }
        Role next = record.inSync().contains(self.copy) && !isSuperseded ? Role.BACKUP : Role.LEARNER;
        if (next != role || isNewTerm) {
            role = next;
            joining.clear();
            effects.add(
                    next == Role.BACKUP ? new LeadershipEffect.Follow(record) : new LeadershipEffect.CatchUp(record));
        }
    }

    private void ended(ChangeOutcome<Versioned<PartitionRecord>> outcome, long nowNanos) {
        Proposal open = proposal;
        if (open == null || !open.isUnderWay()) {
            throw Invariants.breach("a change ends once");
        }
        switch (outcome) {
            case ChangeOutcome.Applied<Versioned<PartitionRecord>>(var applied) -> {
                proposal = null;
                learn(applied);
            }
            case ChangeOutcome.Conflict<Versioned<PartitionRecord>>(var current) -> {
                Invariants.check(
                        current.version() > open.expected().version(),
                        "a change that met a conflict met a later version");
                proposal = null;
                learn(current);
            }
            case ChangeOutcome.Unknown<?> _, ChangeOutcome.SessionLost<?> _ -> {
                probes.reached("leadership: outcome unknown");
                waitFrom(nowNanos);
                proposal = inDoubt(open);
            }
            case ChangeOutcome.Refused<?>(String message) -> {
                // That this attempt was refused says nothing of an earlier one whose outcome is unknown.
                proposal = open.isDoubtful() ? inDoubt(open) : null;
                waitFrom(nowNanos);
                effects.add(new LeadershipEffect.Complain(message));
            }
        }
    }

    /** The proposal as one of unknown outcome, unless it is settled. */
    private @Nullable Proposal inDoubt(Proposal open) {
        return unsettled() == null ? null : new Proposal(open.expected(), open.next(), false, true);
    }

    /** The proposal, unless a later version is known: then it was applied, or it never will be. */
    private @Nullable Proposal unsettled() {
        Proposal open = proposal;
        return open != null && known.version() <= open.expected().version() ? open : null;
    }

    private void waitFrom(long nowNanos) {
        isWaiting = true;
        waitsUntilNanos = nowNanos + self.retryNanos;
    }

    private void leaving(NodeId node, long incarnation) {
        leaving.merge(node, incarnation, Math::max);
        if (node.equals(self.copy.node())) {
            heirs = Map.copyOf(youngest);
        }
    }

    /** Whether the node's process is about to end. A younger one of the node is not. */
    private boolean leaves(NodeId node) {
        Long incarnation = leaving.get(node);
        return incarnation != null && incarnation >= youngest.getOrDefault(node, 0L);
    }

    private boolean leavesItself() {
        return leaves(self.copy.node());
    }

    /** Whether this process leads, and a copy is known that is to lead in its place. */
    public boolean isToHandOver() {
        return role == Role.PRIMARY && !isBroken && successor() != null;
    }

    private PlannedCopies.@Nullable NextPrimary successor() {
        return leavesItself() ? heir() : planned.due();
    }

    /** The copy in sync on the node that should lead, while this one leads and stays. */
    private PlannedCopies.@Nullable NextPrimary preferredCopy() {
        NodeId preferred = role == Role.PRIMARY && !isBroken && !leavesItself() ? planned.preferred() : null;
        if (preferred == null || preferred.equals(self.copy.node()) || leaves(preferred)) {
            return null;
        }
        CopyId copy = known.get().inSyncOn(preferred).orElse(null);
        Long process = youngest.get(preferred);
        return copy == null || process == null || process < copy.incarnation() || isUseless(copy)
                ? null
                : new PlannedCopies.NextPrimary(copy, process);
    }

    /** A copy in sync, elsewhere, in a process that stays and was known when this one began to leave. */
    private PlannedCopies.@Nullable NextPrimary heir() {
        for (CopyId copy : staying()) {
            Long process = heirs.get(copy.node());
            if (process != null && process.equals(youngest.get(copy.node())) && process >= copy.incarnation()) {
                return new PlannedCopies.NextPrimary(copy, process);
            }
        }
        return null;
    }

    /** The copies in sync that are of use and whose processes are not about to end. */
    private List<CopyId> staying() {
        return useful(known.get().inSync()).stream()
                .filter(copy -> !leaves(copy.node()))
                .toList();
    }

    /**
     * A term of another copy is begun for it, which nobody has to notice the absence of this one for. That is as safe
     * as if that copy did it: it is in sync, the compare-and-set decides, and only the process that the record names
     * begins to lead.
     */
    private void handOver() {
        PlannedCopies.NextPrimary heir = isToHandOver() && proposal == null ? successor() : null;
        if (heir != null) {
            probes.reached(leavesItself() ? "leadership: handed over" : "leadership: handed to the preferred node");
            propose(new PartitionRecord(known.get().epoch() + 1, heir.copy(), heir.process(), staying()));
        }
    }

    private void late(boolean isConfirmed, long nowNanos) {
        if (leavesItself() && isConfirmed) {
            handOver();
        } else if (!leavesItself() && proposal == null) {
            probes.reached("leadership: hand-over put off");
            planned.putOff(nowNanos);
        }
    }

    private void approached(CopyId copy) {
        if (role != Role.PRIMARY || isLostStill(copy) || isSucceeded(copy) || leaves(copy.node())) {
            return;
        }
        CopyId inSync = known.get().inSyncOn(copy.node()).orElse(null);
        if (inSync == null) {
            lost.remove(copy);
            joining.removeIf(other -> other.node().equals(copy.node()));
            joining.add(copy);
        } else if (inSync.life() < copy.life()) {
            // The node came back without what it had, before anybody missed it.
            probes.reached("leadership: copy in sync lost");
            lose(inSync);
        }
    }

    private void lose(CopyId copy) {
        lost.put(copy, youngest.getOrDefault(copy.node(), 0L));
    }

    /** Whether the process that has the copy is, as far as is known, the one in which it cannot follow. */
    private boolean isLostStill(CopyId copy) {
        Long process = lost.get(copy);
        return process != null && process >= youngest.getOrDefault(copy.node(), 0L);
    }

    /**
     * The node came back without what it had, and does not join before it is built: until the old copy is out nothing
     * is acknowledged.
     */
    private void replaced(CopyId copy) {
        if (role == Role.PRIMARY) {
            successors.put(copy.node(), new Successor(copy.life(), youngest.getOrDefault(copy.node(), 0L)));
            joining.removeIf(old -> isBefore(old, copy));
            possiblyInSync().stream().filter(old -> isBefore(old, copy)).forEach(old -> {
                probes.reached("leadership: a copy that counts is replaced");
                lose(old);
            });
        }
    }

    private static boolean isBefore(CopyId old, CopyId copy) {
        return old.node().equals(copy.node()) && old.life() < copy.life();
    }

    private boolean isSucceeded(CopyId copy) {
        Successor successor = successors.get(copy.node());
        return successor != null
                && copy.life() < successor.life()
                && successor.process() >= youngest.getOrDefault(copy.node(), 0L);
    }

    /**
     * Whether the copies that were on the node before this one count for nothing, and never will again. The stored
     * record names none of them, no change of it under way does, and none is taken in any more. Only a primary knows.
     *
     * @param copy of which is known here that it takes their place
     */
    public boolean areOut(CopyId copy) {
        Successor successor = successors.get(copy.node());
        return role == Role.PRIMARY
                && successor != null
                && successor.life() >= copy.life()
                && possiblyInSync().stream().noneMatch(old -> isBefore(old, copy));
    }

    private void caughtUp(CopyId copy) {
        if (role == Role.PRIMARY && joining.contains(copy) && proposal == null && !isHurt()) {
            PartitionRecord record = known.get();
            List<CopyId> grown = new ArrayList<>(record.inSync());
            grown.add(copy);
            grown.sort(null);
            propose(new PartitionRecord(record.epoch(), record.primary(), record.incarnation(), grown));
        }
    }

    private void orphaned(long version, long nowNanos) {
        boolean mayStand = role == Role.LEARNER && known.version() == version && proposal == null;
        if (mayStand && (!isWaiting || nowNanos - waitsUntilNanos >= 0)) {
            probes.reached("leadership: begins with what is left");
            propose(new PartitionRecord(known.get().epoch() + 1, self.copy, self.incarnation, List.of(self.copy)));
        }
    }

    private void resigned(CopyId primary, long epoch) {
        PartitionRecord record = known.record();
        if (role == Role.BACKUP
                && record != null
                && record.epoch() == epoch
                && record.primary().equals(primary)) {
            resigned = primary;
        }
    }

    private void diverged(CopyId copy) {
        joining.remove(copy);
        if (role == Role.PRIMARY) {
            lose(copy);
        }
    }

    /** Whether a copy in sync does not answer, cannot follow, or is about to end, while this one stays. */
    private boolean isHurt() {
        return known.get().inSync().stream().anyMatch(this::isToGo);
    }

    /** A copy whose process is about to end goes, but as long as it is there it confirms, and holds nothing up. */
    private boolean isToGo(CopyId copy) {
        return isUseless(copy) || (!leavesItself() && leaves(copy.node()));
    }

    private boolean isUseless(CopyId copy) {
        return !copy.equals(self.copy)
                && (suspected.contains(copy.node()) || lost.containsKey(copy) || copy.equals(resigned));
    }

    /** The copies that the stored record may name as in sync, and those that are about to join them. */
    private Set<CopyId> possiblyInSync() {
        Set<CopyId> copies = new TreeSet<>(known.get().inSync());
        copies.addAll(joining);
        Proposal open = unsettled();
        if (open != null) {
            copies.addAll(open.next().inSync());
        }
        return copies;
    }

    private void tellRequirements() {
        Set<CopyId> copies = possiblyInSync();
        LeadershipEffect.Require requirement = new LeadershipEffect.Require(copies, new TreeSet<>(joining));
        if (!requirement.equals(required)) {
            required = requirement;
            effects.add(requirement);
        }
        Proposal open = unsettled();
        boolean isCertain = open == null || !open.isDoubtful();
        boolean answers = isCertain && copies.stream().noneMatch(this::isUseless);
        int surelyInSync = open == null
                ? known.get().inSync().size()
                : Math.min(known.get().inSync().size(), open.next().inSync().size());
        LeadershipEffect.Acknowledge next =
                new LeadershipEffect.Acknowledge(answers, answers && surelyInSync >= self.minInSync);
        if (!next.equals(acknowledged)) {
            acknowledged = next;
            effects.add(next);
        }
    }

    private void act(long nowNanos) {
        isWaiting = isWaiting && nowNanos - waitsUntilNanos < 0;
        Proposal open = proposal;
        if (isWaiting || (open != null && open.isUnderWay())) {
            return;
        }
        if (open != null) {
            change(open);
            return;
        }
        switch (role) {
            case PRIMARY -> {
                if (isHurt()) {
                    PartitionRecord record = known.get();
                    propose(new PartitionRecord(
                            record.epoch(), record.primary(), record.incarnation(), remaining(record.inSync())));
                } else {
                    letGo();
                }
            }
            case BACKUP -> stand(nowNanos);
            case NONE, LEARNER -> {}
        }
    }

    /** Copies that the plan does not want any more go when those that it wants can do without them. */
    private void letGo() {
        PartitionRecord record = known.get();
        List<CopyId> kept = record.inSync().stream()
                .filter(copy -> copy.equals(self.copy) || planned.includes(copy.node()))
                .toList();
        if (planned.isComplete(record) && kept.size() < record.inSync().size()) {
            probes.reached("leadership: copy let go");
            propose(new PartitionRecord(record.epoch(), record.primary(), record.incarnation(), kept));
        }
    }

    private List<CopyId> remaining(List<CopyId> copies) {
        return copies.stream().filter(copy -> !isToGo(copy)).toList();
    }

    private List<CopyId> useful(List<CopyId> copies) {
        return copies.stream().filter(copy -> !isUseless(copy)).toList();
    }

    /** A copy in sync whose primary does not answer waits for its turn, then proposes itself. */
    private void stand(long nowNanos) {
        PartitionRecord record = known.get();
        boolean isOwnFormerTerm = record.primary().equals(self.copy) && record.incarnation() < self.incarnation;
        NodeId primary = record.primary().node();
        boolean isGone = suspected.contains(primary)
                || record.primary().equals(resigned)
                || youngest.getOrDefault(primary, 0L) > record.incarnation();
        if ((!isOwnFormerTerm && !isGone) || leavesItself()) {
            isCandidate = false;
            return;
        }
        if (!isCandidate) {
            isCandidate = true;
            candidateSinceNanos = nowNanos;
        }
        List<CopyId> candidates = staying();
        Invariants.check(candidates.contains(self.copy), "a backup stands for leadership while it is in sync");
        // The primary, if it lives, has the first word: it may take out those that do not hear it.
        long turns = isOwnFormerTerm ? 0 : 1 + candidates.indexOf(self.copy);
        if (nowNanos - candidateSinceNanos >= turns * self.candidacyNanos) {
            probes.reached("leadership: promotion");
            propose(new PartitionRecord(record.epoch() + 1, self.copy, self.incarnation, candidates));
        }
    }

    private void propose(PartitionRecord next) {
        Invariants.check(proposal == null, "a copy proposes one change of its record at a time");
        Proposal fresh = new Proposal(known, next, true, false);
        proposal = fresh;
        if (role == Role.PRIMARY) {
            tellRequirements();
        }
        change(fresh);
    }

    private void change(Proposal what) {
        Invariants.check(
                role != Role.PRIMARY
                        || required.copies().containsAll(what.next().inSync()),
                "a primary requires a copy's confirmations before the record names the copy");
        proposal = new Proposal(what.expected(), what.next(), true, what.isDoubtful());
        effects.add(new LeadershipEffect.Change(what.expected(), what.next()));
    }
}
