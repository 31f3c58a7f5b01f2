package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.CompiledStatement;
import dev.fulmar.engine.execution.StatementCompiler;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.plan.GivenNumbers;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The partitions that an INSERT into a table needs that is spread by row ids. */
class RowIdRoutingTest {
    private static final int PARTITIONS = 5;

    private final SqlCompiler compiler = new SqlCompiler();
    private final Catalog catalog =
            CatalogFixture.of(compiler, "CREATE TABLE log (n INTEGER, note VARCHAR(10)) PARTITION ON ROW;");

    private StatementPlan plan(String sql) {
        return ((SqlFrontend.Compiled.Runnable) compiler.compile(sql, catalog)).plan();
    }

    private BitSet partitions(StatementPlan plan, long... parameters) {
        CompiledStatement statement = StatementCompiler.compile(catalog, plan);
        ParameterWriter writer = new ParameterWriter(64, 1024);
        for (long parameter : parameters) {
            writer.add(parameter);
        }
        byte[] bytes = writer.toByteArray();
        Bindings bindings = statement.newBindings();
        bindings.readFrom(new ParameterReader(ParameterWriter.MAX_PARAMETERS).wrap(bytes, 0, bytes.length));
        BitSet partitions = new BitSet();
        statement.newRouter().partitions(0, PartitionPlan.hash(PARTITIONS), bindings, partitions);
        return partitions;
    }

    @Test
    void aRowThatIsGivenItsIdNeedsOnePartition() {
        StatementPlan written = plan("INSERT INTO log VALUES (?, 'x')");
        assertThat(GivenNumbers.of(written, sequence -> false))
                .containsExactly(new GivenNumbers.Number(GivenNumbers.Kind.ROW, 0));
        StatementPlan given = GivenNumbers.given(written, sequence -> false, 3);
        BitSet met = new BitSet();
        IntStream.range(0, 100).forEach(id -> {
            BitSet one = partitions(given, 7, id);
            assertThat(one.cardinality()).isEqualTo(1);
            met.or(one);
        });
        assertThat(met.cardinality()).isEqualTo(PARTITIONS);
    }

    /** Its id depends on the transaction's time, which is known where it runs. */
    @Test
    void aRowThatIsNotGivenItsIdNeedsAllPartitions() {
        assertThat(partitions(plan("INSERT INTO log VALUES (?, 'x')"), 7).cardinality())
                .isEqualTo(PARTITIONS);
    }

    @Test
    void eachRowIsGivenAnIdOfItsOwn() {
        StatementPlan written = plan("INSERT INTO log (note) VALUES ('a'), ('b'), ('c')");
        assertThat(GivenNumbers.of(written, sequence -> false)).hasSize(3);
        assertThat(GivenNumbers.given(written, sequence -> false, 3).parameters())
                .hasSize(3);
    }
}
