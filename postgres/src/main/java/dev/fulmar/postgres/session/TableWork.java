package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.dialect.TableCreation;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.temporary.SessionTables;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Sends statements of the session for its temporary tables, behind transactions and beside them. */
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

    private final BiConsumer<FulmarException, Places> failed;

    TableWork(
            SessionTables tables,
            TransactionBlock block,
            Asking asking,
            BiConsumer<String, Consumer<TransactionResponse>> outside,
            BiConsumer<FulmarException, Places> failed) {
        this.tables = tables;
        this.block = block;
        this.asking = asking;
        this.outside = outside;
        this.failed = failed;
    }

    /** Whether something is to be done before the client's next statement. */
    boolean isDue() {
        return block.isOpen() ? tables.hasLeft() && !block.hasFailed() : tables.isUnsettled();
    }

    /** Does what ON COMMIT says of temporary tables, or drops what was taken back, and goes on. */
    void settle(Runnable then, Consumer<FulmarException> refused) {
        if (block.isOpen()) {
            wentBack(then, refused);
        } else {
            tables.settle(outside, then, refused);
        }
    }

    /** Does so if it is time for it. A statement of it that fails is sent again before the client's next one. */
    void settled(Runnable then) {
        if (!block.isOpen() && isDue()) {
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

    /** The statements that make or change a table outside of the transaction: nobody else sees it. */
    Optional<TableCreation> atOnce(Translation statement) {
        boolean isChange =
                statement.firstWord().equals("CREATE") || statement.firstWord().equals("ALTER");
        boolean isPossible = isChange
                && block.isOpen()
                && !block.isReadOnly()
                && block.changes().isEmpty();
        return isPossible ? tables.atOnce(statement) : Optional.empty();
    }

    /** The rows of its query, if it has one, are a change of the transaction like any other. */
    void makeAtOnce(Bound statement, TableCreation creation, Consumer<Committed> then) {
        Translation text = statement.translation();
        outside.accept(creation.creation(), answer -> {
            switch (answer) {
                case Committed created -> {
                    block.executedAtOnce();
                    tables.executedAtOnce(text);
                    if (creation.filling().isEmpty()) {
                        then.accept(created);
                    } else {
                        tables.seen(text);
                        asking.ask(block.openNumber(), creation.filling(), Bound.NO_PARAMETERS, Places.NONE, then);
                    }
                }
                case Failed failure
                when creation.isLenient() && failure.code() == ErrorCode.OBJECT_EXISTS -> then.accept(Committed.DONE);
                case Failed(ErrorCode code, String message, var _) ->
                    failed.accept(new FulmarException(code, message), text::message);
            }
        });
    }
}
