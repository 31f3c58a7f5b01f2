package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.portal.PortalRouter;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.coordinator.session.ClientIds;
import dev.fulmar.coordinator.session.SessionLimits;
import dev.fulmar.coordinator.session.SessionTransactions;
import dev.fulmar.coordinator.statement.StatementDescriber;
import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.coordinator.temporary.TemporarySchemas;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.time.real.SystemClock;
import dev.fulmar.postgres.activity.SessionList;
import dev.fulmar.postgres.dialect.FixedFacts;
import dev.fulmar.wire.session.SettingCommand.RowPlace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers statements as it was told to, and notes what it was asked. */
final class FakeDatabase implements TransactionRouter, SessionTransactions, StatementDescriber {
    static final List<ResultColumn> COLUMNS = List.of(new ResultColumn("ID", ColumnType.of(TypeKind.INTEGER), false));

    /** Each statement with its transaction: {@code 0: SELECT 1}. */
    final List<String> asked = new ArrayList<>();

    ByteBudget budget = ByteBudget.unlimited();
    PortalRouter portals = noPortals();
    SessionLimits limits = SessionLimits.DEFAULT;
    final Map<String, TransactionResponse> answers = new HashMap<>();
    final Map<String, StatementDescription> descriptions = new HashMap<>();
    final List<Long> cancelled = new ArrayList<>();

    /** Changes of tables behind which statements were described. */
    final List<List<String>> describedBehind = new ArrayList<>();

    long catalogVersion = 1;
    boolean holdsAnswers;

    /** Tells of statements that run together, and do not fail, that their changes count before they are answered. */
    boolean tellsOfChanges;

    /** Called before the answer to such a statement, each time. */
    final Map<String, Consumer<ResponseSink>> whenAsked = new HashMap<>();

    private record HeldAnswer(TransactionResponse answer, Consumer<TransactionResponse> to) {}

    private final List<HeldAnswer> held = new ArrayList<>();
    private final List<String> failingOnce = new ArrayList<>();

    /** Schemas of temporary tables that are open. */
    final List<String> schemas = new ArrayList<>();

    private final TemporarySchemas temporary = new TemporarySchemas() {
        private long last;

        @Override
        public String begin() {
            String schema = SchemaName.temporary(1, ++last);
            schemas.add(schema);
            return schema;
        }

        @Override
        public void end(String schema) {
            if (!schemas.remove(schema)) {
                throw new IllegalStateException(schema + " ends twice");
            }
        }
    };

    /** The locks of all its sessions. */
    final FakeLocks locks = new FakeLocks();

    final FakeScheduler scheduler = new FakeScheduler();

    final SessionList sessions = new SessionList(new SystemClock(), caller -> true);

    SessionServices services() {
        return new SessionServices(
                this,
                this,
                portals,
                this,
                budget,
                limits,
                RowPlace.PARTITIONED,
                temporary,
                locks,
                ClientIds.any(),
                scheduler,
                sessions);
    }

    /** Gives the answers that were held. */
    void answer() {
        List<HeldAnswer> now = List.copyOf(held);
        held.clear();
        now.forEach(each -> each.to().accept(each.answer()));
    }

    /** Gives the first of the answers that were held, or another one instead. */
    void answerFirst(@Nullable TransactionResponse instead) {
        HeldAnswer first = held.removeFirst();
        first.to().accept(instead == null ? first.answer() : instead);
    }

    /** Gives the last of the answers that were held, or another one instead. */
    void answerLast(@Nullable TransactionResponse instead) {
        HeldAnswer last = held.removeLast();
        last.to().accept(instead == null ? last.answer() : instead);
    }

    /** The statement fails the first time that it is executed in a transaction. */
    void failsOnce(String sql, ErrorCode code) {
        fails(sql, code);
        failingOnce.add(sql);
    }

    void fails(String sql, ErrorCode code) {
        answers.put(sql, new TransactionResponse.Failed(code, "it fails; try another one"));
    }

    /** The statement yields a column ID with the numbers from 1. */
    void yields(String sql, int rows) {
        ResultBlockWriter writer = new ResultBlockWriter(1 << 10, 1 << 20);
        writer.begin(new ResultLayout(COLUMNS));
        for (int i = 1; i <= rows; i++) {
            writer.startRow();
            writer.setLong(0, i);
            writer.endRow();
        }
        writer.end();
        answers.put(sql, new Committed(Kind.TABLE, 0, writer.toByteArray()));
        descriptions.put(sql, new StatementDescription(COLUMNS, List.of(), true, catalogVersion));
    }

    /** The statement yields such a column, and its columns are not known before it is executed. */
    void yieldsUntold(String sql, int rows) {
        yields(sql, rows);
        untold(sql);
    }

