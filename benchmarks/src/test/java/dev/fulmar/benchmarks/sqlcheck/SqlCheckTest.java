package dev.fulmar.benchmarks.sqlcheck;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is drawn, judged and made small. */
class SqlCheckTest {
    private static final Answer ONE = Answer.rows(List.of("1"));
    private static final Answer TWO = Answer.rows(List.of("2"));
    private static final Answer REFUSED = Answer.error(Answer.Outcome.REFUSED, "unknown");
    private static final Answer OVERFLOW = Answer.error(Answer.Outcome.DATA_ERROR, "too large");

    @Test
    void oneReferenceThatAgreesIsEnough() {
        assertThat(kind(List.of(ONE, ONE), List.of(TWO, ONE))).isEqualTo(Judgement.Kind.AGREED);
        assertThat(kind(List.of(ONE, ONE), List.of(TWO, REFUSED))).isEqualTo(Judgement.Kind.DIFFERENT);
        assertThat(kind(List.of(ONE, ONE), List.of(REFUSED, REFUSED))).isEqualTo(Judgement.Kind.UNCOMPARED);
    }

    @Test
    void partitionsAndDefectsAreNeverExcused() {
        assertThat(kind(List.of(ONE, TWO), List.of(ONE, TWO))).isEqualTo(Judgement.Kind.DIFFERENT);
        Answer defect = Answer.error(Answer.Outcome.DEFECT, "broken");
        assertThat(kind(List.of(defect, defect), List.of(REFUSED))).isEqualTo(Judgement.Kind.DIFFERENT);
    }

    @Test
    void errorsOfTheDataMayComeOnOneSideOnly() {
        assertThat(kind(List.of(OVERFLOW, OVERFLOW), List.of(ONE))).isEqualTo(Judgement.Kind.ERRORS_DIFFER);
        assertThat(kind(List.of(OVERFLOW, OVERFLOW), List.of(OVERFLOW))).isEqualTo(Judgement.Kind.AGREED);
        Answer taken = Answer.error(Answer.Outcome.CONSTRAINT, "key exists");
        assertThat(kind(List.of(Answer.count(1), Answer.count(1)), List.of(taken)))
                .isEqualTo(Judgement.Kind.DIFFERENT);
    }

    @Test
    void typesCountWhereBothSidesTellThem() {
        Answer integer = ONE.of(List.of("int4"));
        Answer wider = ONE.of(List.of("int8"));
        assertThat(kind(List.of(integer, integer), List.of(integer))).isEqualTo(Judgement.Kind.AGREED);
        assertThat(kind(List.of(integer, integer), List.of(ONE))).isEqualTo(Judgement.Kind.AGREED);
        Judgement other = Judgement.of(List.of(integer, integer), List.of(wider), false);
        assertThat(other.kind()).isEqualTo(Judgement.Kind.DIFFERENT);
        assertThat(other.detail()).isEqualTo(Judgement.TYPES + "[int4], not [int8]");
        assertThat(kind(List.of(integer, wider), List.of(integer))).isEqualTo(Judgement.Kind.DIFFERENT);
        assertThat(Tolerance.ofTypes("SELECT MOD( A , 3 ) FROM T1")).isPresent();
        assertThat(Tolerance.ofTypes("SELECT A FROM T1")).isEmpty();
    }

    @Test
    void orderCountsWhereItIsDetermined() {
        Answer ascending = Answer.rows(List.of("1", "2"));
        Answer descending = Answer.rows(List.of("2", "1"));
        assertThat(ascending.agreesWith(descending, false)).isTrue();
        assertThat(ascending.agreesWith(descending, true)).isFalse();
    }

    @Test
    void numbersAreComparedByValue() {
        assertThat(Answer.text(new java.math.BigDecimal("1.50"))).isEqualTo(Answer.text(1.5));
        assertThat(Answer.text(0.1 + 0.2)).isEqualTo(Answer.text(0.3));
        assertThat(Answer.text(3.0e38f)).isEqualTo(Answer.text(3.0e38));
        assertThat(Answer.text(7L)).isEqualTo(Answer.text(new java.math.BigDecimal("7.00")));
    }

