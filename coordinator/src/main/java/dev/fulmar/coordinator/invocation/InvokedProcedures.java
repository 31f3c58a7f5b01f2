package dev.fulmar.coordinator.invocation;

import dev.fulmar.coordinator.access.AccessControl;
import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.request.PassingSink;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ParameterSource;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.procedure.ReplyKind;
import dev.fulmar.engine.spi.Invocation;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls of the statements that call procedures. The one result of such a statement is the first rows that the
 * call yields, or a row of the value that the procedure returns. CALL of a procedure that returns nothing yields
 * nothing. One of SQL that changes rows yields their number, as the change by itself does.
 */
public final class InvokedProcedures {
    private static final int FIRST_BYTES = 128;
    private static final int MOST_BYTES = 4 << 10;

    private InvokedProcedures() {}

    /** The call that the statement is, under the statement's handle. */
    public static IncomingRequest call(IncomingRequest incoming, Invocation invocation, Program program) {
        TransactionRequest.AdHoc statement = (TransactionRequest.AdHoc) incoming.request();
        LoadedProcedure procedure = procedure(invocation, statement.caller(), program);
        TransactionRequest.Call call = new TransactionRequest.Call(
                statement.clientId(),
                statement.requestId(),
                statement.timeoutNanos(),
                statement.consistency(),
                procedure.name(),
                InvocationArguments.of(invocation, procedure, statement.parameters()),
                statement.caller(),
                statement.catalogVersion());
        return new IncomingRequest(
                call, new Answers(statement, incoming.sink(), invocation, procedure), incoming.nanos());
    }

    /**
     * The statement of a procedure that has one, with the arguments as its parameters. It is part of a transaction of
     * several statements as any other. Its caller needs the rights of both.
     *
     * @throws FulmarException {@link ErrorCode#ACTIVE_TRANSACTION} if the procedure has other code
     */
    public static TransactionRequest.AdHoc statement(
            Invocation invocation, TransactionRequest.AdHoc statement, Program program) {
        LoadedProcedure procedure = procedure(invocation, statement.caller(), program);
        if (!(procedure.definition().body() instanceof ProcedureDefinition.Sql(List<String> texts))
                || texts.size() != 1) {
            throw new FulmarException(
                    ErrorCode.ACTIVE_TRANSACTION,
                    "a call of " + procedure.name()
                            + " is a transaction of its own, and no part of another one; call it by itself before BEGIN"
                            + " or behind COMMIT, or send its statements here");
        }
        if (invocation.form() == Invocation.Form.ROWS && procedure.replyKind() != ReplyKind.TABLE) {
            throw new FulmarException(
                    ErrorCode.ACTIVE_TRANSACTION,
                    procedure.name() + " yields no rows, which FROM in a transaction needs; CALL it, or send its"
                            + " statement: " + texts.getFirst());
        }
        return statement.with(texts.getFirst(), InvocationArguments.of(invocation, procedure, statement.parameters()));
    }

    /** The description of the statement, for a client that prepares it. */
    public static StatementDescription description(Invocation invocation, Caller caller, Program program) {
        LoadedProcedure procedure = procedure(invocation, caller, program);
        List<ColumnType> types = new ArrayList<>();
        List<Integer> arrays = new ArrayList<>();
        for (int i = 0; i < invocation.arguments().size(); i++) {
            if (invocation.arguments().get(i) instanceof Invocation.Argument.Marker(Optional<ColumnType> type)) {
                if (type.isEmpty() && procedure.parameters().get(i).array()) {
                    arrays.add(types.size());
                }
                types.add(type.isPresent() ? type.get() : InvocationArguments.type(procedure, i));
            }
        }
        List<ResultColumn> columns = columns(invocation, procedure);
        return new StatementDescription(
                columns == null ? List.of() : columns,
                types,
                arrays,
                columns != null,
                procedure.isReadOnly(),
                program.catalog().version());
    }

    private static LoadedProcedure procedure(Invocation invocation, Caller caller, Program program) {
        CallTarget target = program.target(invocation.procedure());
        LoadedProcedure procedure = target.procedure();
        AccessControl.call(caller, program.catalog(), procedure.definition(), target.index());
        ParameterSource.checkCount(procedure, invocation.arguments().size());
        return procedure;
    }

