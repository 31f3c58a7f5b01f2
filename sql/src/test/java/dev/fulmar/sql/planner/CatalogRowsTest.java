package dev.fulmar.sql.planner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.fulmar.sql.calcite.CatalogRows;
import java.math.BigDecimal;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.type.SqlTypeName;
import org.junit.jupiter.api.Test;

class CatalogRowsTest {
    private final RelOptCluster cluster = RelOptCluster.create(
            new HepPlanner(HepProgram.builder().build()), new RexBuilder(new JavaTypeFactoryImpl()));
    private final RelDataType row =
            cluster.getTypeFactory().builder().add("OID", SqlTypeName.INTEGER).build();

    private ImmutableList<ImmutableList<RexLiteral>> numbers() {
        ImmutableList.Builder<ImmutableList<RexLiteral>> tuples = ImmutableList.builder();
        for (int i = 0; i < 9; i++) {
            tuples.add(ImmutableList.of(cluster.getRexBuilder().makeExactLiteral(BigDecimal.valueOf(3L * i))));
        }
        return tuples.build();
    }

    private static int conditions(RelNode rel) {
        return rel.getCluster()
                .getMetadataQuery()
                .getPulledUpPredicates(rel)
                .pulledUpPredicates
                .size();
    }

    /** A join of such tables took seconds to plan, most of them for conditions that list all rows. */
    @Test
    void theRowsOfTheCatalogAreNoConditionsOfItsQueries() {
        RelNode listed = LogicalRewrite.rewrite(LogicalValues.create(cluster, row, numbers()));
        assertThat(conditions(listed)).isPositive();
        RelNode shown = LogicalRewrite.rewrite(CatalogRows.of(cluster, row, numbers()));
        assertThat(CatalogRows.are(shown)).isTrue();
        assertThat(conditions(shown)).isZero();
    }
}
