package dev.fulmar.coordinator.replication;

import dev.fulmar.coordinator.membership.CopyId;
import java.util.ArrayList;
import java.util.List;

/** What outlives a process: a log of numbers, of which a power failure takes what is not durable, and the terms. */
final class StoredCopy {
    private final CopyId copy;
    private final List<Long> log = new ArrayList<>();
    private int durableLength;
    private long epoch;
    private EpochHistory history = EpochHistory.EMPTY;

    StoredCopy(CopyId copy) {
        this.copy = copy;
    }

    CopyId copy() {
        return copy;
    }

    List<Long> log() {
        return log;
    }

    long epoch() {
        return epoch;
    }

    void append(long entry) {
        log.add(entry);
    }

    void makeDurable(int length) {
        durableLength = Math.max(durableLength, Math.min(length, log.size()));
    }

    void rollBack(long to) {
        cutTo((int) to);
    }

    void store(long newEpoch, EpochHistory newHistory) {
        epoch = newEpoch;
        history = newHistory;
    }

    void losePower() {
        cutTo(durableLength);
    }

    private void cutTo(int length) {
        log.subList(length, log.size()).clear();
        durableLength = Math.min(durableLength, length);
    }

    /** A process that starts cannot go back further than it must: nothing is known to be released but the beginning. */
    CopyState state() {
        return new CopyState(copy, epoch, history, log.size(), durableLength, 0);
    }
}