    @Test
    void aPhraseGetsSimplerWithoutItsOptionalAndNestedParts() {
        Phrase inner = Phrase.of(ValueType.INTEGER, "(", Phrase.of(ValueType.INTEGER, "A"), "+ 1 )");
        Phrase query = Phrase.of("", "SELECT", inner, Phrase.clause("WHERE TRUE"));
        assertThat(query.text()).isEqualTo("SELECT ( A + 1 ) WHERE TRUE");
        assertThat(query.simpler().stream().map(Phrase::text))
                .contains("SELECT ( A + 1 )", "SELECT A WHERE TRUE", "SELECT 0 WHERE TRUE");
    }

    @Test
    void theSameSeedDrawsTheSame() {
        assertThat(drawn(5)).isEqualTo(drawn(5)).isNotEqualTo(drawn(6));
    }

    private static String drawn(long seed) {
        Draw draw = new Draw(seed);
        GeneratedTable table = GeneratedTable.draw("T1", draw);
        return table.creation()
                + new QueryDraw(draw, List.of(table)).statement().text();
    }

    @Test
    void aFindingIsReducedToTheRowAndThePartThatShowIt() {
        try (FulmarEngine engine = new FulmarEngine(2, true)) {
            Draw draw = new Draw(1);
            GeneratedTable table = new GeneratedTable(
                    "T1",
                    List.of(new GeneratedTable.Column("C0", ValueType.INTEGER, "INTEGER", false)),
                    1,
                    0,
                    List.of());
            Map<String, List<String>> rows = new LinkedHashMap<>(Map.of("T1", new ArrayList<>(List.of("1", "2", "3"))));
            Phrase statement = Phrase.of("", "SELECT C0 FROM T1", Phrase.clause("WHERE C0 >", draw.pick("0")));
            Bench bench = new Bench(List.of(engine));
            Minimiser minimiser = new Minimiser(
                    bench,
                    List.of(table),
                    rows,
                    statement,
                    false,
                    phrase -> List.of(phrase.text()),
                    phrase -> bench.ask(phrase.text()).getFirst().rows().contains("2"));
            assertThat(minimiser.minimise())
                    .contains("INSERT INTO T1 VALUES (2);")
                    .contains("\nSELECT C0 FROM T1;");
        }
    }

    @Test
    void aFewQueriesMeanTheSameInEveryWay() throws Exception {
        Tally tally = MetamorphicTrial.run(11, 60, 1, null, line -> {});
        assertThat(tally.differences()).isEmpty();
        assertThat(tally.statements()).isGreaterThanOrEqualTo(60);
    }

    @Test
    void whatDiffersFromPostgresIsInTheDocument() throws Exception {
        String document = Files.readString(Path.of("../docs/SQL.md"));
        String clauses = document.substring(
                document.indexOf("### Differences from PostgreSQL"),
                document.indexOf("Of the public sqllogictest suite"));
        List<String> named = Pattern.compile("(?m)^- \\*\\*(.*?)\\*\\*")
                .matcher(clauses)
                .results()
                .map(each -> each.group(1))
                .sorted()
                .toList();
        assertThat(named)
                .isEqualTo(Tolerance.ALL.stream()
                        .map(Tolerance::clause)
                        .distinct()
                        .sorted()
                        .toList());
    }

    @Test
    void onlyTheRefusalOfAClauseIsLetPass() {
        assertThat(Tolerance.ofRefusal("DELETE FROM T1", "it needs a primary key, by which the rows are found again"))
                .isPresent();
        assertThat(Tolerance.ofRefusal("SELECT A", "NOT_SUPPORTED another thing"))
                .isEmpty();
        assertThat(Tolerance.ofAnswer("SELECT A FROM T1")).isEmpty();
    }

