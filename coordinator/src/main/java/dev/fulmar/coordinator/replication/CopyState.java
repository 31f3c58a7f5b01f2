package dev.fulmar.coordinator.replication;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.foundation.check.Invariants;

/**
 * A copy's epoch, terms and log positions at one moment: the state with which it begins as primary or backup.
 *
 * @param epoch the highest that the copy has heard of and stored; at least that of the history
 * @param end of its log, exclusive: positions count from 0
 * @param durableEnd up to which the log is as durable as the database asks
 * @param releasedEnd up to which it is known here that all copies in sync have it, so that no log that counts is
 *     shorter
 * @param imageEnd up to where it is an image of another copy, of which nothing can be taken back, whether all copies in
 *     sync have it or not
 */
public record CopyState(
        CopyId copy, long epoch, EpochHistory history, long end, long durableEnd, long releasedEnd, long imageEnd) {
    public CopyState {
        Invariants.check(epoch >= history.epoch(), "a copy has stored the epoch of its last term");
        Invariants.check(
                0 <= releasedEnd && releasedEnd <= end && 0 <= durableEnd && durableEnd <= end,
                "nothing is durable or released that is not in the log");
        Invariants.check(0 <= imageEnd && imageEnd <= end, "a log goes on behind the image");
    }

    /** A copy whose log has all that it ever got. */
    public CopyState(CopyId copy, long epoch, EpochHistory history, long end, long durableEnd, long releasedEnd) {
        this(copy, epoch, history, end, durableEnd, releasedEnd, 0);
    }

    /** The same copy with more in its log. */
    public CopyState grownTo(long newEnd) {
        Invariants.check(newEnd >= end, "a log grows in the term of its primary");
        return new CopyState(copy, epoch, history, newEnd, durableEnd, releasedEnd, imageEnd);
    }

    /** A copy that holds nothing. */
    public static CopyState empty(CopyId copy) {
        return new CopyState(copy, 0, EpochHistory.EMPTY, 0, 0, 0);
    }
}
