package dev.fulmar.benchmarks.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Data and queries, without another engine. */
class TpchTest {
    private static final double SMALLEST = 0.0001;

    @Test
    void theDataDependsOnTheScaleAlone() {
        assertThat(linesOfOrders()).isEqualTo(linesOfOrders()).isNotEmpty();
    }

    private static List<String> linesOfOrders() {
        List<String> rows = new ArrayList<>();
        new TpchData(SMALLEST).rows("lineitem", row -> rows.add(List.of(row).toString()));
        return rows;
    }

    @Test
    void everyLineHasItsPartFromASupplierOfThePart() {
        TpchData data = new TpchData(SMALLEST);
        List<String> offers = new ArrayList<>();
        data.rows("partsupp", row -> offers.add(row[0] + " " + row[1]));
        data.rows("lineitem", row -> assertThat(offers).contains(row[1] + " " + row[2]));
    }

    @Test
    void allQueriesAnswerAlikeOnOneAndOnFourPartitions() {
        TpchData data = new TpchData(SMALLEST);
        try (TpchDatabase one = new TpchDatabase(1);
                TpchDatabase four = new TpchDatabase(4)) {
            assertThat(one.load(data)).isEqualTo(four.load(data));
            List<String> queries = TpchScripts.queries();
            assertThat(queries).hasSize(22);
            for (String query : queries) {
                assertThat(four.query(query).differenceTo(one.query(query)))
                        .as(query)
                        .isNull();
            }
        }
    }

    @Test
    void aDifferenceIsSeen() {
        TpchRows rows = rows("a", 1.0);
        assertThat(rows.differenceTo(rows("a", 1.0000000001))).isNull();
        assertThat(rows.differenceTo(rows("a", 1.1))).isNotNull();
        assertThat(rows.differenceTo(rows("b", 1.0))).isNotNull();
        assertThat(rows.differenceTo(new TpchRows())).isNotNull();
    }

    private static TpchRows rows(String text, double number) {
        TpchRows rows = new TpchRows();
        rows.add(List.of(text, number));
        return rows;
    }
}
