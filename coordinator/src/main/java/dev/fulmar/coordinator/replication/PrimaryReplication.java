package dev.fulmar.coordinator.replication;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** State machine of a primary: a copy that leads in one term. One thread at a time. */
public final class PrimaryReplication {
    private final Limits limits;
    private final ReadableLog log;
    private final CopyId copy;
    private final long epoch;
    private final EpochHistory history;

    /** End of earlier terms' log: any of it may have been acknowledged, however little of that was heard of here. */
    private final long inheritedEnd;

    private final long imageEnd;

    private final Map<CopyId, Follower> followers = new TreeMap<>();
    private final Set<NodeId> others = new TreeSet<>();
    private final Deque<Closed> unsafe = new ArrayDeque<>();
    private List<ReplicationEffect> effects = new ArrayList<>();
    private boolean begun;
    private boolean stored;
    private long end;
    private long durableEnd;

    /** Number of the last closed group, and up to where it went. */
    private long closedNumber;

    private long closedEnd;
    private long safeNumber;
    private long safeEnd;
    private Set<CopyId> required;
    private Set<CopyId> joining = Set.of();
    private boolean acknowledgesReads;
    private boolean acknowledgesWrites;

    /**
     * How much is under way.
     *
     * @param maxRecords of one message to a copy that is behind
     * @param maxMessages to a copy that it has not confirmed
     * @param nearRecords with no more missing, a copy may be asked for its confirmations
     * @param retryNanos without progress after which a copy is sent everything that it has not confirmed
     */
    public record Limits(long maxRecords, int maxMessages, long nearRecords, long retryNanos) {}

    /** A group: a number, and the end of the log when it was closed. */
    private record Closed(long number, long end, boolean hasWrites) {}

    /** A message, by what its confirmation will say. */
    private record Shipped(long number, long end) {}

    private static final class Follower {
        /** End of its log when it joined. */
        private long joinedEnd;

        private long shippedEnd;
        private long shippedNumber;
        private long confirmedEnd;
        private long confirmedNumber;
        private long progressNanos;

        /** Whether the records that it needs cannot be sent any more. */
        private boolean isBehind;

        private final Deque<Shipped> underWay = new ArrayDeque<>();
    }

    /**
     * @param newEpoch of the term, higher than any that the copy has heard of
     * @param log where the records are
     */
    public PrimaryReplication(CopyState state, long newEpoch, Limits limits, ReadableLog log) {
        Invariants.check(newEpoch > state.epoch(), "a term has a new epoch");
        this.limits = limits;
        this.log = log;
        this.copy = state.copy();
        this.epoch = newEpoch;
        this.history = state.history().with(newEpoch, state.end());
        this.end = state.end();
        this.inheritedEnd = state.end();
        this.imageEnd = state.imageEnd();
        this.durableEnd = state.durableEnd();
        this.closedEnd = state.end();
        this.safeEnd = state.releasedEnd();
        this.required = Set.of(copy);
    }

    /** State of the copy, once its term is stored. */
    public CopyState state() {
        return new CopyState(copy, epoch, history, end, durableEnd, safeEnd, imageEnd);
    }

    /** Begins the term: nothing may be executed before it is stored. */
    public List<ReplicationEffect> begin() {
        Invariants.check(!begun, "a primary begins its term once");
        begun = true;
        return List.of(new ReplicationEffect.StoreTerm(epoch, history));
    }

    /** The term is durable. */
    public List<ReplicationEffect> termStored() {
        Invariants.check(!stored, "a primary's term is stored once");
        stored = true;
        if (end > safeEnd) {
            // What earlier terms left is safe only once it is on all copies in sync.
            unsafe.add(new Closed(++closedNumber, end, true));
        }
        announce();
        return due();
    }

    private List<ReplicationEffect> due() {
        List<ReplicationEffect> result = effects;
        effects = new ArrayList<>();
        return result;
    }

