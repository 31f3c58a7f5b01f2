package dev.fulmar.node.admin;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.server.ClientOrigin;
import dev.fulmar.node.server.SystemProcedure;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A system procedure that takes its time: it runs on the executor, not on the event loop. */
final class BlockingSystemProcedure implements SystemProcedure {
    private static final Logger LOG = LoggerFactory.getLogger(BlockingSystemProcedure.class);

    /** The action of the procedure. */
    @FunctionalInterface
    interface Body {
        TransactionResponse run(TransactionRequest.Call request, ClientOrigin origin);
    }

    private final Executor executor;
    private final Body body;

    BlockingSystemProcedure(Executor executor, Body body) {
        this.executor = executor;
        this.body = body;
    }

    @Override
    public void call(TransactionRequest.Call request, ClientOrigin origin, ResponseSink sink) {
        try {
            executor.execute(() -> answer(request, origin, sink));
        } catch (RejectedExecutionException e) {
            LOG.debug("{} came too late", request.procedure(), e);
            sink.respond(
                    request,
                    new TransactionResponse.Failed(
                            ErrorCode.NODE_STOPPING, "the node is stopping and did not begin with the call"));
            sink.flush();
        }
    }

    private void answer(TransactionRequest.Call request, ClientOrigin origin, ResponseSink sink) {
        TransactionResponse response;
        try {
            response = body.run(request, origin);
        } catch (FulmarException e) {
            response = Responses.failed(e);
        } catch (RuntimeException e) {
            LOG.error("{} failed", request.procedure(), e);
            response = new TransactionResponse.Failed(
                    ErrorCode.INTERNAL, request.procedure() + " failed: " + e + "; see the node's log");
        }
        sink.respond(request, response);
        sink.flush();
    }
}
