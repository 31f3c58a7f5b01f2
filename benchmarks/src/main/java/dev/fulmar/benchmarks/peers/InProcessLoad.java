package dev.fulmar.benchmarks.peers;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.data.ParameterWriter;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** TPC-C-lite put straight into a database of this process: one thread draws requests, the sites answer them. */
public final class InProcessLoad implements ResponseSink {
    private static final int IN_FLIGHT = 512;
    private static final int PERMITS_AT_ONCE = 32;
    private static final int MAX_PARAMETERS = 1024;

    private final Database database;
    private final TpccLiteDraw draw;
    private final Semaphore free = new Semaphore(IN_FLIGHT);
    private final AtomicLong committed = new AtomicLong();
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private int answered;

    public InProcessLoad(Database database, long seed) {
        this.database = database;
        draw = new TpccLiteDraw(new SplittableRandom(seed));
    }

    /** Runs for the seconds; returns committed transactions per second. */
    public double run(int seconds) throws InterruptedException {
        ParameterWriter writer = new ParameterWriter(MAX_PARAMETERS, Integer.MAX_VALUE);
        long startNanos = System.nanoTime();
        long endNanos = startNanos + seconds * 1_000_000_000L;
        while (System.nanoTime() < endNanos) {
            free.acquire(PERMITS_AT_ONCE);
            for (int i = 0; i < PERMITS_AT_ONCE; i++) {
                draw.next();
                database.submit(new TransactionRequest.Call(0, 0, 0, draw.procedure(), draw.parameters(writer)), this);
            }
        }
        free.acquire(IN_FLIGHT);
        double rate = committed.get() / ((System.nanoTime() - startNanos) / 1e9);
        String problem = failure.get();
        if (problem != null) {
            throw new IllegalStateException("a request failed: " + problem);
        }
        return rate;
    }

    /** On the one site's thread. */
    @Override
    public void respond(TransactionRequest request, TransactionResponse response) {
        switch (response) {
            case TransactionResponse.Committed _ -> committed.lazySet(committed.get() + 1);
            case TransactionResponse.Failed failed -> failure.compareAndSet(null, failed.message());
        }
        if (++answered % PERMITS_AT_ONCE == 0) {
            free.release(PERMITS_AT_ONCE);
        }
    }
}