    /** The nodes that have, or are to have, a copy. */
    public List<ReplicationEffect> others(Set<NodeId> nodes) {
        others.clear();
        others.addAll(nodes);
        others.remove(copy.node());
        followers.keySet().removeIf(follower -> !others.contains(follower.node()));
        announce();
        return due();
    }

    private void announce() {
        if (stored) {
            Set<NodeId> silent = new TreeSet<>(others);
            followers.keySet().forEach(follower -> silent.remove(follower.node()));
            silent.forEach(this::announceTo);
        }
    }

    private void announceTo(NodeId node) {
        effects.add(new ReplicationEffect.Send(node, new ReplicationMessage.TermBegun(epoch, history, end)));
    }

    /**
     * The copies whose confirmations count from now on.
     *
     * @param newcomers those of them that are not in sync, of which is told when they have caught up
     */
    public List<ReplicationEffect> require(Set<CopyId> copies, Set<CopyId> newcomers) {
        Invariants.check(copies.contains(copy), "a primary requires its own log");
        Invariants.check(copies.containsAll(newcomers), "a primary requires the copies that are about to join");
        required = new TreeSet<>(copies);
        joining = new TreeSet<>(newcomers);
        advance();
        followers.forEach(this::tellIfCaughtUp);
        return due();
    }

    /** Whether anything may become safe, and whether groups with writes may. */
    public List<ReplicationEffect> acknowledge(boolean reads, boolean writes) {
        acknowledgesReads = reads;
        acknowledgesWrites = writes;
        advance();
        return due();
    }

    /**
     * The number that {@link ReplicationEffect.Safe} must reach before a reply may go that tells of what was executed
     * up to now.
     */
    public long ticket() {
        return closedNumber + 1;
    }

    /** Records have been executed and logged up to the position. */
    public void appended(long position) {
        Invariants.check(stored && position >= end, "a log grows, within a stored term");
        end = position;
    }

    /** The own log is durable up to the position. */
    public List<ReplicationEffect> durable(long position) {
        Invariants.check(position <= end, "nothing is durable that is not in the log");
        durableEnd = Math.max(durableEnd, position);
        advance();
        return due();
    }

    /** Whether a copy follows whose confirmations do not count yet: only what it confirms lets it come nearer. */
    public boolean hasNewcomers() {
        return !required.containsAll(followers.keySet());
    }

    /** Whether all copies in sync have the log up to the position. */
    boolean hasSafe(long position) {
        return position <= safeEnd;
    }

    /** Whether all copies that are to be there follow, and have confirmed all that was sent. */
    public boolean isCalm() {
        return unsafe.isEmpty()
                && followers.size() == others.size()
                && !hasNewcomers()
                && followers.values().stream().allMatch(follower -> follower.underWay.isEmpty());
    }

    /** Closes a group, an empty one too, and ships it. */
    public List<ReplicationEffect> close(long nowNanos) {
        Invariants.check(stored, "a group belongs to a stored term");
        closedNumber++;
        unsafe.add(new Closed(closedNumber, end, end > closedEnd));
        closedEnd = end;
        followers.forEach((follower, progress) -> ship(follower, progress, nowNanos));
        loseThoseBehind();
        advance();
        return due();
    }

    private void ship(CopyId to, Follower follower, long nowNanos) {
        while (follower.underWay.size() < limits.maxMessages()
                && (follower.shippedEnd < closedEnd || follower.shippedNumber < closedNumber)) {
            long begin = follower.shippedEnd;
            long shipEnd =
                    begin == closedEnd ? begin : log.reach(begin, Math.min(closedEnd, begin + limits.maxRecords()));
            if (shipEnd == ReadableLog.GONE) {
                follower.isBehind = true;
                effects.add(new ReplicationEffect.Send(to.node(), new ReplicationMessage.Behind(epoch)));
                return;
            }
            if (Invariants.EXPENSIVE) {
                Invariants.check(
                        shipEnd > begin || begin == closedEnd, "a primary's log reaches behind where a backup stands");
                Invariants.check(shipEnd <= closedEnd, "a primary ships closed groups only");
            }
            if (follower.underWay.isEmpty()) {
                follower.progressNanos = nowNanos;
            }
            follower.shippedEnd = shipEnd;
            follower.shippedNumber = numberCovered(shipEnd);
            follower.underWay.add(new Shipped(follower.shippedNumber, shipEnd));
            effects.add(new ReplicationEffect.Send(
                    to.node(), new ReplicationMessage.Group(epoch, follower.shippedNumber, begin, shipEnd, safeEnd)));
        }
    }