    /** The columns of the one result, none if it yields no rows; null if only its execution tells. */
    private static @Nullable List<ResultColumn> columns(Invocation invocation, LoadedProcedure procedure) {
        ReplyKind kind = procedure.replyKind();
        if (kind == ReplyKind.NOTHING || kind == ReplyKind.VALUE) {
            return isOneRow(invocation, procedure) ? List.of(column(invocation, kind)) : List.of();
        }
        if (isJava(procedure)) {
            return null;
        }
        int first = firstTable(procedure);
        if (first >= 0) {
            return procedure.statements().get(first).shape().columns();
        }
        return invocation.form() == Invocation.Form.ROWS ? List.of(column(invocation, ReplyKind.NOTHING)) : List.of();
    }

    private static boolean isJava(LoadedProcedure procedure) {
        return procedure.definition().body() instanceof ProcedureDefinition.JavaClass;
    }

    /** Whether a reply without rows becomes a row. */
    private static boolean isOneRow(Invocation invocation, LoadedProcedure procedure) {
        return invocation.form() == Invocation.Form.ROWS
                || (procedure.replyKind() == ReplyKind.VALUE && isJava(procedure));
    }

    private static ResultColumn column(Invocation invocation, ReplyKind kind) {
        boolean isNumber = kind == ReplyKind.VALUE;
        return new ResultColumn(
                invocation.column(), isNumber ? ColumnType.of(TypeKind.BIGINT) : ColumnType.varchar(1), !isNumber);
    }

    /** Place of the table that is the result among those that a call yields; -1 if none has rows of a query. */
    private static int firstTable(LoadedProcedure procedure) {
        if (isJava(procedure)) {
            return 0;
        }
        List<ProcedureStatement> statements = procedure.statements();
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i).yieldsRows()) {
                return i;
            }
        }
        return -1;
    }

    /** Makes one result of the call's answer. */
    private static final class Answers extends PassingSink<TransactionRequest.AdHoc> {
        private final Invocation invocation;
        private final LoadedProcedure procedure;

        Answers(
                TransactionRequest.AdHoc statement,
                ResponseSink sink,
                Invocation invocation,
                LoadedProcedure procedure) {
            super(statement, sink);
            this.invocation = invocation;
            this.procedure = procedure;
        }

        @Override
        public void respond(TransactionRequest call, TransactionResponse response) {
            sink.respond(request, response instanceof Committed committed ? result(committed) : response);
        }

        private Committed result(Committed answer) {
            return switch (answer.kind()) {
                case NOTHING -> nothing(answer);
                case VALUE -> isOneRow(invocation, procedure) ? row(answer, ReplyKind.VALUE) : answer;
                case TABLE -> answer;
                case TABLES -> table(answer);
            };
        }

        private Committed nothing(Committed answer) {
            return invocation.form() == Invocation.Form.ROWS
                    ? row(answer, ReplyKind.NOTHING)
                    : new Committed(Kind.NOTHING, 0, new byte[0], answer.snapshot());
        }

        private Committed row(Committed answer, ReplyKind kind) {
            ResultBlockWriter writer = new ResultBlockWriter(FIRST_BYTES, MOST_BYTES);
            writer.begin(new ResultLayout(List.of(column(invocation, kind))));
            writer.startRow();
            if (kind == ReplyKind.VALUE) {
                writer.setLong(0, answer.value());
            } else {
                writer.setNull(0);
            }
            writer.endRow();
            writer.end();
            return new Committed(Kind.TABLE, 0, writer.toByteArray(), answer.snapshot());
        }

        private Committed table(Committed answer) {
            byte[] results = answer.results();
            ResultBlock block = new ResultBlock();
            int place = 0;
            int start = 0;
            while (start < results.length) {
                block.wrap(results, start, results.length - start);
                int end = start + block.totalBytes();
                if (place == firstTable(procedure)) {
                    return new Committed(Kind.TABLE, 0, Arrays.copyOfRange(results, start, end), answer.snapshot());
                }
                place++;
                start = end;
            }
            return nothing(answer);
        }
    }
}
