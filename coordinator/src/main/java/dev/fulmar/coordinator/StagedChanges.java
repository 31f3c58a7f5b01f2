package dev.fulmar.coordinator;

import dev.fulmar.coordinator.change.CatalogEdit;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.change.ChangeQueue;
import dev.fulmar.coordinator.change.LateConstraint;
import dev.fulmar.coordinator.change.Repartitioning;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.CancelledRequests;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.spi.PlanningTurn;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Finds the changes of the catalog that consist of several statements of the node. Between these, rows of all
 * partitions are looked at or copied.
 */
record StagedChanges(
        OwnStatements ways,
        UnfinishedTables pending,
        ChangeQueue changes,
        AtomicReference<Program> current,
        CancelledRequests cancelled,
        Clock clock,
        Scheduler scheduler) {
    /** Makes a change, and calls back with its outcome. */
    interface Work {
        void start(Consumer<TransactionResponse> answer);
    }

    /**
     * The work of such a change; empty for any other one. Fails where the change cannot be made.
     *
     * @param request which asks for it, and whose rights were looked at
     * @param deadlineNanos when the request's time is over
     */
    Optional<Work> of(CatalogChange change, Program program, TransactionRequest request, long deadlineNanos) {
        if (change instanceof CatalogChange.AlterTable alter
                && alter.basis().isPresent()
                && Repartitioning.keyOf(alter).isPresent()) {
            return Optional.of(keyThenRepartitioning(alter, program, request, deadlineNanos));
        }
        Optional<Repartitioning> repartitioning = Repartitioning.of(change, program.catalog());
        if (repartitioning.isPresent()) {
            // A change that cannot succeed is refused before rows are copied.
            changes.compile(repartitioning.get().prospect(program.catalog()), program);
            return Optional.of(answer -> place(repartitioning.get(), request, deadlineNanos, answer));
        }
        Optional<LateConstraint> late = LateConstraint.of(change, program.catalog());
        if (placesByKey(change, program)) {
            String table = ((CatalogChange.AlterTable) change).table();
            // It is the placing that is made once. A statement that finds the key goes on with it.
            return Optional.of(answer -> {
                Consumer<TransactionResponse> placing = placing(table, request, deadlineNanos, answer);
                late.ifPresentOrElse(
                        key -> validation(key, request, ChangeHandle.NONE, deadlineNanos, placing)
                                .start(),
                        () -> placing.accept(Answers.CHANGED));
            });
        }
        return late.map(
                constraint -> answer -> validation(constraint, request, ChangeHandle.of(request), deadlineNanos, answer)
                        .start());
    }

    private ConstraintValidation validation(
            LateConstraint constraint,
            TransactionRequest request,
            ChangeHandle handle,
            long deadlineNanos,
            Consumer<TransactionResponse> answer) {
        PatientStatements patient =
                new PatientStatements(ways, clock, scheduler, deadlineNanos, () -> cancelled.has(request));
        return new ConstraintValidation(constraint, request, handle, patient, current, answer);
    }

    /**
     * Whether the change's primary key can place the rows of a table that is spread by row ids. If they cannot be
     * placed so, they stay where they are; that is no failure, for the statement did not ask for it.
     */
    private boolean placesByKey(CatalogChange change, Program program) {
        try {
            Optional<Catalog> prospect = Repartitioning.keyedProspect(change, program.catalog());
            prospect.ifPresent(catalog -> changes.compile(catalog, program));
            return prospect.isPresent();
        } catch (FulmarException refusal) {
            PlanningTurn.goOn(); // it may be the end of the planning that was met
            if (refusal.code().category() != ErrorCode.Category.USER) {
                throw refusal;
            }
            return false;
        }
    }

    /** Places the rows of the table by the key that it has got, unless that has failed or has placed them. */
    private Consumer<TransactionResponse> placing(
            String name, TransactionRequest request, long deadlineNanos, Consumer<TransactionResponse> answer) {
        return made -> {
            Catalog catalog = current.get().catalog();
            Table table = catalog.tables().get(name);
            if (made instanceof Failed
                    || table == null
                    || !table.hasRowId()
                    || table.primaryKey().isEmpty()) {
                answer.accept(made);
                return;
            }
            place(
                    Repartitioning.byKey(table, catalog).orElseThrow(),
                    request,
                    deadlineNanos,
                    placed -> answer.accept(placed instanceof Failed failed ? unplaced(name, failed) : made));
        };
    }

    private static Failed unplaced(String name, Failed failed) {
        return new Failed(
                failed.code(),
                "table " + name + " has its primary key, but its rows are not placed by it yet; send the statement"
                        + " again, or ALTER TABLE " + name + " PARTITIONED: " + failed.message());
    }

    private void place(
            Repartitioning repartitioning,
            TransactionRequest request,
            long deadlineNanos,
            Consumer<TransactionResponse> answer) {
        new TableRepartitioning(
                        repartitioning,
                        request,
                        ways,
                        pending,
                        () -> current.get().catalog(),
                        clock,
                        scheduler,
                        new TableRepartitioning.Limits(deadlineNanos, () -> cancelled.has(request)),
                        answer)
                .start();
    }

    /** A table gets a primary key, and then its rows are placed by it. If that fails, it has the key all the same. */
    private Work keyThenRepartitioning(
            CatalogChange.AlterTable alter, Program program, TransactionRequest request, long deadlineNanos) {
        Work repartitioning = answer -> {
            Catalog catalog = current.get().catalog();
            Table table = catalog.tables().get(alter.table());
            Optional<Repartitioning> byKey = table == null || table.primaryKey().isEmpty()
                    ? Optional.empty()
                    : Repartitioning.byKey(table, catalog);
            if (byKey.isEmpty()) {
                answer.accept(new Failed(
                        ErrorCode.TRANSACTION_RESTART,
                        "table " + alter.table() + " was changed while its rows were to be placed; try again"));
            } else {
                place(byKey.get(), request, deadlineNanos, answer);
            }
        };
        if (Repartitioning.hasKey(alter)) {
            return repartitioning;
        }
        changes.compile(CatalogEdit.of(alter, program.catalog()).catalog(), program);
        String key = Repartitioning.keyOf(alter).orElseThrow();
        return answer -> ways.change(OwnStatements.of(request, key), ChangeHandle.NONE, response -> {
            if (response instanceof Failed) {
                answer.accept(response);
            } else {
                repartitioning.start(answer);
            }
        });
    }
}
