package dev.fulmar.coordinator;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.change.ChangeQueue;
import dev.fulmar.coordinator.planning.PlanningClaim;
import dev.fulmar.coordinator.planning.PlanningQueue;
import dev.fulmar.coordinator.portal.PortalSource;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.coordinator.statement.Statements;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.PortalReader;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs statements, and makes changes of the catalog, that belong to a greater one of this node. Thread-safe.
 *
 * @param portals which reads snapshots
 * @param failure the answer for a statement that the catalog refuses
 */
record NodeWays(
        TransactionRouter router,
        Statements statements,
        ChangeQueue changes,
        PlanningQueue planning,
        PortalSource portals,
        AtomicReference<Program> current,
        Function<FulmarException, TransactionResponse> failure)
        implements OwnStatements {
    /** Results that are held: a row of figures, one or two for each column of a table. */
    private static final int HELD_BYTES = 1 << 20;

    @Override
    public void run(TransactionRequest.AdHoc statement, Consumer<TransactionResponse> then) {
        router.submit(statement, (asked, response) -> then.accept(response));
    }

    @Override
    public FetchedParts.Source read(TransactionRequest.AdHoc query, PortalReader.Listener listener) {
        // A table's rows are handed out as they are read, so nothing is held for those.
        PortalReader reader = portals.open(query, (asked, response) -> {}, new ByteBudget(HELD_BYTES), listener);
        return new FetchedParts.Source() {
            @Override
            public void fetch(PartSize size) {
                reader.fetch(size);
            }

            @Override
            public void end(ErrorCode code, String message) {
                reader.end(code, message);
            }
        };
    }

    @Override
    public void change(TransactionRequest.AdHoc statement, ChangeHandle handle, Consumer<TransactionResponse> then) {
        PlanningClaim claim = PlanningClaim.ofNode(then);
        planning.submitSurely(
                claim,
                () -> changeHere(statement, handle, claim, then),
                refusal -> then.accept(Answers.failed(refusal)));
    }

    private void changeHere(
            TransactionRequest.AdHoc statement,
            ChangeHandle handle,
            PlanningClaim claim,
            Consumer<TransactionResponse> then) {
        try {
            CatalogChange change = statements.change(statement, current.get());
            changes.apply(change, new CatalogEntry.Statement(statement.sql()), handle, claim, then);
        } catch (FulmarException e) {
            then.accept(failure.apply(e));
        } catch (Throwable defect) { // the greater statement must end
            then.accept(Answers.defect(defect));
            FatalErrors.handIfFatal(defect);
        }
    }
}
