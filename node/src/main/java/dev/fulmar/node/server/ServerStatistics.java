package dev.fulmar.node.server;

import dev.fulmar.engine.partition.counter.LatencyHistogram;
import dev.fulmar.engine.partition.counter.OwnedCounter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.memory.BudgetLease;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.ArrayList;
import java.util.List;

/** Figures of the event loops so far: one part per loop, so that none waits for another. Any thread reads. */
public final class ServerStatistics {
    /** One event loop's part; written by its thread only. */
    static final class Part {
        final OwnedCounter requests = new OwnedCounter();
        final OwnedCounter committed = new OwnedCounter();
        final OwnedCounter[] failedByCode = new OwnedCounter[ErrorCode.values().length];
        final LatencyHistogram latency = new LatencyHistogram();
        final OwnedCounter connectionsRefused = new OwnedCounter();
        final OwnedCounter malformed = new OwnedCounter();
        final OwnedCounter stalled = new OwnedCounter();

        /** Of what is under way, for this event loop. */
        final BudgetLease lease;

        /** Connections of this event loop that wait for room for a frame. */
        final AwaitedRoom awaitedRoom = new AwaitedRoom();

        Part(ByteBudget underWay) {
            lease = underWay.lease();
            for (int i = 0; i < failedByCode.length; i++) {
                failedByCode[i] = new OwnedCounter();
            }
        }
    }

    private final List<Part> parts;

    ServerStatistics(int eventLoops, ByteBudget underWay) {
        List<Part> made = new ArrayList<>();
        for (int i = 0; i < eventLoops; i++) {
            made.add(new Part(underWay));
        }
        parts = List.copyOf(made);
    }

    Part part(int eventLoop) {
        return parts.get(eventLoop);
    }

    /** Requests that came in. */
    public long requests() {
        return parts.stream().mapToLong(part -> part.requests.get()).sum();
    }

    /** Requests answered as committed. */
    public long committed() {
        return parts.stream().mapToLong(part -> part.committed.get()).sum();
    }

    /** Requests answered with the error. */
    public long failed(ErrorCode code) {
        return parts.stream()
                .mapToLong(part -> part.failedByCode[code.ordinal()].get())
                .sum();
    }

    /** Connections that were turned away for a limit. */
    public long connectionsRefused() {
        return parts.stream().mapToLong(part -> part.connectionsRefused.get()).sum();
    }

    /** Connections that were closed for what they sent. */
    public long malformed() {
        return parts.stream().mapToLong(part -> part.malformed.get()).sum();
    }

    /** Connections that were closed since they took or sent nothing for too long. */
    public long stalled() {
        return parts.stream().mapToLong(part -> part.stalled.get()).sum();
    }

    /** From the arrival of requests to their answers, a copy. */
    public LatencyHistogram latency() {
        LatencyHistogram sum = new LatencyHistogram();
        parts.forEach(part -> sum.add(part.latency));
        return sum;
    }
}
