package dev.fulmar.postgres.session;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.copy.CopyIn;
import dev.fulmar.postgres.copy.CopyRows;
import dev.fulmar.postgres.copy.CopyTargets;
import dev.fulmar.postgres.dialect.CopyCommand;
import dev.fulmar.postgres.dialect.CopyCommands;
import dev.fulmar.postgres.dialect.CopyFormat;
import dev.fulmar.postgres.dialect.CopyOptions;
import dev.fulmar.postgres.dialect.NameFolding;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.dialect.Translator;
import dev.fulmar.postgres.value.SentTexts;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.ValueFormat;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Executes COPY in a session. While data come from the client, it takes the client's messages. */
final class CopyExecution {
    private final StatementExecution execution;
    private final ClientOutput output;
    private final BiConsumer<FulmarException, Places> failed;

    /** The COPY whose data come now; null if none do. */
    private @Nullable CopyIn incoming;

    CopyExecution(StatementExecution execution, ClientOutput output, BiConsumer<FulmarException, Places> failed) {
        this.execution = execution;
        this.output = output;
        this.failed = failed;
    }

    static boolean isCopy(Translation statement) {
        return statement.firstWord().equals("COPY");
    }

    /**
     * Executes a COPY.
     *
     * @param ended takes the count of its rows
     */
    void run(Translation statement, LongConsumer ended) {
        CopyCommand command;
        try {
            command = CopyCommands.of(statement, execution.facts());
        } catch (FulmarException e) {
            failed.accept(e, Places.of(new Translator.Part(statement.source(), statement.start())));
            return;
        }
        switch (command) {
            case CopyCommand.In in -> describeColumns(in, ended);
            case CopyCommand.OutOfTable(CopyCommand.Table table, CopyOptions options) ->
                send(Translation.generated(CopyTargets.query(table)), options, ended);
            case CopyCommand.OutOfQuery(Translation query, CopyOptions options) -> send(query, options, ended);
        }
    }

    // Rows for the client.

    private void send(Translation query, CopyOptions options, LongConsumer ended) {
        CopyRows rows =
                new CopyRows(options, query.names(), execution.settings().outputStyle());
        execution.query(Bound.inForm(query, rows), feed -> {
            List<ResultColumn> columns = feed.columns();
            output.send(new BackendMessage.CopyOutResponse(format(options), columns.size()));
            rows.begin(output.rows(), columns);
            execution.rows().send(feed, count -> {
                rows.end(output.rows());
                output.send(new BackendMessage.CopyDone());
                ended.accept(count);
            });
        });
    }

    private static ValueFormat format(CopyOptions options) {
        return options.format() == CopyFormat.BINARY ? ValueFormat.BINARY : ValueFormat.TEXT;
    }

    // Rows of the client.

    private void describeColumns(CopyCommand.In command, LongConsumer ended) {
        List<String> named = command.table().columns();
        if (!named.isEmpty()) {
            describeTypes(command, named.stream().map(NameFolding::mirrored).toList(), ended);
            return;
        }
        Translation all = Translation.generated(CopyTargets.query(command.table()));
        execution.descriptions().describe(all, Bound.NO_PARAMETERS, description -> {
            List<String> columns =
                    description.columns().stream().map(ResultColumn::name).toList();
            describeTypes(command, columns, ended);
        });
    }

    private void describeTypes(CopyCommand.In command, List<String> columns, LongConsumer ended) {
        Translation insert = Translation.generated(CopyTargets.insert(command.table(), columns));
        execution
                .descriptions()
                .describe(
                        insert,
                        CopyTargets.nulls(columns.size()),
                        description -> begin(command, columns, description.parameters(), ended));
    }

    private void begin(CopyCommand.In command, List<String> columns, List<ColumnType> types, LongConsumer ended) {
        SentTexts.checkCopy(execution.settings().statementStyle(), types);
        SessionServices services = execution.services();
        boolean isAlone = !execution.block().isOpen();
        CopyIn.Limits limits = new CopyIn.Limits(
                services.underWay(),
                services.limits().bytes(),
                isAlone ? execution.settings().copyBatchRows() : 0);
        incoming = new CopyIn(
                command,
                columns,
                types,
                limits,
                execution.settings().zone(),
                execution.copyTransactions(),
                new CopyIn.Listener() {
                    @Override
                    public void done(long rows) {
                        incoming = null;
                        ended.accept(rows);
                    }

                    @Override
                    public void failed(FulmarException error) {
                        incoming = null;
                        failed.accept(error, Places.NONE);
                    }
                });
        output.send(new BackendMessage.CopyInResponse(format(command.options()), columns.size()));
        output.flush();
    }

    /** Whether the client's messages are for a COPY now. */
    boolean isUnderWay() {
        return incoming != null;
    }

    /** Whether the COPY takes the client's next message now. */
    boolean takesMore() {
        CopyIn copy = incoming;
        return copy != null && copy.takesMore();
    }

    /** Takes a message of the client while a COPY is under way. */
    void take(FrontendMessage message) {
        CopyIn copy = incoming;
        if (copy == null) {
            throw new IllegalStateException("no COPY is under way");
        }
        switch (message) {
            case FrontendMessage.CopyData(byte[] bytes) -> copy.data(bytes);
            case FrontendMessage.CopyDone _ -> copy.done();
            case FrontendMessage.CopyFail(String reason) -> copy.fail("COPY from stdin failed: " + reason);
            case FrontendMessage.Flush _, FrontendMessage.Sync _ -> {
                // Clients that use the extended protocol send one before they know that data are asked for.
            }
            case FrontendMessage.Unreadable(char type, String _) when type == 'H' || type == 'S' -> {
                // The same, whatever it holds.
            }
            default ->
                copy.fail(new FulmarException(
                        ErrorCode.MALFORMED_REQUEST,
                        "a " + message.getClass().getSimpleName() + " came while the data of a COPY were awaited"));
        }
    }

    void cancel() {
        CopyIn copy = incoming;
        if (copy != null) {
            copy.cancel();
        }
    }

    void leave() {
        CopyIn copy = incoming;
        incoming = null;
        if (copy != null) {
            copy.leave();
        }
    }
}
