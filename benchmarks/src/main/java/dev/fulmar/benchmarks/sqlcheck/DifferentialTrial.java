package dev.fulmar.benchmarks.sqlcheck;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compares Fulmar, on one partition and on four, with other engines on the same statements. Fulmar gets them by its own
 * protocol, or by PostgreSQL's.
 */
public final class DifferentialTrial {
    private static final int STATEMENTS_PER_ROUND = 60;
    private static final String ONE_WITNESS = "one witness";
    private static final Pattern DOUBTFUL = Pattern.compile(
            "FULL JOIN|ROLLUP|CUBE|LATERAL|IS NOT (TRUE|FALSE)|DISTINCT FROM|INSERT .*SELECT.* RETURNING");

    /** HSQLDB and H2 both cut hours that are added to a DATE. */
    private static final Pattern BOTH_WRONG = Pattern.compile("INTERVAL '\\d+' (HOUR|MINUTE)");

    private static final Pattern CONSTANT_ROWS = Pattern.compile("^INSERT INTO \\w+ VALUES|^SELECT ");
    private static final Pattern CONDITIONAL = Pattern.compile(
            ".\\b(SELECT|CASE|COALESCE|NULLIF|AND|OR|RETURNING|IN|WHERE|HAVING|FILTER|JOIN|BETWEEN|FETCH|OFFSET|W)\\b");

    private final Bench bench;
    private final int ours;
    private final boolean hasPostgres;
    private final Consumer<String> output;
    private final Tally tally;

    private DifferentialTrial(Bench bench, int ours, boolean hasPostgres, Tally tally, Consumer<String> output) {
        this.bench = bench;
        this.ours = ours;
        this.hasPostgres = hasPostgres;
        this.tally = tally;
        this.output = output;
    }

    /**
     * Result of a trial.
     *
     * @param references the engines that were asked with their versions, and why PostgreSQL was not
     */
    public record Result(Tally tally, List<String> references) {}

    /** How Fulmar gets the statements, and which engines it is compared with. */
    public enum Way {
        /** By its own client, beside all references that are there. */
        OWN_PROTOCOL,
        /**
         * By PostgreSQL's driver, beside PostgreSQL alone: the same texts mean the same, and the columns have the same
         * types.
         */
        POSTGRES_PROTOCOL
    }

    /** Runs so many statements, or fewer if too much is wrong. */
    public static Result run(
            Way way, long seed, int statements, int workers, @Nullable Path progress, Consumer<String> output)
            throws Exception {
        List<String> references = new ArrayList<>();
        try (PostgresCluster postgres = startPostgres(references::add)) {
            Tally tally = Rounds.run(
                    new Rounds.Extent(seed, statements, workers, progress),
                    number -> Engines.of(way, number, postgres, number == 0 ? references::add : line -> {}),
                    output);
            references.forEach(each -> output.accept("reference: " + each));
            return new Result(tally, List.copyOf(references));
        }
    }

    private static @Nullable PostgresCluster startPostgres(Consumer<String> reason) throws Exception {
        Path installation = PostgresCluster.installation();
        if (installation == null) {
            reason.accept("postgresql is left out: no initdb and postgres on the path");
            return null;
        }
        if (!JdbcEngine.canReachPostgres()) {
            reason.accept("postgresql is left out: no driver on the class path");
            return null;
        }
        return PostgresCluster.start(installation);
    }

    /** Fulmar on one partition and on four, and the references. */
    private static final class Engines implements Rounds.Worker {
        private final List<SqlEngine> engines = new ArrayList<>();
        private final int ours;
        private final Bench bench;
        private final boolean hasPostgres;

        private Engines(List<? extends SqlEngine> fulmar, List<JdbcEngine> references, boolean hasPostgres) {
            engines.addAll(fulmar);
            ours = engines.size();
            engines.addAll(references);
            bench = new Bench(engines);
            this.hasPostgres = hasPostgres;
        }

