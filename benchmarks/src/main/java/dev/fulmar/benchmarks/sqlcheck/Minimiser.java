package dev.fulmar.benchmarks.sqlcheck;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/** Makes a finding small: fewer rows, then a shorter statement, then fewer rows again. */
final class Minimiser {
    private static final int MOST_ATTEMPTS = 600;

    private final Bench bench;
    private final List<GeneratedTable> tables;
    private final Predicate<Phrase> shows;
    private final boolean changesRows;
    private final Function<Phrase, List<String>> statements;
    private Map<String, List<String>> rows;
    private Phrase statement;
    private int attempts;

    /**
     * @param statements what is asked for a phrase
     * @param shows whether the phrase, over the bench's present rows, still shows the finding
     */
    Minimiser(
            Bench bench,
            List<GeneratedTable> tables,
            Map<String, List<String>> rows,
            Phrase statement,
            boolean changesRows,
            Function<Phrase, List<String>> statements,
            Predicate<Phrase> shows) {
        this.bench = bench;
        this.tables = tables;
        this.rows = rows;
        this.statement = statement;
        this.changesRows = changesRows;
        this.statements = statements;
        this.shows = shows;
    }

    /** The smallest found, as a script; empty if the finding does not show again. */
    String minimise() {
        bench.prepare(tables, rows);
        if (!shows.test(statement)) {
            return "";
        }
        fewerRows();
        shorterStatement();
        fewerRows();
        return script();
    }

    private boolean showsWith(Phrase phrase, Map<String, List<String>> data, boolean dataChanged) {
        attempts++;
        if (dataChanged || changesRows) {
            bench.prepare(tables, data);
        }
        return attempts <= MOST_ATTEMPTS && shows.test(phrase);
    }

    private void fewerRows() {
        for (GeneratedTable table : tables) {
            int size = rows.getOrDefault(table.name(), List.of()).size();
            for (int cut = Math.max(1, size); cut >= 1; cut /= 2) {
                dropRows(table.name(), cut);
            }
        }
        bench.prepare(tables, rows);
    }

    private void dropRows(String table, int cut) {
        int from = 0;
        while (from < rows.getOrDefault(table, List.of()).size()) {
            List<String> fewer = new ArrayList<>(rows.getOrDefault(table, List.of()));
            fewer.subList(from, Math.min(fewer.size(), from + cut)).clear();
            Map<String, List<String>> smaller = new LinkedHashMap<>(rows);
            smaller.put(table, fewer);
            if (showsWith(statement, smaller, true)) {
                rows = smaller;
            } else {
                from += cut;
            }
        }
    }

    private void shorterStatement() {
        boolean found = true;
        while (found && attempts < MOST_ATTEMPTS) {
            found = false;
            for (Phrase candidate : statement.simpler()) {
                if (candidate.text().length() < statement.text().length() && showsWith(candidate, rows, false)) {
                    statement = candidate;
                    found = true;
                    break;
                }
            }
        }
    }

    private String script() {
        StringBuilder script = new StringBuilder();
        String text = statement.text();
        for (GeneratedTable table : tables) {
            if (text.contains(table.name())) {
                table.fulmarCreation().forEach(line -> script.append(line).append(";\n"));
                List<String> ofTable = rows.getOrDefault(table.name(), List.of());
                if (!ofTable.isEmpty()) {
                    script.append(table.insertion(ofTable)).append(";\n");
                }
            }
        }
        bench.prepare(tables, rows);
        statements.apply(statement).forEach(each -> answered(each, script));
        return script.toString();
    }

    private void answered(String sql, StringBuilder script) {
        script.append(sql).append(";\n");
        for (Answer answer : bench.ask(sql)) {
            script.append("--   ")
                    .append(
                            answer.isResult()
                                    ? answer.count() + " " + answer.rows() + String.join(", ", answer.types())
                                    : answer.outcome() + " " + answer.message())
                    .append('\n');
        }
    }
}
