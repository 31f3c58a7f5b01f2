package dev.fulmar.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.execution.StatementCompiler;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.procedure.Determinism;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.procedure.Expectation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Nodes name to each other every statement that can run on a partition, also those that are parts of others. */
class StatementPlaceTest {
    private static StatementPlan query() {
        StatementPlan.Fragment fragment = new StatementPlan.Fragment(
                new PartitionScope.All(), new Operation.Query(new Relation.Values(List.of(), List.of())));
        return new StatementPlan("", List.of(), List.of(), List.of(fragment), Optional.empty());
    }

    private static StatementPlan narrowed() {
        return query().narrowedBy(Optional.of(new StatementPlan.SemiJoin(query(), query())));
    }

    private static LoadedProcedure procedure(StatementPlan... plans) {
        List<ProcedureStatement> statements = IntStream.range(0, plans.length)
                .mapToObj(number -> new ProcedureStatement(
                        number, StatementCompiler.compile(Catalog.empty(), plans[number]), Expectation.ANY))
                .toList();
        return new LoadedProcedure(
                new ProcedureDefinition("P", Optional.empty(), new ProcedureDefinition.Sql(List.of())),
                List.of(),
                List.of(),
                new LoadedProcedure.Code(
                        statements,
                        LoadedProcedure.Scope.MULTI_PARTITION,
                        true,
                        Determinism.PROVEN,
                        (context, parameters, reply) -> reply.nothing()),
                false);
    }

    private static void assertNamed(ProcedureStatement statement, LoadedProcedure procedure) {
        StatementPlace place = StatementPlace.of(statement, procedure);
        assertThat(place.in(procedure)).as(place.toString()).isSameAs(statement);
    }

    @Test
    void partsOfStatementsAreFoundAgain() {
        StatementPlan steps = StatementPlan.inSteps(
                "", List.of(), new StatementPlan.Steps(narrowed(), List.of(query(), query(), query())));
        LoadedProcedure procedure = procedure(query(), narrowed(), steps);
        ProcedureStatement second = procedure.statements().get(1);
        ProcedureStatement.Steps inSteps =
                Objects.requireNonNull(procedure.statements().get(2).steps());
        ProcedureStatement.SemiJoin own = Objects.requireNonNull(second.semiJoin());
        ProcedureStatement.SemiJoin ofSource =
                Objects.requireNonNull(inSteps.source().semiJoin());
        procedure.statements().forEach(statement -> assertNamed(statement, procedure));
        inSteps.changes().forEach(change -> assertNamed(change, procedure));
        for (ProcedureStatement part :
                List.of(inSteps.source(), own.keys(), own.narrow(), ofSource.keys(), ofSource.narrow())) {
            assertNamed(part, procedure);
        }
    }

    @Test
    void partsOfPartsAreFoundAgain() {
        StatementPlan inner = StatementPlan.inSteps("", List.of(), new StatementPlan.Steps(query(), List.of(query())));
        StatementPlan middle =
                StatementPlan.inSteps("", List.of(), new StatementPlan.Steps(narrowed(), List.of(inner, query())));
        StatementPlan outer =
                StatementPlan.inSteps("", List.of(), new StatementPlan.Steps(inner, List.of(middle, query(), inner)));
        LoadedProcedure procedure = procedure(outer, query());
        List<ProcedureStatement> parts = new ArrayList<>(procedure.statements());
        for (int i = 0; i < parts.size(); i++) {
            ProcedureStatement.Steps steps = parts.get(i).steps();
            if (steps != null) {
                parts.add(steps.source());
                parts.addAll(steps.changes());
            }
        }
        assertThat(parts).hasSize(15);
        parts.forEach(part -> assertNamed(part, procedure));
    }

    @Test
    void placesThatAProcedureDoesNotHaveAreNowhere() {
        LoadedProcedure procedure = procedure(query(), narrowed());
        for (int step : new int[] {-1, 1, 2, 1 << 20, 2 << 20, 3 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThat(new StatementPlace(0, step).in(procedure)).isNull();
        }
        assertThat(new StatementPlace(1, (1 << 20) + 1).in(procedure)).isNull();
        assertThat(new StatementPlace(1, 3 << 20).in(procedure)).isNull();
        assertThat(new StatementPlace(2, 0).in(procedure)).isNull();
        assertThat(new StatementPlace(-1, 0).in(procedure)).isNull();
    }
}
