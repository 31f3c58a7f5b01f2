package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.regression.FileOutcome;
import dev.fulmar.benchmarks.regression.RegressionTrial;
import dev.fulmar.benchmarks.sqlcheck.PostgresCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** PostgreSQL's regression suite, on a node and on PostgreSQL. */
public final class PostgresRegression implements Experiment {
    private static final String SETUP = "test_setup";
    private static final List<String> FILES = List.of(
            "boolean",
            "char",
            "varchar",
            "text",
            "int2",
            "int4",
            "int8",
            "float4",
            "float8",
            "numeric",
            "strings",
            "date",
            "time",
            "timestamp",
            "timestamptz",
            "interval",
            "uuid",
            "select",
            "select_distinct",
            "select_having",
            "union",
            "case",
            "join",
            "subselect",
            "aggregates",
            "window",
            "with",
            "insert",
            "insert_conflict",
            "update",
            "delete",
            "returning",
            "prepare",
            "portals",
            "transactions",
            "copy2",
            "limit",
            "sequence",
            "identity",
            "constraints",
            "create_view",
            "truncate");

    @Override
    public String name() {
        return "postgres-regression";
    }

    @Override
    public String meaning() {
        return "statements of PostgreSQL's regression suite answer on a node as PostgreSQL does; the directory is src/test/regress of its sources";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Path suite = settings.directory();
        if (suite == null || !Files.isDirectory(suite.resolve("sql"))) {
            throw new IllegalArgumentException(
                    "say where PostgreSQL's sources have src/test/regress: experiment postgres-regression DIRECTORY; they"
                            + " are no part of Fulmar");
        }
        Path installation = PostgresCluster.installation();
        if (installation == null) {
            throw new IllegalArgumentException(
                    "install PostgreSQL 15: the answers are compared with those of a server");
        }
        Findings findings = new Findings(name(), settings.quick(), "none");
        Map<String, Integer> total = new LinkedHashMap<>();
        Map<String, Object> byFile = new LinkedHashMap<>();
        Map<String, Object> lists = new LinkedHashMap<>();
        List<String> wrong = new ArrayList<>();
        try (RegressionTrial trial = new RegressionTrial(suite, installation, settings.output())) {
            trial.run(SETUP);
            for (String file : FILES) {
                if (!settings.only().isEmpty() && !settings.only().contains(file)) {
                    continue;
                }
                FileOutcome outcome = trial.run(file);
                settings.output().accept(line(file, outcome.counts()));
                outcome.counts().forEach((kind, count) -> total.merge(kind, count, Integer::sum));
                byFile.put(file, outcome.counts());
                lists.put(file, outcome.list());
                outcome.wrong().forEach(each -> wrong.add(file + " " + each));
            }
        }
        settings.output().accept(line("all", total));
        int statements = total.values().stream().mapToInt(Integer::intValue).sum();
        findings.check("postgres-regression.equal", (double) total.getOrDefault("equal", 0) / Math.max(1, statements));
        findings.check("postgres-regression.wrong", wrong.size());
        findings.series("statements", statements);
        findings.series("total", total);
        findings.series("by file", byFile);
        findings.series("wrong", wrong);
        findings.series("statements that are not equal", lists);
        return findings;
    }

    private static String line(String name, Map<String, Integer> counts) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-16s", name));
        counts.forEach((kind, count) -> line.append(String.format(Locale.ROOT, " %s %4d ", kind, count)));
        return line.toString();
    }
}
