package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.ConnectionSettings;
import dev.fulmar.coordinator.request.PassingSink;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes requests for partitions that other nodes lead on to these. Nodes begin to use a partition plan at different
 * moments, so a node may refuse what is passed on by a newer plan than its own, or what has waited there for a
 * hand-off. Such a request is routed again for a short time, under its handle. A request of another node is not: it
 * travels once, and that node routes it again. Thread-safe.
 */
public final class RequestPassing {
    /** Longer than nodes differ in their plans, unless one is cut off. */
    private static final long PATIENCE_NANOS = 1_000_000_000;

    private static final long LEAST_PAUSE_NANOS = 2_000_000;

    private final PartitionHomes homes;
    private final CancelledRequests cancelled;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Consumer<IncomingRequest> again;

    private final AtomicLong lastNumber = new AtomicLong();

    /** Those that wait for another node's answer, in the order in which they were passed on. */
    private final NavigableMap<Long, Passed> open = new ConcurrentSkipListMap<>();

    /** @param again routes a request by the plan that counts then */
    public RequestPassing(
            PartitionHomes homes,
            CancelledRequests cancelled,
            Clock clock,
            Scheduler scheduler,
            Consumer<IncomingRequest> again) {
        this.homes = homes;
        this.cancelled = cancelled;
        this.clock = clock;
        this.scheduler = scheduler;
        this.again = again;
    }

    /** Passes the request on to the node that leads the partition; it is answered in every case. */
    public void pass(int partition, IncomingRequest incoming) {
        boolean isRepeatable =
                incoming.request().clientId() != 0 && !incoming.sink().isOfNode();
        if (!isRepeatable) {
            homes.pass(partition, incoming.request(), incoming.sink());
            return;
        }
        long number = lastNumber.incrementAndGet();
        Passed passed = new Passed(number, incoming);
        open.put(number, passed);
        homes.pass(partition, incoming.request(), passed);
        passed.isOnItsWay = true;
    }

    /** The client of the sink is gone. */
    public void departed(ResponseSink sink) {
        open.values().stream().filter(passed -> passed.isOf(sink)).forEach(homes::departed);
    }

    /** Takes another node's answer. */
    private final class Passed extends PassingSink<TransactionRequest> {
        private final long number;
        private final IncomingRequest incoming;

        /** Before, an answer is this node's own: it reaches no other node, and its client has to find one. */
        private volatile boolean isOnItsWay;

        Passed(long number, IncomingRequest incoming) {
            super(incoming.request(), incoming.sink());
            this.number = number;
            this.incoming = incoming;
        }

        @Override
        public @Nullable ConnectionSettings settings() {
            return sink.settings();
        }

        @Override
        public void respond(TransactionRequest asked, TransactionResponse response) {
            open.remove(number);
            long waitedNanos = clock.monotonicNanos() - incoming.nanos();
            boolean isElsewhere = response instanceof Failed failed && failed.code() == ErrorCode.WRONG_NODE;
            if (isElsewhere && isOnItsWay && waitedNanos < PATIENCE_NANOS && !isGone()) {
                scheduler.schedule(Math.max(LEAST_PAUSE_NANOS, waitedNanos / 2), this::routeAnew);
            } else {
                sink.respond(asked, response);
            }
        }

        /** No node had the request when a cancel came meanwhile. */
        private void routeAnew() {
            if (cancelled.has(incoming.request())) {
                sink.respond(incoming.request(), Answers.failed(CancelledRequests.failure()));
                sink.flush();
            } else {
                again.accept(incoming);
            }
        }
    }
}
