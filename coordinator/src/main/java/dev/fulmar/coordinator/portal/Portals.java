package dev.fulmar.coordinator.portal;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.schedule.Scheduler;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The open portals of this node's clients, and the router of everything else. They end with their connection.
 * Thread-safe.
 */
public final class Portals implements TransactionRouter, PortalRouter, PortalFigures {
    /** A portal's objects here and at the partition that it reads take about so much, besides its query. */
    private static final long FIXED_BYTES = 16 << 10;

    private final TransactionRouter router;
    private final PortalSource source;
    private final Scheduler scheduler;
    private final PortalLimits limits;
    private final ByteBudget memory;

    /** By the client's way back, then by its number. */
    private final Map<ResponseSink, ConcurrentSkipListMap<Long, Portal>> open = new ConcurrentHashMap<>();

    /** In the order in which they were opened. */
    private final ConcurrentSkipListMap<Long, Portal> all = new ConcurrentSkipListMap<>();

    private final AtomicLong lastOpened = new AtomicLong();
    private final AtomicInteger count = new AtomicInteger();
    private final LongAdder opened = new LongAdder();
    private final LongAdder timedOut = new LongAdder();

    /**
     * @param router of everything else
     * @param memory that all portals may take together
     */
    public Portals(
            TransactionRouter router,
            PortalSource source,
            Scheduler scheduler,
            PortalLimits limits,
            ByteBudget memory) {
        this.router = router;
        this.source = source;
        this.scheduler = scheduler;
        this.limits = limits;
        this.memory = memory;
    }

    @Override
    public int openPortals() {
        return count.get();
    }

    @Override
    public long takenBytes() {
        return memory.underWayBytes();
    }

    @Override
    public long opened() {
        return opened.sum();
    }

    @Override
    public long timedOut() {
        return timedOut.sum();
    }

    @Override
    public void submit(TransactionRequest request, ResponseSink sink) {
        router.submit(request, sink);
    }

    @Override
    public long term(long clientId) {
        return router.term(clientId);
    }

    @Override
    public void cancel(long clientId, long requestId) {
        all.values().forEach(portal -> portal.cancel(clientId, requestId));
        router.cancel(clientId, requestId);
    }

    @Override
    public void departed(ResponseSink sink) {
        Map<Long, Portal> gone = open.remove(sink);
        if (gone != null) {
            gone.values().forEach(Portal::abandon);
        }
        router.departed(sink);
    }

    @Override
    public void open(long number, int rows, TransactionRequest.AdHoc query, ResponseSink sink) {
        long bytes = FIXED_BYTES + 2L * query.sql().length() + query.bytes();
        long place = lastOpened.incrementAndGet();
        Portal portal = new Portal(source, scheduler, limits, new Portal.Listener() {
            @Override
            public void timedOut() {
                timedOut.increment();
            }

            @Override
            public void ended() {
                memory.giveBack(bytes);
                all.remove(place);
                forget(sink, number);
            }
        });
        try {
            claim(bytes);
        } catch (FulmarException e) {
            refuse(query, sink, e);
            return;
        }
        FulmarException refusal = admit(number, portal, sink);
        if (refusal != null) {
            memory.giveBack(bytes);
            count.decrementAndGet();
            refuse(query, sink, refusal);
            return;
        }
        opened.increment();
        all.put(place, portal);
        portal.begin(listener -> source.open(query, sink, memory, listener));
        portal.fetch(new Portal.Asked(query, rows, sink));
        if (sink.isGone()) {
            portal.abandon(); // it may have departed before the portal was there
        }
    }

    private void claim(long bytes) {
        if (count.incrementAndGet() > limits.mostOpen()) {
            count.decrementAndGet();
            throw new FulmarException(
                    ErrorCode.TOO_MANY_PORTALS,
                    limits.mostOpen()
                            + " portals are open on this node; close some, open it again after a moment, or raise"
                            + " portals.max-open");
        }
        if (!memory.take(bytes)) {
            count.decrementAndGet();
            throw new FulmarException(
                    ErrorCode.SERVER_BUSY,
                    "open portals take the node's limit of " + memory.limitBytes()
                            + " bytes; close some, open it again after a moment, or raise portals.memory-limit");
        }
    }

    private @Nullable FulmarException admit(long number, Portal portal, ResponseSink sink) {
        @Nullable FulmarException[] refusal = new FulmarException[1];
        open.compute(sink, (client, before) -> {
            ConcurrentSkipListMap<Long, Portal> own = before == null ? new ConcurrentSkipListMap<>() : before;
            if (own.containsKey(number)) {
                refusal[0] = new FulmarException(
                        ErrorCode.WRONG_PARAMETERS,
                        "the connection has an open portal " + number + "; give each portal a number of its own");
            } else if (own.size() >= limits.perConnection()) {
                refusal[0] = new FulmarException(
                        ErrorCode.TOO_MANY_PORTALS,
                        "the connection has " + own.size()
                                + " open portals; close some, or raise portals.per-connection");
            } else {
                own.put(number, portal);
            }
            return own.isEmpty() ? null : own;
        });
        return refusal[0];
    }

    @Override
    public void fetch(long number, int rows, TransactionRequest request, ResponseSink sink) {
        Portal known = find(number, sink);
        if (known == null) {
            refuse(request, sink, notOpen());
        } else {
            known.fetch(new Portal.Asked(request, rows, sink));
        }
    }

    @Override
    public void close(long number, TransactionRequest request, ResponseSink sink) {
        Portal known = find(number, sink);
        if (known == null) {
            sink.respond(request, Committed.DONE);
            sink.flush();
        } else {
            known.close(request, sink);
        }
    }

    private @Nullable Portal find(long number, ResponseSink sink) {
        Map<Long, Portal> own = open.get(sink);
        return own == null ? null : own.get(number);
    }

    private void forget(ResponseSink sink, long number) {
        count.decrementAndGet();
        open.computeIfPresent(sink, (client, own) -> {
            own.remove(number);
            return own.isEmpty() ? null : own;
        });
    }

    private static void refuse(TransactionRequest request, ResponseSink sink, FulmarException why) {
        sink.respond(request, Answers.failed(why));
        sink.flush();
    }

    static FulmarException notOpen() {
        return new FulmarException(
                ErrorCode.PORTAL_ENDED,
                "no portal with the number is open here: it has yielded its last part, was closed, or ended with its"
                        + " connection; open it again");
    }
}
