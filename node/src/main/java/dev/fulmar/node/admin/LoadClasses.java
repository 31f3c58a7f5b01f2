package dev.fulmar.node.admin;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.server.ClientOrigin;
import dev.fulmar.node.server.SystemProcedure;
import java.util.concurrent.CompletableFuture;

/** {@code @LoadClasses(jar)}: brings in a jar of procedures. */
final class LoadClasses implements SystemProcedure {
    private final NodeControl control;

    LoadClasses(NodeControl control) {
        this.control = control;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // answering does not fail
    public void call(TransactionRequest.Call request, ClientOrigin origin, ResponseSink sink) {
        load(request).whenComplete((response, failure) -> {
            sink.respond(request, failure == null ? response : failed(failure));
            sink.flush();
        });
    }

    private CompletableFuture<TransactionResponse> load(TransactionRequest.Call request) {
        try {
            return control.loadClasses(new CallArguments(request, "@LoadClasses(bytes of a jar)").bytes(0));
        } catch (FulmarException e) {
            return CompletableFuture.completedFuture(Responses.failed(e));
        }
    }

    private static TransactionResponse failed(Throwable failure) {
        return new TransactionResponse.Failed(
                ErrorCode.INTERNAL, "the jar could not be loaded: " + failure + "; see the node's log");
    }
}