    /** The last closed group that a log up to the position has. */
    private long numberCovered(long position) {
        if (position == closedEnd) {
            return closedNumber;
        }
        long number = position >= safeEnd ? safeNumber : 0;
        for (Closed group : unsafe) {
            if (group.end <= position) {
                number = group.number;
            }
        }
        return number;
    }

    /** Takes a message that is meant for a primary. */
    public List<ReplicationEffect> received(ReplicationMessage message, long nowNanos) {
        if (message.epoch() > epoch) {
            effects.add(new ReplicationEffect.Outdated(message.epoch()));
        } else if (message.epoch() == epoch) {
            switch (message) {
                case ReplicationMessage.Joined joined -> joined(joined, nowNanos);
                case ReplicationMessage.Confirmed confirmed -> confirmed(confirmed, nowNanos);
                case ReplicationMessage.Diverged diverged -> diverged(diverged);
                case ReplicationMessage.AwaitsTerm awaits ->
                    announceTo(awaits.copy().node());
                case ReplicationMessage.ClockWanted wanted -> {
                    if (required.contains(wanted.copy())) {
                        effects.add(new ReplicationEffect.ClockWanted(wanted.copy(), wanted.timestamp()));
                    }
                }
                case ReplicationMessage.TermBegun _,
                        ReplicationMessage.Group _,
                        ReplicationMessage.Behind _,
                        ReplicationMessage.Replaces _,
                        ReplicationMessage.ClockPassed _,
                        ReplicationMessage.Outdated _ -> {}
            }
        }
        loseThoseBehind();
        return due();
    }

    private void joined(ReplicationMessage.Joined joined, long nowNanos) {
        CopyId from = joined.copy();
        if (!others.contains(from.node()) || joined.position() > end) {
            return;
        }
        Follower known = followers.get(from);
        if (known != null && joined.position() < known.confirmedEnd) {
            // It has not what it confirmed, and does not know: it would follow under a life that may not join.
            effects.add(new ReplicationEffect.Send(from.node(), new ReplicationMessage.Behind(epoch)));
            lose(from);
            return;
        }
        followers.keySet().removeIf(other -> other.node().equals(from.node()) && other.life() < from.life());
        Follower follower = known == null ? new Follower() : known;
        follower.joinedEnd = joined.position();
        follower.shippedEnd = joined.position();
        follower.shippedNumber = 0;
        follower.underWay.clear();
        follower.progressNanos = nowNanos;
        followers.put(from, follower);
        ship(from, follower, nowNanos);
    }

    private void confirmed(ReplicationMessage.Confirmed confirmed, long nowNanos) {
        CopyId from = confirmed.copy();
        Follower follower = followers.get(from);
        if (follower == null && others.contains(from.node())) {
            // What it said when it joined was lost, while one that was there before it still seems to follow.
            announceTo(from.node());
        }
        if (follower == null || confirmed.end() > end || confirmed.number() > closedNumber) {
            return;
        }
        follower.confirmedEnd = Math.max(follower.confirmedEnd, confirmed.end());
        follower.confirmedNumber = Math.max(follower.confirmedNumber, confirmed.number());
        follower.shippedEnd = Math.max(follower.shippedEnd, follower.confirmedEnd);
        follower.underWay.removeIf(
                shipped -> shipped.number <= follower.confirmedNumber && shipped.end <= follower.confirmedEnd);
        follower.progressNanos = nowNanos;
        advance();
        if (!required.contains(from) && end - follower.confirmedEnd <= limits.nearRecords()) {
            effects.add(new ReplicationEffect.Approached(from));
        }
        tellIfCaughtUp(from, follower);
        ship(from, follower, nowNanos);
    }

