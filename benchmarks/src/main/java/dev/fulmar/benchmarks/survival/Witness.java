package dev.fulmar.benchmarks.survival;

import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Answers that the clients of one life of the node got. Thread-safe. */
final class Witness {
    private static final long NUMBERS_OF_A_LIFE = 1_000_000_000;
    private static final int MOST_PROBLEMS = 20;

    private final int life;
    private final AtomicLong nextNumber;
    private final Queue<Append> appends = new ConcurrentLinkedQueue<>();
    private final AtomicLongArray links;
    private final AtomicLong pulse = new AtomicLong();
    private final AtomicLong pulsesAcknowledged = new AtomicLong();
    private final AtomicLong pulsesUnknown = new AtomicLong();
    private final AtomicLong reads = new AtomicLong();
    private final Queue<String> problems = new ConcurrentLinkedQueue<>();
    private volatile long editionAcknowledged;
    private volatile long editionBegun;
    private volatile String checkpointState = "";

    Witness(int life, int chains, long edition) {
        this.life = life;
        nextNumber = new AtomicLong(firstNumber(life));
        links = new AtomicLongArray(chains + 1);
        editionAcknowledged = edition;
        editionBegun = edition;
    }

    static long firstNumber(int life) {
        return life * NUMBERS_OF_A_LIFE;
    }

    int life() {
        return life;
    }

    /** Notes that a client asks now for an append. */
    Append begin(long... chains) {
        Append append = new Append(nextNumber.getAndIncrement(), chains, editionAcknowledged);
        appends.add(append);
        return append;
    }

    /** The appends by number. */
    TreeMap<Long, Append> appends() {
        TreeMap<Long, Append> byNumber = new TreeMap<>();
        appends.forEach(append -> byNumber.put(append.number(), append));
        return byNumber;
    }

    long acknowledged() {
        return pulsesAcknowledged.get()
                + appends.stream()
                        .filter(append -> append.outcome() == Append.Outcome.ACKNOWLEDGED)
                        .count();
    }

    /** Notes an answer that the chain has so many links. */
    void sawLinks(long chain, long count) {
        links.accumulateAndGet((int) chain, count, Math::max);
    }

    long seenLinks(long chain) {
        return links.get((int) chain);
    }

    /** Notes an answer that there were so many pulses. */
    void sawPulse(long count) {
        pulse.accumulateAndGet(count, Math::max);
    }

    long seenPulse() {
        return pulse.get();
    }

    void pulseAcknowledged() {
        pulsesAcknowledged.incrementAndGet();
    }

    void pulseUnknown() {
        pulsesUnknown.incrementAndGet();
    }

    long pulsesAcknowledged() {
        return pulsesAcknowledged.get();
    }

    long pulsesUnknown() {
        return pulsesUnknown.get();
    }

    void readDone() {
        reads.incrementAndGet();
    }

    long reads() {
        return reads.get();
    }

    void editionBegins(long edition) {
        editionBegun = edition;
    }

    void editionAcknowledged(long edition) {
        editionAcknowledged = edition;
    }

    long editionBegun() {
        return editionBegun;
    }

    /** Notes the last known state of the node's checkpoints. */
    void sawCheckpoint(String state) {
        checkpointState = state;
    }

    boolean sawCheckpointUnderWay() {
        return checkpointState.equals("COLLECTING") || checkpointState.equals("WAITING_FOR_LOG");
    }

    void problem(String text) {
        if (problems.size() < MOST_PROBLEMS) {
            problems.add("life " + life + ": " + text);
        }
    }

    List<String> problems() {
        return new ArrayList<>(problems);
    }

    /** Whether a failure leaves open what became of the call; one that should not be is a problem. */
    boolean leavesOpen(FulmarException failure, String what) {
        return switch (failure.code()) {
            case OUTCOME_UNKNOWN, TIMEOUT, STORAGE_FAILURE -> true;
            case NOT_CONNECTED, NODE_STOPPING, SERVER_BUSY, TRANSACTION_RESTART, SNAPSHOT_TOO_OLD, CATALOG_CHANGED ->
                false;
            default -> {
                problem(what + " failed: " + failure.code() + " " + failure.getMessage());
                yield true;
            }
        };
    }
}