    /** The columns of the statement are not known before it is executed. */
    void untold(String sql) {
        descriptions.put(sql, new StatementDescription(List.of(), List.of(), List.of(), false, false, catalogVersion));
    }

    void changes(String sql, long rows, ColumnType... parameters) {
        answers.put(sql, new Committed(Kind.VALUE, rows, new byte[0]));
        descriptions.put(sql, new StatementDescription(List.of(), List.of(parameters), false, catalogVersion));
    }

    @Override
    public void submit(TransactionRequest request, ResponseSink sink) {
        execute(0, (TransactionRequest.AdHoc) request, sink);
    }

    @Override
    public void execute(long number, TransactionRequest.AdHoc request, ResponseSink sink) {
        asked.add(number + ": " + request.sql());
        whenAsked.getOrDefault(request.sql(), ignored -> {}).accept(sink);
        TransactionResponse answer = answers.getOrDefault(request.sql(), Committed.DONE);
        if (failingOnce.remove(request.sql())) {
            answers.remove(request.sql());
        }
        if (answer instanceof Committed committed && committed.results().length > 0) {
            sink.reserve(request, committed.results().length);
        }
        answer(answer, given -> sink.respond(request, given));
    }

    private void answer(TransactionResponse answer, Consumer<TransactionResponse> to) {
        if (holdsAnswers) {
            held.add(new HeldAnswer(answer, to));
        } else {
            to.accept(answer);
        }
    }

    /** One that fails is the answer for all. */
    @Override
    public void executeTogether(
            List<TransactionRequest.AdHoc> statements, TransactionRequest.AdHoc commit, ResponseSink sink) {
        statements.forEach(statement -> asked.add("together: " + statement.sql()));
        TransactionResponse answer = statements.stream()
                .map(TransactionRequest.AdHoc::sql)
                .filter(sql -> answers.get(sql) instanceof TransactionResponse.Failed)
                .findFirst()
                .map(answers::get)
                .orElse(Committed.DONE);
        if (tellsOfChanges && answer instanceof Committed) {
            sink.applied(commit);
        }
        answer(answer, given -> sink.respond(commit, given));
    }

    @Override
    public void cancel(long clientId, long requestId) {
        cancelled.add(requestId);
    }

    @Override
    public void describe(
            TransactionRequest.AdHoc statement, Consumer<StatementDescription> known, ResponseSink refused) {
        StatementDescription description = descriptions.get(statement.sql());
        if (description == null) {
            refused.respond(
                    statement, new TransactionResponse.Failed(ErrorCode.UNKNOWN_OBJECT, "1:1: there is no table T"));
        } else {
            known.accept(description);
        }
    }

    @Override
    public void describeBehind(
            List<String> changes,
            TransactionRequest.AdHoc statement,
            Consumer<StatementDescription> known,
            ResponseSink refused) {
        describedBehind.add(changes);
        describe(statement, known, refused);
    }

    @Override
    public long catalogVersion() {
        return catalogVersion;
    }

    private static PortalRouter noPortals() {
        return new PortalRouter() {
            @Override
            public void open(long number, int rows, TransactionRequest.AdHoc query, ResponseSink sink) {
                throw new AssertionError("no portal is opened");
            }

            @Override
            public void fetch(long number, int rows, TransactionRequest request, ResponseSink sink) {
                throw new AssertionError("no portal is read");
            }

            @Override
            public void close(long number, TransactionRequest request, ResponseSink sink) {
                throw new AssertionError("no portal is closed");
            }
        };
    }

    /** Finds these numbers and texts for the functions of the statement. */
    void finds(String sql, @Nullable Object... found) {
        List<ResultColumn> columns = new ArrayList<>();
        for (@Nullable Object value : found) {
            ColumnType type = switch (value) {
                case String _ -> ColumnType.varchar(100);
                case Double _ -> ColumnType.of(TypeKind.DOUBLE);
                case null, default -> ColumnType.of(TypeKind.BIGINT);
            };
            columns.add(new ResultColumn("C" + (columns.size() + 1), type, true));
        }
        ResultBlockWriter writer = new ResultBlockWriter(1 << 10, 1 << 20);
        writer.begin(new ResultLayout(columns));
        writer.startRow();
        for (int i = 0; i < found.length; i++) {
            switch (found[i]) {
                case Long number -> writer.setLong(i, number);
                case Double number -> writer.setDouble(i, number);
                case String text -> {
                    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                    writer.setBytes(i, bytes, 0, bytes.length);
                }
                case null, default -> writer.setNull(i);
            }
        }
        writer.endRow();
        writer.end();
        String text = FixedFacts.translated(sql).sql();
        answers.put(text, new Committed(Kind.TABLE, 0, writer.toByteArray()));
        descriptions.put(text, new StatementDescription(columns, List.of(), true, 1));
    }
}
