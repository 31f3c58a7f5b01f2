package dev.fulmar.sql.calcite;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/**
 * Casts a text column of a subquery to CHAR where it is compared with a CHAR, so that blanks at the end do not count.
 * The rows of the subquery are made distinct before they are compared, and texts that differ in blanks at their ends
 * would find a row twice.
 */
final class SoughtTexts {
    private SoughtTexts() {}

    /** The same query. */
    static RelNode settle(RelNode query) {
        RexShuttle expressions = new RexShuttle() {
            @Override
            public RexNode visitSubQuery(RexSubQuery written) {
                RexSubQuery subquery = (RexSubQuery) super.visitSubQuery(written);
                return subquery.clone(comparable(settle(subquery.rel), subquery.getOperands()));
            }
        };
        return query.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                return super.visit(other).accept(expressions);
            }
        });
    }

    private static RelNode comparable(RelNode query, List<RexNode> compared) {
        RexBuilder rexBuilder = query.getCluster().getRexBuilder();
        RelDataTypeFactory typeFactory = rexBuilder.getTypeFactory();
        List<RexNode> columns = new ArrayList<>(rexBuilder.identityProjects(query.getRowType()));
        boolean isChanged = false;
        for (int i = 0; i < compared.size(); i++) {
            RelDataType type = columns.get(i).getType();
            List<RelDataType> types = List.of(compared.get(i).getType(), type);
            if (CharType.isMixed(types) && !(type instanceof CharType)) {
                RelDataType common = CharType.of(typeFactory, CharType.length(types), type.isNullable());
                columns.set(i, rexBuilder.makeAbstractCast(common, columns.get(i), false));
                isChanged = true;
            }
        }
        return isChanged
                ? LogicalProject.create(
                        query, List.of(), columns, query.getRowType().getFieldNames(), Set.of())
                : query;
    }
}
