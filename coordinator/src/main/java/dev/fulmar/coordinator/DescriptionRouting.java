package dev.fulmar.coordinator;

import dev.fulmar.coordinator.access.AccessControl;
import dev.fulmar.coordinator.access.StatementNeeds;
import dev.fulmar.coordinator.invocation.InvokedProcedures;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.statement.ExplanationBlock;
import dev.fulmar.coordinator.statement.PreparedStatement;
import dev.fulmar.coordinator.statement.StatementDescriber;
import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.coordinator.statement.Statements.Meaning;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.spi.Invocation;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import java.util.List;
import java.util.function.Consumer;

/** Describes statements that clients prepare, to those who may execute them. Thread-safe. */
final class DescriptionRouting implements StatementDescriber {
    private final QueryPlanning planning;

    DescriptionRouting(QueryPlanning planning) {
        this.planning = planning;
    }

    @Override
    public void describe(
            TransactionRequest.AdHoc statement, Consumer<StatementDescription> known, ResponseSink refused) {
        planning.plan(
                statement,
                refused,
                (incoming, meaning, program) -> known.accept(description(statement, meaning, program)));
    }

    @Override
    public void describeBehind(
            List<String> changes,
            TransactionRequest.AdHoc statement,
            Consumer<StatementDescription> known,
            ResponseSink refused) {
        planning.planBehind(
                changes,
                statement,
                refused,
                (meaning, catalog, program) -> known.accept(prospective(statement, meaning, catalog, program)));
    }

    /** A change, and what a transaction that changes tables refuses, yields nothing. */
    private static StatementDescription prospective(
            TransactionRequest.AdHoc asked, SqlFrontend.Compiled meaning, Catalog catalog, Program program) {
        long version = StatementDescription.OF_TRANSACTION;
        return switch (meaning) {
            case SqlFrontend.Compiled.Runnable(StatementPlan plan, var _) -> {
                AccessControl.statement(asked.caller(), catalog, StatementNeeds.of(plan, catalog));
                yield new StatementDescription(plan.columns(), plan.parameters(), plan.isReadOnly(), version)
                        .with(StatementNeeds.touched(plan, catalog));
            }
            case SqlFrontend.Compiled.Explanation _ -> description(ExplanationBlock.COLUMNS, version);
            // Procedures are those of before, for such a transaction changes none.
            case SqlFrontend.Compiled.Call(Invocation call) ->
                InvokedProcedures.description(call, asked.caller(), program);
            case SqlFrontend.Compiled.Change _, SqlFrontend.Compiled.TableOfQuery _ -> description(List.of(), version);
        };
    }

    @Override
    public long catalogVersion() {
        return planning.catalogVersion();
    }

    private static StatementDescription description(TransactionRequest.AdHoc asked, Meaning meaning, Program program) {
        long version = program.catalog().version();
        return switch (meaning) {
            case Meaning.Runs(PreparedStatement statement, TransactionRequest.AdHoc request) -> {
                AccessControl.statement(asked.caller(), program.catalog(), statement.needs());
                // A request that was changed has its own literals as parameters, of which its client knows nothing.
                List<ColumnType> parameters =
                        request.sql().equals(asked.sql()) ? statement.parameterTypes() : List.of();
                boolean isReadOnly = statement.target().procedure().isReadOnly();
                yield new StatementDescription(statement.columns(), parameters, isReadOnly, version)
                        .with(statement.touched());
            }
            case Meaning.Calls(Invocation call) -> InvokedProcedures.description(call, asked.caller(), program);
            case Meaning.Explains _ -> description(ExplanationBlock.COLUMNS, version);
            case Meaning.Changes changes -> description(ValueAnswer.columns(changes.change()), version);
            case Meaning.MakesTable _ -> description(List.of(), version);
        };
    }

    private static StatementDescription description(List<ResultColumn> columns, long version) {
        return new StatementDescription(columns, List.of(), false, version);
    }
}
