package dev.fulmar.benchmarks.regression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.regression.Verdict.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final int INTEGER = 23;
    private static final int NUMERIC = 1700;

    @SuppressWarnings("NullAway") // the constructor of a compiled record has lost the annotation of its type's argument
    private static Answer rows(int type, @Nullable String... values) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (String value : values) {
            List<@Nullable String> row = new ArrayList<>();
            row.add(value);
            rows.add(row);
        }
        return new Answer("", "", List.of(new Answer.Column("a", type)), rows, "SELECT " + values.length, 'I');
    }

    private static Answer error(String state) {
        return new Answer(state, "wrong", List.of(), List.of(), "", 'I');
    }

    private static Answer done(String tag) {
        return new Answer("", "", List.of(), List.of(), tag, 'I');
    }

    private static Kind kind(String sql, Answer ours, Answer theirs) {
        return Comparison.judge(1, sql, ours, theirs).kind();
    }

    @Test
    void rowsAreEqualInAnyOrderUnlessTheQueryOrdersThem() {
        Answer one = rows(INTEGER, "1", null, "2");
        Answer other = rows(INTEGER, "2", "1", null);
        assertThat(kind("SELECT a FROM t", one, other)).isEqualTo(Kind.EQUAL);
        assertThat(kind("SELECT a FROM t ORDER BY b", one, other)).isEqualTo(Kind.WRONG);
        assertThat(kind("SELECT a FROM t ORDER BY b", one, one)).isEqualTo(Kind.EQUAL);
    }

    @Test
    void theOrderIsThatOfTheKeysBehindTheStatement() {
        Answer one = rows(INTEGER, "1", null, "2");
        Answer other = rows(INTEGER, "2", "1", null);
        assertThat(kind("SELECT a, sum(b) OVER (ORDER BY c) FROM (SELECT * FROM t ORDER BY a) AS u", one, other))
                .isEqualTo(Kind.EQUAL);
        assertThat(kind("SELECT a FROM t -- ORDER BY a", one, other)).isEqualTo(Kind.EQUAL);
        for (String keys : List.of("a", "1 DESC NULLS FIRST", "t.a LIMIT 3", "lower(a)", "a, b")) {
            assertThat(kind("SELECT a FROM t ORDER BY " + keys, one, other)).isEqualTo(Kind.WRONG);
        }
        List<Answer.Column> columns = List.of(new Answer.Column("a", INTEGER), new Answer.Column("b", INTEGER));
        Answer tied = new Answer("", "", columns, List.of(List.of("1", "5"), List.of("1", "6")), "SELECT 2", 'I');
        Answer turned = new Answer("", "", columns, List.of(List.of("1", "6"), List.of("1", "5")), "SELECT 2", 'I');
        assertThat(kind("SELECT a, b FROM t ORDER BY a", tied, turned)).isEqualTo(Kind.EQUAL);
        assertThat(kind("SELECT a, b FROM t ORDER BY a, b", tied, turned)).isEqualTo(Kind.WRONG);
    }

    @Test
    void aNullIsNoText() {
        assertThat(kind("SELECT a", rows(INTEGER, "null"), rows(INTEGER, (String) null)))
                .isEqualTo(Kind.WRONG);
    }

    @Test
    void anotherTypeOfTheSameValuesIsAnotherLabel() {
        assertThat(kind("SELECT a", rows(INTEGER, "1"), rows(NUMERIC, "1"))).isEqualTo(Kind.LABEL);
    }

    @Test
    void otherDigitsOfTheSameNumberAreAnotherLabel() {
        assertThat(kind("SELECT a", rows(NUMERIC, "1.50"), rows(NUMERIC, "1.5")))
                .isEqualTo(Kind.LABEL);
        assertThat(kind("SELECT a", rows(NUMERIC, "1.51"), rows(NUMERIC, "1.5")))
                .isEqualTo(Kind.WRONG);
        assertThat(kind("SELECT a", rows(25, "1.50"), rows(25, "1.5"))).isEqualTo(Kind.WRONG);
    }

    @Test
    void errorsAreEqualByTheirStates() {
        assertThat(kind("SELECT a", error("42P01"), error("42P01"))).isEqualTo(Kind.EQUAL);
        assertThat(kind("SELECT a", error("42601"), error("42P01"))).isEqualTo(Kind.UNSUPPORTED);
        assertThat(kind("SELECT a", error("0A000"), rows(INTEGER, "1"))).isEqualTo(Kind.UNSUPPORTED);
        assertThat(kind("SELECT a", rows(INTEGER, "1"), error("22P02"))).isEqualTo(Kind.WRONG);
    }

    @Test
    void countsOfRowsAreCompared() {
        assertThat(kind("UPDATE t SET a = 1", done("UPDATE 2"), done("UPDATE 3")))
                .isEqualTo(Kind.WRONG);
        assertThat(kind("UPDATE t SET a = 1", done("UPDATE 3"), done("UPDATE 3")))
                .isEqualTo(Kind.EQUAL);
        assertThat(kind("COMMIT", done("ROLLBACK"), done("COMMIT"))).isEqualTo(Kind.LABEL);
    }

    @Test
    void plansAreDocumentedDifferences() {
        assertThat(kind("EXPLAIN SELECT a", rows(25, "scan"), rows(25, "Seq Scan")))
                .isEqualTo(Kind.DOCUMENTED);
    }

    @Test
    void numbersOfSequencesAreDocumentedDifferences() {
        assertThat(kind("SELECT nextval('s')", rows(20, "1025"), rows(20, "2"))).isEqualTo(Kind.DOCUMENTED);
        assertThat(kind("SELECT currval('s')", rows(20, "1025"), rows(20, "2"))).isEqualTo(Kind.WRONG);
    }

    @Test
    void otherRowsBehindARefusalFollowFromIt() {
        Divergence divergence = new Divergence();
        divergence.executed(1, "CREATE TABLE t (a int)", done("CREATE TABLE"), done("CREATE TABLE"));
        divergence.executed(2, "CREATE TABLE s (a int)", done("CREATE TABLE"), done("CREATE TABLE"));
        divergence.executed(3, "INSERT INTO t VALUES ('1'::money)", error("0A000"), done("INSERT 0 1"));
        assertThat(divergence.origin("SELECT * FROM t")).isEqualTo(3);
        assertThat(divergence.origin("SELECT * FROM s")).isZero();
        assertThat(divergence.origin("SELECT conname FROM pg_constraint")).isEqualTo(3);
        divergence.executed(4, "INSERT INTO s SELECT * FROM t", done("INSERT 0 0"), done("INSERT 0 1"));
        assertThat(divergence.origin("SELECT * FROM s")).isEqualTo(4);
    }

    @Test
    void theListHasReasonsForStatements() {
        DocumentedDifferences list = new DocumentedDifferences(List.of("# why", "digits:", "int4 7 9"));
        assertThat(list.judged("int4", new Verdict(7, Kind.WRONG, "other rows")))
                .isEqualTo(new Verdict(7, Kind.DOCUMENTED, "digits"));
        assertThat(list.judged("int4", new Verdict(8, Kind.WRONG, "other rows")).kind())
                .isEqualTo(Kind.WRONG);
        assertThat(list.judged("int4", new Verdict(9, Kind.EQUAL, "")).kind()).isEqualTo(Kind.EQUAL);
    }
}
