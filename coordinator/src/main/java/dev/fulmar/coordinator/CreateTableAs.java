package dev.fulmar.coordinator;

import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.spi.CreateTableAsPlan;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Makes a table from a query (CREATE TABLE AS) by several statements, one after the other, on a table that no client
 * sees. The last change gives the table its name. So the table is there with all rows or not at all, even if the node
 * dies. The request's own rights were checked before.
 */
final class CreateTableAs {

    private final CreateTableAsPlan table;
    private final TransactionRequest request;
    private final OwnStatements ways;
    private final UnfinishedTables pending;
    private final AtomicReference<Program> current;
    private final Consumer<TransactionResponse> answer;

    /** @param request which asks for the table */
    CreateTableAs(
            CreateTableAsPlan table,
            TransactionRequest request,
            OwnStatements ways,
            UnfinishedTables pending,
            AtomicReference<Program> current,
            Consumer<TransactionResponse> answer) {
        this.table = table;
        this.request = request;
        this.ways = ways;
        this.pending = pending;
        this.current = current;
        this.answer = answer;
    }

    /** The answer is that of the statement that fills the table, or that of the one that failed. */
    void start() {
        if (table.isThere()) {
            answer.accept(Answers.CHANGED);
            return;
        }
        String name = pending.begin();
        ways.change(statement(table.creation(name)), ChangeHandle.NONE, response -> {
            if (response instanceof Failed failed) {
                end(name, UnfinishedTables.renamed(name, table.name(), failed));
            } else {
                fill(name);
            }
        });
    }

    private void fill(String name) {
        Optional<String> filling = table.filling(name);
        if (filling.isEmpty()) {
            publish(name, Answers.CHANGED);
            return;
        }
        ways.run(statement(filling.get()), response -> {
            if (response instanceof Failed failed) {
                takeBack(name, UnfinishedTables.failure(name, table.name(), failed));
            } else {
                publish(name, response);
            }
        });
    }

    private void publish(String name, TransactionResponse filled) {
        // It is this change that makes the table, so it is this one that is made once.
        ChangeHandle handle = ChangeHandle.of(request);
        ways.change(statement(table.publication(name)), handle, response -> {
            if (response instanceof Failed failed) {
                takeBack(
                        name,
                        isMadeMeanwhile(failed) ? Answers.CHANGED : pending.failureHere(name, table.name(), failed));
            } else {
                end(name, filled);
            }
        });
    }

    private void takeBack(String name, TransactionResponse response) {
        ways.run(statement(CreateTableAsPlan.removal(name)), done -> end(name, response));
    }

    private void end(String name, TransactionResponse response) {
        pending.end(name);
        request.caller()
                .witness()
                .changed(
                        "CREATE TABLE " + table.name(),
                        response instanceof Failed failed ? failed.code().name() : "DONE");
        answer.accept(response);
    }

    private boolean isMadeMeanwhile(Failed failed) {
        Catalog catalog = current.get().catalog();
        return table.lenient()
                && failed.code() == ErrorCode.OBJECT_EXISTS
                && (catalog.tables().containsKey(table.name())
                        || catalog.views().containsKey(table.name()));
    }

    private TransactionRequest.AdHoc statement(String text) {
        return OwnStatements.of(request, text);
    }
}
