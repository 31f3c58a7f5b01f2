package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.request.ConnectionSettings;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.SettingCommand;
import dev.fulmar.wire.session.SettingCommand.RowPlace;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The statements that set something for their connection, in front of the routers of everything else. A CREATE TABLE
 * gets the words that say what is set, as if its client had written them. Thread-safe.
 *
 * @param router of requests
 * @param sessions of transactions statement by statement
 * @param usual place of the rows of new tables where a connection sets nothing
 */
public record SettingStatements(TransactionRouter router, SessionTransactions sessions, SqlFrontend sql, RowPlace usual)
        implements TransactionRouter, SessionTransactions {
    private static final int FIRST_BYTES = 128;
    private static final int MOST_BYTES = 1 << 10;
    private static final ResultLayout SHOWN =
            new ResultLayout(List.of(new ResultColumn(SettingCommand.PLACEMENT, ColumnType.varchar(11), false)));

    @Override
    public void submit(TransactionRequest request, ResponseSink sink) {
        if (request instanceof TransactionRequest.AdHoc adHoc) {
            TransactionRequest.AdHoc meant = meant(adHoc, sink);
            if (meant != null) {
                router.submit(meant, sink);
            }
        } else {
            router.submit(request, sink);
        }
    }

    @Override
    public void execute(long number, TransactionRequest.AdHoc request, ResponseSink sink) {
        TransactionRequest.AdHoc meant = meant(request, sink);
        if (meant != null) {
            sessions.execute(number, meant, sink);
        }
    }

    @Override
    public void executeTogether(
            List<TransactionRequest.AdHoc> statements, TransactionRequest.AdHoc commit, ResponseSink sink) {
        sessions.executeTogether(statements, commit, sink);
    }

    @Override
    public void cancel(long clientId, long requestId) {
        router.cancel(clientId, requestId);
    }

    @Override
    public long term(long clientId) {
        return router.term(clientId);
    }

    @Override
    public void departed(ResponseSink sink) {
        router.departed(sink);
    }

    /** The request as the connection's settings have it; null if it was one about settings, which is answered. */
    private TransactionRequest.@Nullable AdHoc meant(TransactionRequest.AdHoc request, ResponseSink sink) {
        ConnectionSettings settings = sink.settings();
        if (settings == null) {
            return request;
        }
        try {
            SettingCommand command = SettingCommand.of(request.sql());
            if (command != null) {
                sink.respond(request, answer(command, settings));
                sink.flush();
                return null;
            }
            Optional<RowPlace> placement = settings.placement();
            return placement.isPresent() && mayMakeTable(request.sql())
                    ? request.with(sql.placed(request.sql(), placement.get().name()), request.parameters())
                    : request;
        } catch (FulmarException e) {
            sink.respond(request, Answers.failed(e));
            sink.flush();
            return null;
        }
    }

    private Committed answer(SettingCommand command, ConnectionSettings settings) {
        return switch (command) {
            case SettingCommand.SetRowPlace(Optional<RowPlace> placement) -> {
                settings.set(placement);
                yield Committed.DONE;
            }
            case SettingCommand.ShowRowPlace() ->
                row(settings.placement().orElse(usual).name());
        };
    }

    /** Whether it may be a CREATE TABLE, or a question about one; other statements are not read. */
    private static boolean mayMakeTable(String sql) {
        String start = sql.stripLeading();
        return start.startsWith("-")
                || start.startsWith("/")
                || start.regionMatches(true, 0, "CREATE", 0, 6)
                || start.regionMatches(true, 0, "EXPLAIN", 0, 7);
    }

    private static Committed row(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
        ResultBlockWriter writer = new ResultBlockWriter(FIRST_BYTES, MOST_BYTES);
        writer.begin(SHOWN);
        writer.startRow();
        writer.setBytes(0, bytes, 0, bytes.length);
        writer.endRow();
        writer.end();
        return new Committed(Kind.TABLE, 0, writer.toByteArray());
    }
}