        static Engines of(Way way, int number, @Nullable PostgresCluster postgres, Consumer<String> asked)
                throws SQLException {
            if (way == Way.OWN_PROTOCOL) {
                return ofAll(number, postgres, asked);
            }
            if (postgres == null) {
                throw new IllegalStateException("there is no PostgreSQL to compare with");
            }
            return ofFrontEnd(number, postgres, asked);
        }

        private static Engines ofAll(int number, @Nullable PostgresCluster postgres, Consumer<String> asked)
                throws SQLException {
            List<JdbcEngine> references = JdbcEngine.references(number, postgres);
            if (references.isEmpty()) {
                throw new IllegalStateException("no reference engine is on the class path");
            }
            references.forEach(each -> asked.accept(each.description()));
            SharedPlans plans = new SharedPlans();
            return new Engines(
                    List.of(new FulmarEngine(1, true, plans), new FulmarEngine(4, true, plans)),
                    references,
                    postgres != null);
        }

        /** One node gets texts as Query, the other one by Parse, Bind and Execute with values in binary form. */
        private static Engines ofFrontEnd(int number, PostgresCluster postgres, Consumer<String> asked)
                throws SQLException {
            JdbcEngine reference = JdbcEngine.unchanged(postgres, number);
            asked.accept(reference.description());
            SharedPlans plans = new SharedPlans();
            return new Engines(
                    List.of(
                            new FrontEndEngine(1, "preferQueryMode=simple", plans),
                            new FrontEndEngine(4, "prepareThreshold=-1", plans)),
                    List.of(reference),
                    true);
        }

        @Override
        public void round(long seed, Tally tally, Consumer<String> output) {
            new DifferentialTrial(bench, ours, hasPostgres, tally, output).round(seed);
        }

        @Override
        public void close() {
            engines.forEach(SqlEngine::close);
        }
    }

    private void round(long seed) {
        Draw draw = new Draw(seed);
        List<GeneratedTable> tables = new ArrayList<>();
        Map<String, List<String>> rows = new LinkedHashMap<>();
        for (int i = draw.between(2, 3); i > 0; i--) {
            GeneratedTable table = GeneratedTable.draw("T" + i, draw);
            tables.add(table);
            rows.put(table.name(), table.drawRows(draw));
        }
        bench.prepare(tables, rows);
        for (int i = 0; i < STATEMENTS_PER_ROUND; i++) {
            boolean sane = draw.oneIn(4) ? change(tables, draw, seed) : query(tables, draw, seed);
            if (!sane) {
                return;
            }
        }
    }

    private boolean query(List<GeneratedTable> tables, Draw draw, long seed) {
        Phrase phrase = new QueryDraw(draw, tables).statement();
        String text = phrase.text();
        List<Answer> answers = bench.ask(text);
        Judgement judgement = judge(text, answers);
        tally.count(text, answers.getFirst(), judgement);
        if (judgement.kind() != Judgement.Kind.DIFFERENT) {
            return true;
        }
        output.accept("found (" + judgement.detail() + "), being made smaller: " + text);
        report(
                seed,
                judgement,
                new Minimiser(
                                bench,
                                tables,
                                contents(tables),
                                phrase,
                                false,
                                each -> List.of(each.text()),
                                each -> isDifferent(each, judgement))
                        .minimise());
        return false;
    }

    private boolean isDifferent(Phrase phrase, Judgement found) {
        String text = phrase.text();
        return judge(text, bench.ask(text)).isLike(found);
    }

    private Judgement judge(String text, List<Answer> answers) {
        return judge(text, answers, QueryDraw.isOrdered(text));
    }

    /** Whether one reference alone gives an answer to compare with. */
    static boolean isAlone(List<Answer> references) {
        return references.stream()
                        .filter(answer -> answer.isResult() || answer.outcome() == Answer.Outcome.CONSTRAINT)
                        .count()
                == 1;
    }

