package dev.fulmar.benchmarks.sqlcheck;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Counts and findings of a trial. */
public final class Tally {
    private static final int EXAMPLES = 12;
    private static final List<String> OPERATORS = List.of(
            " JOIN ",
            "LEFT JOIN",
            "RIGHT JOIN",
            "FULL JOIN",
            "CROSS JOIN",
            "EXISTS (",
            "NOT EXISTS (",
            " IN ( SELECT",
            "NOT IN ( SELECT",
            " ANY (",
            " ALL (",
            "UNION ",
            "UNION ALL",
            "INTERSECT",
            "EXCEPT",
            "WITH W",
            "GROUP BY",
            "HAVING",
            "ROLLUP",
            "CUBE",
            "OVER (",
            "SELECT DISTINCT",
            "ORDER BY",
            "OFFSET",
            "FETCH FIRST",
            "CASE WHEN",
            "COALESCE(",
            "NULLIF(",
            "LIKE",
            "BETWEEN",
            "DISTINCT FROM",
            "FILTER (",
            "COUNT(*)",
            "COUNT(DISTINCT",
            "SUM(",
            "AVG(",
            "MIN(",
            "MAX(",
            "LATERAL (",
            "LAG(",
            "LEAD(",
            "FIRST_VALUE(",
            "NTILE(",
            "INTERVAL '",
            "EXTRACT(",
            "SUBSTRING(",
            "REPLACE(",
            " EXCLUDE ",
            " USING (C0)",
            " NATURAL ",
            "INTERSECT ALL",
            "EXCEPT ALL",
            " :: ",
            "U&'",
            "AS CHAR(4))",
            "AS REAL)",
            "TIME '");

    private static final List<String> CHANGES = List.of(
            "INSERT INTO", "UPDATE ", "DELETE FROM", "MERGE INTO", "RETURNING", " DEFAULT", "WHERE NOT EXISTS (SELECT");

    private final Map<Judgement.Kind, Integer> kinds = new EnumMap<>(Judgement.Kind.class);
    private final SortedMap<String, Integer> operators = new TreeMap<>();
    private final SortedMap<String, Integer> documented = new TreeMap<>();
    private final Map<String, Integer> refusals = new LinkedHashMap<>();
    private final List<String> refusalExamples = new ArrayList<>();
    private final List<String> errorExamples = new ArrayList<>();
    private final List<String> differences = new ArrayList<>();
    private int statements;
    private int queries;
    private int withRows;

    void count(String statement, Answer answer, Judgement judgement) {
        statements++;
        kinds.merge(judgement.kind(), 1, Integer::sum);
        Stream.concat(OPERATORS.stream(), CHANGES.stream())
                .filter(statement::contains)
                .forEach(operator -> operators.merge(operator.strip(), 1, Integer::sum));
        if (answer.outcome() == Answer.Outcome.ROWS) {
            queries++;
            withRows += answer.rows().isEmpty() ? 0 : 1;
        }
        if (judgement.kind() == Judgement.Kind.DOCUMENTED) {
            documented.merge(judgement.detail(), 1, Integer::sum);
        }
        if (judgement.kind() == Judgement.Kind.REFUSED) {
            String kind = judgement.detail().replaceAll("\\d+", "N").replaceAll("'[^']*'|T\\w*", "_");
            if (refusals.merge(kind, 1, Integer::sum) == 1) {
                refusalExamples.add(statement + " -- " + judgement.detail());
            }
        }
        if (judgement.kind() == Judgement.Kind.ERRORS_DIFFER && errorExamples.size() < EXAMPLES) {
            errorExamples.add(statement + " -- " + judgement.detail());
        }
    }

    void difference(String script) {
        differences.add(script);
    }

    /**
     * All that was counted.
     *
     * @param kinds how many statements came out how
     */
    record Counts(
            int statements,
            int queries,
            int withRows,
            Map<Judgement.Kind, Integer> kinds,
            Map<String, Integer> operators,
            Map<String, Integer> documented,
            Map<String, Integer> refusals,
            List<String> refusalExamples,
            List<String> errorExamples,
            List<String> differences) {}

    Counts counts() {
        return new Counts(
                statements,
                queries,
                withRows,
                kinds,
                operators,
                documented,
                refusals,
                refusalExamples,
                errorExamples,
                differences);
    }

    static Tally of(Counts counts) {
        Tally tally = new Tally();
        tally.statements = counts.statements();
        tally.queries = counts.queries();
        tally.withRows = counts.withRows();
        tally.kinds.putAll(counts.kinds());
        tally.operators.putAll(counts.operators());
        tally.documented.putAll(counts.documented());
        tally.refusals.putAll(counts.refusals());
        tally.refusalExamples.addAll(counts.refusalExamples());
        tally.errorExamples.addAll(counts.errorExamples());
        tally.differences.addAll(counts.differences());
        return tally;
    }

    /** Adds what another one counted. */
    void add(Tally other) {
        statements += other.statements;
        queries += other.queries;
        withRows += other.withRows;
        other.kinds.forEach((kind, count) -> kinds.merge(kind, count, Integer::sum));
        other.operators.forEach((operator, count) -> operators.merge(operator, count, Integer::sum));
        other.documented.forEach((clause, count) -> documented.merge(clause, count, Integer::sum));
        List<String> kindsOfRefusal = List.copyOf(other.refusals.keySet());
        for (int i = 0; i < kindsOfRefusal.size(); i++) {
            String kind = kindsOfRefusal.get(i);
            if (!refusals.containsKey(kind)) {
                refusalExamples.add(other.refusalExamples.get(i));
            }
            refusals.merge(kind, other.refusals.getOrDefault(kind, 0), Integer::sum);
        }
        other.errorExamples.stream()
                .limit(Math.max(0, EXAMPLES - errorExamples.size()))
                .forEach(errorExamples::add);
        differences.addAll(other.differences);
    }

    public int statements() {
        return statements;
    }

    /** Share of the queries that yielded rows. */
    public double shareWithRows() {
        return queries == 0 ? 0 : (double) withRows / queries;
    }

    /** Share of the statements to which another engine gave the same answer. */
    public double shareAgreed() {
        return statements == 0 ? 0 : (double) kinds.getOrDefault(Judgement.Kind.AGREED, 0) / statements;
    }

    /** Each as a script that shows it. */
    public List<String> differences() {
        return List.copyOf(differences);
    }

    /** In how many statements the rarest operator was. */
    public int rarest(boolean withChanges) {
        return Stream.concat(OPERATORS.stream(), withChanges ? CHANGES.stream() : Stream.empty())
                .mapToInt(operator -> operators.getOrDefault(operator.strip(), 0))
                .min()
                .orElse(0);
    }

    /** Number of statements with each operator. */
    public SortedMap<String, Integer> operators() {
        return operators;
    }

    /** Number of statements that differed from PostgreSQL, by the clause of docs/SQL.md. */
    public SortedMap<String, Integer> documented() {
        return documented;
    }

    /** Statements that Fulmar refused though a reference answered, with their counts. */
    public Map<String, Integer> refusals() {
        return refusals;
    }

    /** The first statement of each kind of refusal. */
    public List<String> refusalExamples() {
        return List.copyOf(refusalExamples);
    }

    /** Statements that failed on one side only. */
    public List<String> errorExamples() {
        return List.copyOf(errorExamples);
    }

    /** In a line. */
    public String summary() {
        return statements + " statements " + kinds + ", rows in " + Math.round(100 * shareWithRows())
                + " % of the queries";
    }
}
