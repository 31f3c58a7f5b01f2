package dev.fulmar.coordinator.replication;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * State machine of a backup: a copy that follows its primary's log. One thread at a time.
 *
 * <p>Released records are durable here. A primary says how far all copies in sync have the log, and a copy that is not
 * one of them, or does not know that it is not any more, may hear that before its own log has it: used then, it could
 * be lost with the next crash, and what was built on it not.
 */
public final class BackupReplication {
    private final CopyId copy;
    private EpochHistory history;
    private long epoch;
    private long end;
    private long durableEnd;

    /** Before the last roll-back, which may turn out to be impossible. */
    private long endBefore;

    private EpochHistory historyBefore;
    private final long imageEnd;

    /** Up to where it is known that all copies in sync have the log. */
    private long safeEnd;

    private long releasedEnd;
    private NodeId primary;

    /** The record that gave another result, 0 if none did. */
    private long divergedAt;

    /** A group came that cannot be applied yet, and the primary is not asked for it before it can. */
    private boolean isUnready;

    private Standing standing = Standing.WAITING;
    private final Deque<Unconfirmed> unconfirmed = new ArrayDeque<>();
    private List<ReplicationEffect> effects = new ArrayList<>();

    private enum Standing {
        /** For a primary to speak. */
        WAITING,
        /** For the new term to be stored. */
        STORING,
        JOINED,
        /** Cannot follow until it is built anew. */
        LOST
    }

    /** Whether it follows a primary, and nothing waits until it is durable or can be applied. */
    boolean hasJoined() {
        return standing == Standing.JOINED && unconfirmed.isEmpty() && !isUnready();
    }

    /** A group that has been applied, to be confirmed when it is durable. */
    private record Unconfirmed(long number, long end) {}

    public BackupReplication(CopyState state) {
        copy = state.copy();
        history = state.history();
        historyBefore = history;
        epoch = state.epoch();
        end = state.end();
        durableEnd = state.durableEnd();
        safeEnd = state.releasedEnd();
        releasedEnd = Math.min(safeEnd, durableEnd);
        imageEnd = state.imageEnd();
        primary = copy.node();
    }

    /** State of the copy once everything is stored that it was told to store. */
    public CopyState state() {
        return new CopyState(copy, epoch, history, end, durableEnd, safeEnd, imageEnd);
    }

    /** The highest that it has heard of. */
    long epoch() {
        return epoch;
    }

    /**
     * Takes a message that is meant for a copy. The records of a group are with the caller, who applies them if told
     * to.
     */
    public List<ReplicationEffect> received(NodeId from, ReplicationMessage message) {
        if (standing == Standing.LOST) {
            return List.of();
        }
        if (message.epoch() < epoch) {
            return List.of(new ReplicationEffect.Send(from, new ReplicationMessage.Outdated(epoch)));
        }
        switch (message) {
            case ReplicationMessage.TermBegun begun -> termBegun(from, begun);
            case ReplicationMessage.Group group -> group(from, group);
            case ReplicationMessage.Behind _ -> {
                if (standing == Standing.JOINED && message.epoch() == epoch) {
                    lose();
                }
            }
            case ReplicationMessage.ClockPassed passed -> {
                if (standing == Standing.JOINED && passed.epoch() == epoch && passed.end() <= end) {
                    effects.add(new ReplicationEffect.ClockPassed(passed.timestamp()));
                }
            }
            case ReplicationMessage.Joined _,
                    ReplicationMessage.Confirmed _,
                    ReplicationMessage.Diverged _,
                    ReplicationMessage.AwaitsTerm _,
                    ReplicationMessage.Replaces _,
                    ReplicationMessage.ClockWanted _,
                    ReplicationMessage.Outdated _ -> {}
        }
        return due();
    }

    private List<ReplicationEffect> due() {
        if (Invariants.EXPENSIVE) {
            checkEnds();
        }
        List<ReplicationEffect> result = effects;
        effects = new ArrayList<>();
        return result;
    }

    private void checkEnds() {
        Invariants.check(
                releasedEnd <= safeEnd && releasedEnd <= durableEnd,
                "a backup releases what is safe, and durable here");
        Invariants.check(safeEnd <= end && durableEnd <= end, "a backup has in its log what is safe or durable");
        for (Unconfirmed group : unconfirmed) {
            Invariants.check(
                    standing != Standing.JOINED || group.end <= end, "a backup confirms groups that are in its log");
        }
    }

    private void termBegun(NodeId from, ReplicationMessage.TermBegun begun) {
        if (begun.epoch() == epoch && standing != Standing.WAITING) {
            if (standing == Standing.JOINED) {
                sayWhereItIs();
            }
            return;
        }
        primary = from;
        isUnready = false;
        epoch = begun.epoch();
        unconfirmed.clear();
        long common = history.commonEnd(end, begun.history(), begun.end());
        if (common == EpochHistory.UNKNOWN || common < safeEnd || common < imageEnd) {
            lose();
            return;
        }
        standing = Standing.STORING;
        endBefore = end;
        historyBefore = history;
        end = common;
        durableEnd = Math.min(durableEnd, common);
        effects.add(new ReplicationEffect.RollBack(common));
        history = begun.history();
        effects.add(new ReplicationEffect.StoreTerm(epoch, history));
    }