    @Test
    void postgresIsBinding() {
        Judgement agreed = new Judgement(Judgement.Kind.AGREED, "");
        assertThat(beside("SELECT A FROM T1 WHERE B", agreed, ONE, ONE)).isEqualTo(Judgement.Kind.AGREED);
        assertThat(beside("SELECT A FROM T1 WHERE B", agreed, ONE, TWO)).isEqualTo(Judgement.Kind.DIFFERENT);
        Judgement refused = new Judgement(Judgement.Kind.REFUSED, "NOT_SUPPORTED another thing");
        assertThat(beside("SELECT A FROM T1", refused, REFUSED, ONE)).isEqualTo(Judgement.Kind.DIFFERENT);
        assertThat(beside("SELECT A FROM T1", refused, REFUSED, REFUSED)).isEqualTo(Judgement.Kind.REFUSED);
        Judgement known =
                new Judgement(Judgement.Kind.REFUSED, "a table needs a primary key, by which the rows are found again");
        assertThat(beside("DELETE FROM T1", known, REFUSED, ONE)).isEqualTo(Judgement.Kind.DOCUMENTED);
    }

    @Test
    void anErrorOnOneSideIsExcusedOnlyWhereSqlLeavesOpenWhatIsEvaluated() {
        Judgement differ = new Judgement(Judgement.Kind.ERRORS_DIFFER, "");
        Answer added = Answer.count(1);
        assertThat(beside("INSERT INTO T1 VALUES ( 1E39 )", differ, added, OVERFLOW))
                .isEqualTo(Judgement.Kind.DIFFERENT);
        assertThat(beside("SELECT ( A + INTERVAL '1' HOUR ) AS X1 FROM T1 A1", differ, OVERFLOW, ONE))
                .isEqualTo(Judgement.Kind.DIFFERENT);
        assertThat(beside("SELECT COUNT( ( A + B ) ) AS X1 FROM T1 A1", differ, ONE, OVERFLOW))
                .isEqualTo(Judgement.Kind.DOCUMENTED);
        assertThat(beside("SELECT COUNT( ( A + B ) ) AS X1 FROM T1 A1", differ, OVERFLOW, ONE))
                .isEqualTo(Judgement.Kind.DIFFERENT);
        assertThat(beside(
                        "SELECT COUNT(*), COUNT(DISTINCT A + B ), SUM( A + B ) AS X1 FROM T1 A1",
                        differ,
                        ONE,
                        OVERFLOW))
                .isEqualTo(Judgement.Kind.DIFFERENT);
        assertThat(beside("SELECT A FROM T1 A1 WHERE ( B > 1 )", differ, OVERFLOW, ONE))
                .isEqualTo(Judgement.Kind.ERRORS_DIFFER);
        assertThat(beside("SELECT A FROM T1 WHERE B", differ, Answer.rows(List.of("Infinity")), OVERFLOW))
                .isEqualTo(Judgement.Kind.DIFFERENT);
    }

    @Test
    void anotherOrderOfTheSameRowsIsLetPassOnlyAsTheClauseSays() {
        String sets = "SELECT A FROM T1 WHERE ( A = 'a' ) GROUP BY ROLLUP ( B, A ) ORDER BY 1 ASC NULLS FIRST";
        Answer mine = Answer.rows(List.of("NULL", "'a'"));
        Answer postgres = Answer.rows(List.of("'a'", "NULL"));
        Judgement agreed = new Judgement(Judgement.Kind.AGREED, "");
        assertThat(DifferentialTrial.besidePostgres(sets, agreed, mine, postgres, true)
                        .kind())
                .isEqualTo(Judgement.Kind.DOCUMENTED);
        assertThat(DifferentialTrial.besidePostgres(sets, agreed, mine, Answer.rows(List.of("'a'")), true)
                        .kind())
                .isEqualTo(Judgement.Kind.DIFFERENT);
        String plain = "SELECT A FROM T1 WHERE ( A = 'a' ) GROUP BY B, A ORDER BY 1 ASC NULLS FIRST";
        assertThat(DifferentialTrial.besidePostgres(plain, agreed, mine, postgres, true)
                        .kind())
                .isEqualTo(Judgement.Kind.DIFFERENT);
    }

