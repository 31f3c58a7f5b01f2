package dev.fulmar.benchmarks.cluster;

import dev.fulmar.benchmarks.pairs.PairsWorkload;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Source of requests that each update two rows with the same partitioning key, the part, drawn from a range of parts.
 */
final class PairSource implements RequestSource {
    /** Places of rows in each part. */
    static final int PLACES = 100;

    static final String NEW_VALUE = "v".repeat(100);

    private final int firstPart;
    private final int parts;
    private final UnaryOperator<FulmarClient> route;
    private final RandomGenerator random;
    private final LongAdder committed;

    /**
     * @param route chooses the client of a request, given the usual one
     * @param committed is told of each commit
     */
    PairSource(
            int firstPart, int parts, UnaryOperator<FulmarClient> route, RandomGenerator random, LongAdder committed) {
        this.firstPart = firstPart;
        this.parts = parts;
        this.route = route;
        this.random = random;
        this.committed = committed;
    }

    /** Over the whole table, wherever the client sends it. */
    static PairSource anywhere(RandomGenerator random, LongAdder committed) {
        return new PairSource(1, PairsWorkload.PARTS, usual -> usual, random, committed);
    }

    @Override
    public CompletableFuture<CallResult> send(FulmarClient usual) {
        int part = firstPart + random.nextInt(parts);
        int place = random.nextInt(PLACES);
        int otherPlace = (place + 1 + random.nextInt(PLACES - 1)) % PLACES;
        return route.apply(usual).callAsync("UpdateTogether", part, place + 1, part, otherPlace + 1, NEW_VALUE);
    }

    @Override
    public void committed(CallResult result) {
        if (result.longValue() != 2) {
            throw new IllegalStateException("an update of two rows changed " + result.longValue());
        }
        committed.increment();
    }
}
