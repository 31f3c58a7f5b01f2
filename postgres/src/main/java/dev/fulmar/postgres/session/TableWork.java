package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.dialect.FilledTable;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.temporary.SessionTables;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Statements that a session sends for its temporary tables: what ON COMMIT says, and what is made or dropped at once. */
final class TableWork {
    /** Asks the database. */
    interface Asking {
        /**
         * Asks, and goes on if the answer is no failure.
         *
         * @param transaction its number; 0 for none
         */
        void ask(long transaction, String sql, byte[] parameters, Places places, Consumer<Committed> then);
    }

    private final SessionTables tables;
    private final TransactionBlock block;
    private final Asking asking;

    /** Asks outside of transactions. */
    private final BiConsumer<String, Consumer<TransactionResponse>> outside;

    TableWork(
            SessionTables tables,
            TransactionBlock block,
            Asking asking,
            BiConsumer<String, Consumer<TransactionResponse>> outside) {
        this.tables = tables;
        this.block = block;
        this.asking = asking;
        this.outside = outside;
    }

    /** Whether something is to be done before the client's next statement. */
    boolean isDue() {
        return tables.isUnsettled() && !block.isOpen();
    }

    /** Does what ON COMMIT says of temporary tables, and goes on. */
    void settle(Runnable then, Consumer<FulmarException> refused) {
        tables.settle(outside, then, refused);
    }

    /** Does so if it is time for it. A statement of it that fails is sent again before the client's next one. */
    void settled(Runnable then) {
        if (isDue()) {
            settle(then, _ -> then.run());
        } else {
            then.run();
        }
    }

    /** Drops what the transaction made since the savepoint to which it has gone back. */
    void wentBack(Runnable then, Consumer<FulmarException> refused) {
        if (tables.hasLeft()) {
            tables.dropLeft(outside, then, refused);
        } else {
            then.run();
        }
    }

    /** Whether the transaction does not come into it: nobody else sees the table. */
    boolean isMadeAtOnce(Translation statement) {
        return block.isOpen() && !block.isReadOnly() && block.changes().isEmpty() && tables.isMadeAtOnce(statement);
    }

    /** The rows of its query, if it has one, are a change of the transaction like any other. */
    void makeAtOnce(Bound statement, Consumer<Committed> then) {
        Translation text = statement.translation();
        Optional<FilledTable> filled = FilledTable.of(text);
        String creation = filled.map(FilledTable::creation).orElse(text.sql());
        asking.ask(0, creation, statement.parameters(), text::message, created -> {
            block.executedAtOnce();
            tables.executedAtOnce(text);
            if (filled.isPresent()) {
                asking.ask(block.openNumber(), filled.get().filling(), Bound.NO_PARAMETERS, Places.NONE, then);
            } else {
                then.accept(created);
            }
        });
    }
}