    /** The judgement of an order that PostgreSQL answers otherwise, as a clause says. */
    private static Optional<Judgement> inAnotherOrder(String text, Answer mine, Answer postgres, boolean ordered) {
        boolean isOrder = ordered && mine.isResult() && postgres.isResult() && mine.agreesWith(postgres, false);
        return isOrder
                ? Tolerance.ofOrder(text).map(each -> new Judgement(Judgement.Kind.DOCUMENTED, each.clause()))
                : Optional.empty();
    }

    private Judgement judge(String text, List<Answer> answers, boolean ordered) {
        List<Answer> mine = answers.subList(0, ours);
        List<Answer> references = answers.subList(ours, answers.size());
        Judgement judgement = Judgement.of(mine, references, ordered);
        if (judgement.detail().startsWith(Judgement.TYPES)) {
            return Tolerance.ofTypes(text)
                    .map(each -> new Judgement(Judgement.Kind.DOCUMENTED, each.clause()))
                    .orElse(judgement);
        }
        // HSQLDB is wrong about unknown conditions of a FULL JOIN or of a derived table that are asked whether they are
        // NOT TRUE, keys that a ROLLUP leaves out, and conditions beside LATERAL, and its DISTINCT FROM takes 'a' for
        // 'a '. It has no RETURNING, and H2's subqueries see the rows before theirs of one INSERT.
        if (judgement.kind() == Judgement.Kind.DIFFERENT
                && isAlone(references)
                && DOUBTFUL.matcher(text).find()
                && (!hasPostgres || !references.getLast().isResult())
                && Judgement.of(mine, List.of(), ordered).kind() != Judgement.Kind.DIFFERENT) {
            return new Judgement(Judgement.Kind.UNCOMPARED, ONE_WITNESS);
        }
        if (judgement.detail().equals(Judgement.REFUTED)
                && hasPostgres
                && references.getLast().outcome() == Answer.Outcome.DATA_ERROR) {
            Judgement error = new Judgement(
                    Judgement.Kind.ERRORS_DIFFER, references.getLast().message());
            if (BOTH_WRONG.matcher(text).find()) {
                return error;
            }
            if (isAlone(references)) { // it is no judge of rows that PostgreSQL cannot compute
                return besidePostgres(text, error, mine.getFirst(), references.getLast(), ordered);
            }
        }
        if (judgement.detail().equals(Judgement.REFUTED) && hasPostgres) {
            return inAnotherOrder(text, mine.getFirst(), references.getLast(), ordered)
                    .orElse(judgement);
        }
        return hasPostgres && judgement.kind() != Judgement.Kind.DIFFERENT
                ? besidePostgres(text, judgement, mine.getFirst(), references.getLast(), ordered)
                : judgement;
    }

    /**
     * Whether SQL leaves nothing open of what is evaluated: rows of constants, and all rows of a table, without
     * conditions.
     */
    private static boolean isEvaluatedWhole(String text) {
        return CONSTANT_ROWS.matcher(text).find() && !CONDITIONAL.matcher(text).find();
    }

