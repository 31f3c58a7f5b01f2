package dev.fulmar.benchmarks.sqlcheck;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks Fulmar the same in several ways, which must agree. They are: on one partition and on four, with indexes and
 * without, a query whole and in the three parts that a condition makes of it, a condition as a filter and as a column.
 */
public final class MetamorphicTrial {
    private static final int QUERIES_PER_ROUND = 60;

    private final Bench bench;
    private final Consumer<String> output;
    private final Tally tally;

    private MetamorphicTrial(Bench bench, Tally tally, Consumer<String> output) {
        this.bench = bench;
        this.tally = tally;
        this.output = output;
    }

    /** Runs so many queries, or fewer if too much is wrong. */
    public static Tally run(long seed, int queries, int workers, @Nullable Path progress, Consumer<String> output)
            throws Exception {
        return Rounds.run(new Rounds.Extent(seed, queries, workers, progress), number -> new Engines(), output);
    }

    /** Fulmar on one partition and on four, and on four without indexes. */
    private static final class Engines implements Rounds.Worker {
        private final SharedPlans plans = new SharedPlans();
        private final FulmarEngine one = new FulmarEngine(1, true, plans);
        private final FulmarEngine four = new FulmarEngine(4, true, plans);
        private final FulmarEngine bare = new FulmarEngine(4, false);
        private final Bench bench = new Bench(List.of(one, four, bare));

        @Override
        public void round(long seed, Tally tally, Consumer<String> output) {
            new MetamorphicTrial(bench, tally, output).round(seed);
        }

        @Override
        public void close() {
            one.close();
            four.close();
            bare.close();
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
        for (int i = 0; i < QUERIES_PER_ROUND; i++) {
            QueryDraw queries = new QueryDraw(draw, tables);
            boolean whole = draw.oneIn(2);
            Phrase phrase = whole ? queries.statement() : queries.parted();
            Function<Phrase, Judgement> judge = whole ? this::sameEverywhere : this::sumOfItsParts;
            Function<Phrase, List<String>> statements = whole
                    ? each -> List.of(each.text())
                    : each -> Parts.of(each).statements();
            Judgement judgement = judge.apply(phrase);
            if (judgement.kind() == Judgement.Kind.DIFFERENT) {
                Minimiser minimiser = new Minimiser(
                        bench,
                        tables,
                        rows,
                        phrase,
                        false,
                        statements,
                        smaller -> judge.apply(smaller).kind() == Judgement.Kind.DIFFERENT);
                report(seed, judgement, minimiser.minimise());
                return;
            }
        }
    }

    /** The whole statement on every engine. */
    private Judgement sameEverywhere(Phrase phrase) {
        String text = phrase.text();
        List<Answer> answers = bench.ask(text);
        Judgement judgement = Judgement.of(answers, List.of(), QueryDraw.isOrdered(text));
        tally.count(text, answers.getFirst(), judgement);
        return judgement;
    }

    /**
     * The ways to ask a query with a condition.
     *
     * @param whole without the condition
     * @param wanted the rows for which it is true; so the others
     * @param asColumn the condition for each row
     */
    private record Parts(String whole, String wanted, String others, String unknown, String asColumn) {
        static Parts of(Phrase phrase) {
            String query = ((Phrase) phrase.parts().getFirst()).text();
            String condition = ((Phrase) phrase.parts().get(1)).text();
            return new Parts(
                    query,
                    query + " WHERE " + condition,
                    query + " WHERE NOT " + condition,
                    query + " WHERE " + condition + " IS NULL",
                    "SELECT " + condition + " AS X1" + query.substring(query.indexOf(" FROM ")));
        }

        List<String> statements() {
            return List.of(whole, wanted, others, unknown, asColumn);
        }
    }

    /** A query and a condition: the rows for which it is true, false and unknown are all rows. */
    private Judgement sumOfItsParts(Phrase phrase) {
        Parts parts = Parts.of(phrase);
        List<Answer> whole = bench.ask(parts.whole());
        List<Answer> wanted = bench.ask(parts.wanted());
        List<Answer> others = bench.ask(parts.others());
        List<Answer> unknown = bench.ask(parts.unknown());
        List<Answer> asColumn = bench.ask(parts.asColumn());
        Judgement judgement = Judgement.of(whole, List.of(), false);
        for (int i = 0; i < whole.size() && judgement.kind() != Judgement.Kind.DIFFERENT; i++) {
            judgement = ofParts(whole.get(i), List.of(wanted.get(i), others.get(i), unknown.get(i)), asColumn.get(i));
        }
        tally.count(parts.wanted(), wanted.getFirst(), judgement);
        return judgement;
    }

    private static Judgement ofParts(Answer whole, List<Answer> parts, Answer asColumn) {
        if (whole.outcome() == Answer.Outcome.REFUSED) {
            return new Judgement(Judgement.Kind.UNCOMPARED, "");
        }
        List<Answer> all = new ArrayList<>(parts);
        all.add(whole);
        all.add(asColumn);
        for (Answer answer : all) {
            if (answer.outcome() == Answer.Outcome.DEFECT) {
                return new Judgement(Judgement.Kind.DIFFERENT, "defect: " + answer.message());
            }
        }
        if (!all.stream().allMatch(Answer::isResult)) {
            return new Judgement(Judgement.Kind.UNCOMPARED, "");
        }
        List<String> together = new ArrayList<>();
        parts.forEach(part -> together.addAll(part.rows()));
        if (!Answer.rows(together).agreesWith(whole, false)) {
            return new Judgement(Judgement.Kind.DIFFERENT, "the parts that the condition makes are not the whole");
        }
        long wanted = asColumn.rows().stream().filter("true"::equals).count();
        return wanted == parts.getFirst().rows().size()
                ? new Judgement(Judgement.Kind.AGREED, "")
                : new Judgement(Judgement.Kind.DIFFERENT, "the condition as a column is true more or less often");
    }

    private void report(long seed, Judgement judgement, String script) {
        String text = "-- round " + seed + ": " + judgement.detail() + "\n"
                + (script.isEmpty() ? "-- does not show again over the same rows\n" : script);
        tally.difference(text);
        output.accept(text);
    }
}