    private void tellIfCaughtUp(CopyId other, Follower follower) {
        if (joining.contains(other) && follower.confirmedEnd >= Math.max(safeEnd, inheritedEnd)) {
            effects.add(new ReplicationEffect.CaughtUp(other));
        }
    }

    private void diverged(ReplicationMessage.Diverged diverged) {
        if (diverged.sequence() > 0 && followers.containsKey(diverged.copy())) {
            effects.add(new ReplicationEffect.Different(diverged.sequence()));
        }
        lose(diverged.copy());
    }

    private void lose(CopyId other) {
        followers.remove(other);
        effects.add(new ReplicationEffect.Lost(other));
    }

    private void loseThoseBehind() {
        List<CopyId> behind = new ArrayList<>();
        followers.forEach((other, follower) -> {
            if (follower.isBehind) {
                behind.add(other);
            }
        });
        behind.forEach(this::lose);
    }

    private void advance() {
        long before = safeNumber;
        while (!unsafe.isEmpty() && isSafe(unsafe.getFirst())) {
            Closed group = unsafe.removeFirst();
            safeNumber = group.number;
            safeEnd = group.end;
        }
        if (safeNumber > before) {
            effects.add(new ReplicationEffect.Safe(safeNumber, safeEnd));
            effects.add(new ReplicationEffect.Release(safeEnd));
        }
        if (Invariants.EXPENSIVE) {
            checkGroups();
            checkFollowers();
        }
    }

    private void checkGroups() {
        Invariants.check(safeEnd <= end && closedEnd <= end, "a primary has in its log what is safe or closed");
        long number = safeNumber;
        long groupEnd = safeEnd;
        for (Closed group : unsafe) {
            Invariants.check(
                    group.number > number && group.end >= groupEnd, "a primary's groups become safe in their order");
            number = group.number;
            groupEnd = group.end;
        }
        Invariants.check(number <= closedNumber, "a primary waits for closed groups only");
    }

    private void checkFollowers() {
        for (Follower follower : followers.values()) {
            Invariants.check(
                    follower.confirmedEnd <= follower.shippedEnd && follower.shippedEnd <= end,
                    "a backup confirms what it was sent, which its primary has");
            Invariants.check(
                    follower.confirmedNumber <= closedNumber, "a backup confirms groups that its primary has closed");
        }
    }

    private boolean isSafe(Closed group) {
        if (!acknowledgesReads || (group.hasWrites && !acknowledgesWrites) || durableEnd < group.end) {
            return false;
        }
        for (CopyId other : required) {
            if (!other.equals(copy)) {
                Follower follower = followers.get(other);
                if (follower == null || follower.confirmedNumber < group.number) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Repeats what seems to be lost: the beginning of the term, and groups without progress. To be called now and then.
     */
    public List<ReplicationEffect> timePassed(long nowNanos) {
        announce();
        // What was said before may have met another change of the record; where nothing is written nobody would say it
        // again.
        followers.forEach(this::tellIfCaughtUp);
        followers.forEach((other, follower) -> {
            if (!follower.underWay.isEmpty() && nowNanos - follower.progressNanos >= limits.retryNanos()) {
                follower.shippedEnd = Math.max(follower.confirmedEnd, follower.joinedEnd);
                follower.shippedNumber = follower.confirmedNumber;
                follower.underWay.clear();
                ship(other, follower, nowNanos);
            }
        });
        loseThoseBehind();
        return due();
    }
}