    /**
     * Asks the primary for its term, if it has not begun here. A primary that has nothing to send does not notice by
     * itself that a copy began anew. A copy that must be built anew says so for as long as it counts. To be called now
     * and then.
     *
     * @param counts whether the copy is in sync as far as is known
     */
    public List<ReplicationEffect> timePassed(NodeId leader, boolean counts) {
        boolean isAsked = epoch > 0 && !leader.equals(copy.node());
        if (isAsked && standing == Standing.WAITING) {
            effects.add(new ReplicationEffect.Send(leader, new ReplicationMessage.AwaitsTerm(epoch, copy)));
        } else if (isAsked && standing == Standing.LOST && counts) {
            effects.add(new ReplicationEffect.Send(leader, new ReplicationMessage.Diverged(epoch, copy, divergedAt)));
        }
        return due();
    }

    private void lose() {
        standing = Standing.LOST;
        effects.add(new ReplicationEffect.Rebuild(epoch));
    }

    /** Marks the copy as damaged. */
    public List<ReplicationEffect> broke() {
        effects.clear();
        if (standing != Standing.LOST) {
            lose();
        }
        return due();
    }

    /** It cannot go back so far as it was told to, and has what it had. */
    public List<ReplicationEffect> unable() {
        Invariants.check(standing == Standing.STORING, "a backup goes back only at the beginning of a term");
        effects.clear();
        end = endBefore;
        history = historyBefore;
        lose();
        return due();
    }

    /** There is a primary of this epoch, as the cluster's state says: older ones are not listened to any more. */
    public void heardOf(long newEpoch) {
        if (newEpoch > epoch) {
            epoch = newEpoch;
            unconfirmed.clear();
            standing = standing == Standing.LOST ? standing : Standing.WAITING;
        }
    }

    /** The term is durable, with the roll-back before it. */
    public List<ReplicationEffect> termStored(long storedEpoch) {
        if (standing == Standing.STORING && storedEpoch == epoch) {
            standing = Standing.JOINED;
            sayWhereItIs();
        }
        return due();
    }

    private void sayWhereItIs() {
        effects.add(new ReplicationEffect.Send(primary, new ReplicationMessage.Joined(epoch, copy, end)));
    }

    private void group(NodeId from, ReplicationMessage.Group group) {
        if (standing == Standing.WAITING || group.epoch() != epoch) {
            effects.add(new ReplicationEffect.Send(from, new ReplicationMessage.AwaitsTerm(group.epoch(), copy)));
            return;
        }
        if (standing == Standing.STORING) {
            return;
        }
        if (group.begin() > end) {
            if (!isUnready) {
                sayWhereItIs();
            }
            return;
        }
        if (group.end() > end) {
            isUnready = false;
            effects.add(new ReplicationEffect.Apply(end, group.end()));
            end = group.end();
        }
        unconfirmed.add(new Unconfirmed(group.number(), group.end()));
        safeEnd = Math.max(safeEnd, Math.min(group.safeEnd(), end));
        release();
        confirm();
    }

    private void release() {
        long releasable = Math.min(safeEnd, durableEnd);
        if (releasable > releasedEnd) {
            releasedEnd = releasable;
            effects.add(new ReplicationEffect.Release(releasable));
        }
    }

    /**
     * A group of the epoch came that cannot be applied yet. Those behind it are no reason to ask for it: all of them
     * would come again, as fast as the network carries them, and not be applied again.
     */
    void unready(long groupEpoch) {
        isUnready |= standing == Standing.JOINED && groupEpoch == epoch;
    }

    /**
     * End of the log that always counts, for a copy that has joined the same term; 0 for one of another term. Logs of
     * copies of one term are parts of the same one.
     */
    long settledEnd(long askedEpoch) {
        return standing == Standing.JOINED && askedEpoch == epoch ? safeEnd : 0;
    }

    boolean isUnready() {
        return isUnready;
    }

    /** Asks the primary again for records that could not be applied when they came, and can be now. */
    List<ReplicationEffect> ready() {
        if (isUnready && standing == Standing.JOINED) {
            isUnready = false;
            sayWhereItIs();
        }
        return due();
    }

    /** The log is durable up to the position; what is applied later than a roll-back counts from there. */
    public List<ReplicationEffect> durable(long position) {
        Invariants.check(position <= end, "nothing is durable that is not in the log");
        durableEnd = Math.max(durableEnd, position);
        if (standing != Standing.LOST) {
            release(); // whoever leads: what counts always counts
        }
        if (standing == Standing.JOINED) {
            confirm();
        }
        return due();
    }

    private void confirm() {
        long number = -1;
        while (!unconfirmed.isEmpty() && unconfirmed.getFirst().end <= durableEnd) {
            number = Math.max(number, unconfirmed.removeFirst().number);
        }
        if (number >= 0) {
            effects.add(new ReplicationEffect.Send(
                    primary, new ReplicationMessage.Confirmed(epoch, copy, number, durableEnd)));
        }
    }

    /**
     * Gives the copy up: the next record is of an earlier version of the catalog than its tables, and the log ends
     * before it.
     */
    public List<ReplicationEffect> ahead(long logEnd) {
        return lost(logEnd, 0);
    }

    /** The record gave another result here than at the primary; the log ends before it. */
    public List<ReplicationEffect> diverged(long sequence) {
        return lost(sequence - 1, sequence);
    }

    private List<ReplicationEffect> lost(long logEnd, long differentSequence) {
        Invariants.check(
                standing == Standing.JOINED && logEnd < end, "a backup that has joined finds a record that differs");
        standing = Standing.LOST;
        divergedAt = differentSequence;
        end = logEnd;
        safeEnd = Math.min(safeEnd, logEnd);
        return List.of(
                new ReplicationEffect.Send(primary, new ReplicationMessage.Diverged(epoch, copy, differentSequence)),
                new ReplicationEffect.Rebuild(epoch));
    }
}