    @Test
    void anErrorOrARefusalIsNoWitness() {
        assertThat(DifferentialTrial.isAlone(List.of(ONE, REFUSED, OVERFLOW))).isTrue();
        assertThat(DifferentialTrial.isAlone(List.of(ONE, ONE, OVERFLOW))).isFalse();
        assertThat(DifferentialTrial.isAlone(List.of(REFUSED, OVERFLOW))).isFalse();
    }

    private static Judgement.Kind beside(String text, Judgement judgement, Answer mine, Answer postgres) {
        return DifferentialTrial.besidePostgres(text, judgement, mine, postgres, false)
                .kind();
    }

    @Test
    void everyFormThatOnceWasMissingIsDrawn() {
        StringBuilder drawn = new StringBuilder();
        for (long seed = 0; seed < 60; seed++) {
            Draw draw = new Draw(seed);
            List<GeneratedTable> tables = List.of(GeneratedTable.draw("T1", draw), GeneratedTable.draw("T2", draw));
            tables.forEach(table -> drawn.append(table.creation()).append('\n'));
            for (int i = 0; i < 40; i++) {
                drawn.append(new QueryDraw(draw, tables).statement().text()).append('\n');
                drawn.append(new ChangeDraw(draw, tables).statement().phrase().text())
                        .append('\n');
            }
        }
        assertThat(drawn)
                .contains("EXCLUDE CURRENT ROW", "EXCLUDE GROUP", "EXCLUDE TIES", "EXCLUDE NO OTHERS")
                .contains(" CHAR(4)", " CHAR(6)", " REAL", " TIME", " DEFAULT ")
                .contains("USING (C0)", "NATURAL", "INTERSECT ALL", "EXCEPT ALL")
                .contains("1E39", "INTERVAL '45' MINUTE", "INTERVAL '36' HOUR")
                .contains("AS INT8 )", ":: TEXT", ":: BOOL", "U&'")
                .containsPattern("INSERT INTO T\\d SELECT .* WHERE NOT EXISTS \\(SELECT")
                .containsPattern("INSERT INTO T\\d VALUES \\( [^)]*, DEFAULT")
                .containsPattern("INSERT INTO T\\d DEFAULT VALUES")
                .containsPattern("OVER \\( V1 (ROWS|RANGE) .* WINDOW V1 AS \\(")
                .containsPattern("IN \\( SELECT [^()]*(RANK|DENSE_RANK|COUNT)\\([^()]*\\) OVER \\(")
                .containsPattern("USING \\(C0\\) CROSS JOIN LATERAL")
                .containsPattern("\\( A\\d+\\.C\\d (NOT )?IN \\( ('b ',|'b ' \\))")
                .containsPattern("\\( CASE A\\d+\\.C\\d WHEN '")
                .containsPattern("\\(A\\d+\\.C\\d, A\\d+\\.C\\d\\) IN \\(");
    }

    @Test
    void postgresIsAskedInItsWords() {
        assertThat(PostgresDialect.translate("SELECT CAST( EXTRACT( DAY FROM ( A + INTERVAL '1' MONTH ) ) AS DOUBLE)"))
                .isEqualTo("SELECT CAST( CAST(EXTRACT( DAY FROM ( A + CAST(ROW(INTERVAL '1' MONTH) AS fulmar.days) ) )"
                        + " AS INTEGER) AS DOUBLE PRECISION)");
        assertThat(PostgresDialect.translate("( A + INTERVAL '1' HOUR )")).isEqualTo("( A + INTERVAL '1' HOUR )");
    }

    private static Judgement.Kind kind(List<Answer> ours, List<Answer> references) {
        return Judgement.of(ours, references, false).kind();
    }
}
