package dev.fulmar.coordinator.portal;

import dev.fulmar.coordinator.request.OpenOfClients;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.schedule.Scheduler;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

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

    private final OpenOfClients<Portal> open;
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
        this.open = new OpenOfClients<>(limits.mostOpen());
    }

    @Override
    public int openPortals() {
        return open.count();
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
        open.inOrder().forEach(portal -> portal.cancel(clientId, requestId));
        router.cancel(clientId, requestId);
    }

    @Override
    public void departed(ResponseSink sink) {
        open.departed(sink).forEach(Portal::abandon);
        router.departed(sink);
    }

    @Override
    public void open(long number, int rows, TransactionRequest.AdHoc query, ResponseSink sink) {
        long bytes = FIXED_BYTES + 2L * query.sql().length() + query.bytes();
        long place = open.nextPlace();
        Portal portal = new Portal(source, scheduler, limits, new Portal.Listener() {
            @Override
            public void timedOut() {
                timedOut.increment();
            }

            @Override
            public void ended() {
                memory.giveBack(bytes);
                open.remove(sink, number, place);
            }
        });
        try {
            admit(number, place, portal, bytes, sink);
        } catch (FulmarException e) {
            refuse(query, sink, e);
            return;
        }
        opened.increment();
        portal.begin(listener -> source.open(query, sink, memory, listener));
        portal.fetch(new Portal.Asked(query, rows, sink));
        if (sink.isGone()) {
            portal.abandon(); // it may have departed before the portal was there
        }
    }

    private void admit(long number, long place, Portal portal, long bytes, ResponseSink sink) {
        if (!memory.take(bytes)) {
            throw new FulmarException(
                    ErrorCode.SERVER_BUSY,
                    "open portals take the node's limit of " + memory.limitBytes()
                            + " bytes; close some, open it again after a moment, or raise portals.memory-limit");
        }
        boolean isOpen = false;
        try {
            isOpen = open.add(sink, number, place, portal, own -> check(number, own));
        } finally {
            if (!isOpen) {
                memory.giveBack(bytes);
            }
        }
        if (!isOpen) {
            throw new FulmarException(
                    ErrorCode.TOO_MANY_PORTALS,
                    limits.mostOpen()
                            + " portals are open on this node; close some, open it again after a moment, or raise"
                            + " portals.max-open");
        }
    }

    private void check(long number, Set<Long> own) {
        if (own.contains(number)) {
            throw new FulmarException(
                    ErrorCode.WRONG_PARAMETERS,
                    "the connection has an open portal " + number + "; give each portal a number of its own");
        }
        if (own.size() >= limits.perConnection()) {
            throw new FulmarException(
                    ErrorCode.TOO_MANY_PORTALS,
                    "the connection has " + own.size() + " open portals; close some, or raise portals.per-connection");
        }
    }

    @Override
    public void fetch(long number, int rows, TransactionRequest request, ResponseSink sink) {
        Portal known = open.find(sink, number);
        if (known == null) {
            refuse(request, sink, notOpen());
        } else {
            known.fetch(new Portal.Asked(request, rows, sink));
        }
    }

    @Override
    public void close(long number, TransactionRequest request, ResponseSink sink) {
        Portal known = open.find(sink, number);
        if (known == null) {
            sink.respond(request, Committed.DONE);
            sink.flush();
        } else {
            known.close(request, sink);
        }
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