    /**
     * Judges an answer that differs from PostgreSQL's, or a refusal: each needs a clause of docs/SQL.md, whatever other
     * engines say.
     */
    static Judgement besidePostgres(String text, Judgement judgement, Answer mine, Answer postgres, boolean ordered) {
        if (isEvaluatedWhole(text)
                && mine.isResult() != postgres.isResult()
                && (mine.outcome() == Answer.Outcome.DATA_ERROR || postgres.outcome() == Answer.Outcome.DATA_ERROR)) {
            return Tolerance.ofMissingError(text)
                    .filter(each -> mine.isResult())
                    .map(each -> new Judgement(Judgement.Kind.DOCUMENTED, each.clause()))
                    .orElse(new Judgement(
                            Judgement.Kind.DIFFERENT,
                            "only one side finds an error in the data: " + mine.message() + postgres.message()));
        }
        if (mine.rows().stream().anyMatch(row -> row.contains("Infinity"))
                && postgres.outcome() == Answer.Outcome.DATA_ERROR) {
            return new Judgement(Judgement.Kind.DIFFERENT, "an overflow is no error: " + postgres.message());
        }
        if (!postgres.isResult()) {
            return judgement;
        }
        if (judgement.kind() == Judgement.Kind.REFUSED) {
            return Tolerance.ofRefusal(text, judgement.detail())
                    .map(each -> new Judgement(Judgement.Kind.DOCUMENTED, each.clause()))
                    .orElse(new Judgement(Judgement.Kind.DIFFERENT, Judgement.REFUSES + judgement.detail()));
        }
        if (!mine.isResult() || mine.agreesWith(postgres, ordered)) {
            return judgement;
        }
        return inAnotherOrder(text, mine, postgres, ordered)
                .or(() -> Tolerance.ofAnswer(text).map(each -> new Judgement(Judgement.Kind.DOCUMENTED, each.clause())))
                .orElse(new Judgement(Judgement.Kind.DIFFERENT, "PostgreSQL does not agree"));
    }

    /** Whether all engines still have the same rows. */
    private boolean change(List<GeneratedTable> tables, Draw draw, long seed) {
        Map<String, List<String>> before = contents(tables);
        ChangeDraw.Change change = new ChangeDraw(draw, tables).statement();
        String text = change.phrase().text();
        List<Answer> answers = bench.ask(text);
        Judgement judgement = judge(text, answers, false);
        Judgement after = contentsAgree(change.table());
        tally.count(text, answers.getFirst(), judgement);
        // HSQLDB has no RETURNING, and H2 keeps some rows of one that fails.
        boolean isTold = text.contains(" RETURNING ");
        boolean same = answers.stream().map(Answer::outcome).distinct().count() == 1
                && (!isTold || answers.getFirst().isResult());
        if (judgement.kind() == Judgement.Kind.DIFFERENT || (same && after.kind() == Judgement.Kind.DIFFERENT)) {
            output.accept("found (" + judgement.detail() + "), being made smaller: " + text);
            Minimiser minimiser = new Minimiser(
                    bench,
                    tables,
                    before,
                    change.phrase(),
                    true,
                    each -> List.of(each.text()),
                    phrase -> changesDifferently(change.table(), phrase, judgement));
            report(seed, judgement.kind() == Judgement.Kind.DIFFERENT ? judgement : after, minimiser.minimise());
            return false;
        }
        return !isTold
                && !judgement.detail().equals(ONE_WITNESS)
                && answers.stream().map(Answer::isResult).distinct().count() == 1;
    }

    private boolean changesDifferently(GeneratedTable table, Phrase phrase, Judgement found) {
        List<Answer> answers = bench.ask(phrase.text());
        Judgement judgement = judge(phrase.text(), answers, false);
        boolean same = answers.stream().map(Answer::outcome).distinct().count() == 1
                && (!phrase.text().contains(" RETURNING ") || answers.getFirst().isResult());
        return judgement.isLike(found) || (same && contentsAgree(table).kind() == Judgement.Kind.DIFFERENT);
    }

    private Judgement contentsAgree(GeneratedTable table) {
        List<Answer> answers = bench.ask("SELECT * FROM " + table.name());
        return judge("SELECT * FROM " + table.name(), answers, false);
    }

    private Map<String, List<String>> contents(List<GeneratedTable> tables) {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        tables.forEach(table -> rows.put(table.name(), bench.contents(table)));
        return rows;
    }

    private void report(long seed, Judgement judgement, String script) {
        String text = "-- round " + seed + ": " + judgement.detail() + "\n"
                + (script.isEmpty() ? "-- does not show again over the same rows\n" : script);
        tally.difference(text);
        output.accept(text);
    }
}
