package dev.fulmar.sql.explain;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.plan.StatementPlan.Fragment;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.estimate.StatisticsUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * EXPLAIN ANALYZE: a query that runs another one as it would run. In place of its rows it yields its plan, with what
 * each operator did. The fragments yield figures behind their rows, so that they come along whatever way rows come,
 * from other nodes too.
 */
public final class Analysis {
    private final StatementPlan plan;
    private final Catalog catalog;
    private final StatisticsUse statisticsUse;
    private final List<Relation> measured = new ArrayList<>();

    private Analysis(StatementPlan plan, Catalog catalog, StatisticsUse statisticsUse) {
        this.plan = plan;
        this.catalog = catalog;
        this.statisticsUse = statisticsUse;
        for (int i = 0; i < plan.fragments().size(); i++) {
            measured.add(new Relation.Measured(relation(plan.fragments().get(i)), i));
        }
    }

    /**
     * The query that runs the other.
     *
     * @param sql the text of the whole statement
     * @param weighing what was known of the tables
     */
    public static StatementPlan of(String sql, StatementPlan plan, Catalog catalog, StatisticsUse statisticsUse) {
        if (!plan.isReadOnly()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "EXPLAIN ANALYZE runs the statement, so it takes queries only; EXPLAIN shows the plan of a change");
        }
        return new Analysis(plan, catalog, statisticsUse)
                .plan(sql)
                .narrowedBy(plan.narrowing()
                        .map(way ->
                                new StatementPlan.SemiJoin(way.keys(), of(sql, way.narrow(), catalog, statisticsUse))));
    }

    private static Relation relation(Fragment fragment) {
        return ((Operation.Query) fragment.operation()).relation();
    }

    private StatementPlan plan(String sql) {
        List<Relation.Line> lines = PlanPrinter.measurable(plan, catalog, statisticsUse);
        ColumnType text =
                new Relation.Annotated(measured.getFirst(), lines).columns().getFirst();
        List<ResultColumn> columns = List.of(new ResultColumn("PLAN", text, false));
        if (measured.size() == 1 && plan.merge().isEmpty() && isOnePartition()) {
            Relation told = new Relation.Annotated(figures(measured.getFirst()), lines);
            PartitionScope scope = plan.fragments().getFirst().scope();
            List<Fragment> fragments = List.of(new Fragment(scope, new Operation.Query(told)));
            return new StatementPlan(sql, plan.parameters(), columns, fragments, Optional.empty());
        }
        List<Fragment> fragments = new ArrayList<>();
        for (int i = 0; i < measured.size(); i++) {
            fragments.add(new Fragment(plan.fragments().get(i).scope(), new Operation.Query(measured.get(i))));
        }
        return new StatementPlan(
                sql,
                plan.parameters(),
                columns,
                fragments,
                Optional.of(new Relation.Annotated(together(), lines)),
                Optional.of(alone(plan.onOnePartition()
                        .orElseGet(() -> relation(plan.fragments().getFirst())))));
    }

    private boolean isOnePartition() {
        return switch (plan.fragments().getFirst().scope()) {
            case PartitionScope.Any any -> true;
            case PartitionScope.Keys keys -> keys.values().size() == 1;
            case PartitionScope.All all -> false;
            case PartitionScope.Replicas replicas -> false;
            case PartitionScope.ByRow byRow -> false;
        };
    }

    /** The figures of the merge, which runs first, and those that came with the fragments' rows. */
    private Relation together() {
        List<Relation> all = new ArrayList<>();
        plan.merge().ifPresent(merge -> all.add(figures(new Relation.Measured(merge, measured.size()))));
        for (int i = 0; i < measured.size(); i++) {
            all.add(figures(new Relation.Receive(i, measured.get(i).columns())));
        }
        return all.size() == 1 ? all.getFirst() : new Relation.UnionAll(all);
    }

    private Relation alone(Relation relation) {
        int part = measured.size() + 1;
        return new Relation.Annotated(
                figures(new Relation.Measured(relation, part)),
                PlanPrinter.measurable(plan, relation, part, catalog, statisticsUse));
    }

    /** The last columns of the rows. */
    private static Relation figures(Relation rows) {
        List<ColumnType> columns = rows.columns();
        List<Expression> figures = new ArrayList<>();
        for (int i = columns.size() - Relation.Measured.FIGURES.size(); i < columns.size(); i++) {
            figures.add(new Expression.ColumnReference(i, columns.get(i), true));
        }
        return new Relation.Project(rows, figures);
    }
}
