package dev.fulmar.coordinator.replication;

import dev.fulmar.foundation.check.Invariants;
import java.util.ArrayList;
import java.util.List;

/**
 * The terms of a log, and where each begins: a term's records begin at its start and end where the next begins. Stored
 * with the log.
 *
 * @param terms ascending by epoch; starts do not descend. The oldest may have been dropped
 */
public record EpochHistory(List<Term> terms) {
    /** More terms are not kept; a copy that was away for longer is built anew. */
    public static final int MAX_TERMS = 1_024;

    /** The log of a partition that was never written. */
    public static final EpochHistory EMPTY = new EpochHistory(List.of());

    /** Nothing is known to be equal. */
    public static final long UNKNOWN = -1;

    /** A term of a primary, and the position of its first record. */
    public record Term(long epoch, long start) {}

    public EpochHistory {
        terms = List.copyOf(terms);
        if (terms.size() > MAX_TERMS) {
            throw new IllegalArgumentException(terms.size() + " terms, more than " + MAX_TERMS);
        }
        for (int i = 0; i < terms.size(); i++) {
            Term term = terms.get(i);
            boolean follows = i == 0
                    ? term.epoch > 0 && term.start >= 0
                    : term.epoch > terms.get(i - 1).epoch && term.start >= terms.get(i - 1).start;
            if (!follows) {
                throw new IllegalArgumentException("terms ascend, which " + terms + " do not");
            }
        }
    }

    /** The highest epoch; 0 before the first. */
    public long epoch() {
        return terms.isEmpty() ? 0 : terms.getLast().epoch;
    }

    /**
     * With a new term, whose first record comes at the end of the log. Terms that begin behind it are forgotten: this
     * log has none of their records.
     */
    public EpochHistory with(long epoch, long end) {
        Invariants.check(epoch > epoch(), "a new term has a higher epoch");
        List<Term> longer = new ArrayList<>(terms);
        longer.removeIf(term -> term.start > end);
        if (longer.size() == MAX_TERMS) {
            longer.removeFirst();
        }
        longer.add(new Term(epoch, end));
        return new EpochHistory(longer);
    }

    /**
     * Up to where two logs are surely equal. A copy takes part in a term only with a log that is the beginning of the
     * primary's, so a common term says that everything before it is equal too.
     *
     * @param end of the log with this history
     * @param otherEnd of the log with the other
     * @return {@link #UNKNOWN} if the histories have no term in common
     */
    public long commonEnd(long end, EpochHistory other, long otherEnd) {
        if (end == 0 || otherEnd == 0) {
            return 0;
        }
        int mine = terms.size() - 1;
        int theirs = other.terms.size() - 1;
        while (mine >= 0 && theirs >= 0) {
            Term term = terms.get(mine);
            Term otherTerm = other.terms.get(theirs);
            if (term.equals(otherTerm)) {
                return Math.min(endOf(mine, end), other.endOf(theirs, otherEnd));
            }
            if (term.epoch >= otherTerm.epoch) {
                mine--;
            } else {
                theirs--;
            }
        }
        return UNKNOWN;
    }

    /** Epoch of the last term that begins at the position, whose first record is there therefore; 0 if none does. */
    public long beganAt(long position) {
        long epoch = 0;
        for (Term term : terms) {
            epoch = term.start == position ? term.epoch : epoch;
        }
        return epoch;
    }

    private long endOf(int index, long end) {
        return index + 1 < terms.size() ? Math.min(terms.get(index + 1).start, end) : end;
    }
}
