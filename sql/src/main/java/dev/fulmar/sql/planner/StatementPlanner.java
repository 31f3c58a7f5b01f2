package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.sql.calcite.QueryParser;
import dev.fulmar.sql.expression.ExpressionConverter;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.util.Pair;

/** Makes the plan of a valid statement. */
public final class StatementPlanner {
    private StatementPlanner() {}

    /** The plan. */
    public static StatementPlan plan(String sql, QueryParser.Parsed parsed) {
        ExpressionConverter converter =
                new ExpressionConverter(parsed.root().rel.getCluster().getRexBuilder());
        if (parsed.root().rel instanceof TableModify modify) {
            StatementPlan.Fragment fragment = new ModificationPlanner(converter).plan(modify, parsed.upsert());
            return new StatementPlan(sql, parsed.parameters(), List.of(), List.of(fragment), Optional.empty());
        }
        return query(sql, parsed, converter);
    }

    private static StatementPlan query(String sql, QueryParser.Parsed parsed, ExpressionConverter converter) {
        RelNode rel = LogicalRewrite.rewrite(parsed.root().rel);
        List<Integer> columns = List.copyOf(Pair.left(parsed.root().fields));
        Fragments fragments = new Fragments();
        Part part = new RelationPlanner(converter, fragments).plan(rel, List.of());
        if (part.placement() instanceof Placement.Merged) {
            fragments = new Fragments();
            part = new RelationPlanner(converter, fragments).plan(LogicalRewrite.trim(rel), List.of());
        }
        Relation result = Relations.select(part.relation(), columns);
        if (part.placement() instanceof Placement.Merged) {
            return new StatementPlan(sql, parsed.parameters(), parsed.columns(), fragments.list(), Optional.of(result));
        }
        StatementPlan.Fragment only =
                new StatementPlan.Fragment(part.placement().scope(), new Operation.Query(result));
        return new StatementPlan(sql, parsed.parameters(), parsed.columns(), List.of(only), Optional.empty());
    }

    /** The value of a query without table, of one row and one column. */
    public static Expression constant(QueryParser.Parsed parsed) {
        ExpressionConverter converter =
                new ExpressionConverter(parsed.root().rel.getCluster().getRexBuilder());
        Part part = new RelationPlanner(converter, new Fragments()).plan(parsed.root().rel, List.of());
        return switch (part.relation()) {
            case Relation.Values values -> values.rows().getFirst().getFirst();
            case Relation.Project project -> project.expressions().getFirst();
            default -> throw new IllegalStateException("a constant's plan is one row");
        };
    }
}
