package dev.fulmar.coordinator.commit;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.PartitionId;
import java.util.Collection;
import java.util.TreeSet;

/** The votes on one attempt of a transaction. One thread at a time. */
public final class Ballot {
    /** The state of the votes. */
    public enum State {
        /** Votes are missing. */
        OPEN,
        /** All participants agreed. */
        CARRIED,
        /** A participant disagreed. */
        REJECTED
    }

    private final TreeSet<PartitionId> missing;
    private long highestProposal;
    private State state = State.OPEN;

    /** @param voters the participants, at least one */
    public Ballot(Collection<PartitionId> voters) {
        missing = new TreeSet<>(voters);
        Invariants.check(!missing.isEmpty(), "a ballot has voters");
    }

    /** Counts a vote; a second one of the same voter is ignored. */
    public State vote(PartitionId voter, boolean commit, long proposedTimestamp) {
        if (state != State.OPEN || !missing.remove(voter)) {
            return state;
        }
        highestProposal = Math.max(highestProposal, proposedTimestamp);
        if (!commit) {
            state = State.REJECTED;
        } else if (missing.isEmpty()) {
            state = State.CARRIED;
        }
        return state;
    }

    /** The voter has its vote back and will vote again; false if it is too late for that. */
    public boolean giveBack(PartitionId voter) {
        if (state != State.OPEN) {
            return false;
        }
        missing.add(voter);
        return true;
    }

    /** The commit timestamp: the highest that a participant proposed, hence possible everywhere. */
    public long commitTimestamp() {
        Invariants.check(state == State.CARRIED, "only a carried ballot has a commit timestamp");
        return highestProposal;
    }
}
