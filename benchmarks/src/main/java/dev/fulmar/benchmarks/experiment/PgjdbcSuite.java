package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.driversuite.DriverTests;
import dev.fulmar.benchmarks.driversuite.DriverTests.Server;
import dev.fulmar.benchmarks.driversuite.SuiteOutcome;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.sqlcheck.PostgresCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The tests of PostgreSQL's JDBC driver, on a node and on PostgreSQL. */
public final class PgjdbcSuite implements Experiment {
    private static final String DATABASE = "test";
    private static final String USER = "fulmar";

    @Override
    public String name() {
        return "pgjdbc-suite";
    }

    @Override
    public String meaning() {
        return "tests of PostgreSQL's JDBC driver pass on a node as on PostgreSQL; the directory is that of the driver's sources";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Path suite = settings.directory();
        if (suite == null || !Files.isDirectory(suite.resolve("pgjdbc/src/test/java"))) {
            throw new IllegalArgumentException(
                    "say where the sources of pgjdbc are: experiment pgjdbc-suite DIRECTORY; they are no part of Fulmar");
        }
        Path installation = PostgresCluster.installation();
        if (installation == null) {
            throw new IllegalArgumentException("install PostgreSQL 15: the tests run on a server too");
        }
        Findings findings = new Findings(name(), settings.quick(), "none");
        try (TemporaryDirectory work = TemporaryDirectory.create("pgjdbc-suite")) {
            SuiteOutcome outcome = run(suite.toAbsolutePath(), installation, work.path(), settings);
            report(outcome, findings, settings);
        }
        return findings;
    }

    private static SuiteOutcome run(Path suite, Path installation, Path work, Settings settings) throws Exception {
        String only = settings.only().isEmpty()
                ? null
                : String.join(",", settings.only().stream().sorted().toList());
        DriverTests tests = new DriverTests(suite, work, only);
        DriverTests.Results reference;
        try (PostgresCluster cluster =
                PostgresCluster.start(installation, PostgresCluster.SCRAM, PostgresCluster.FAST)) {
            cluster.connectToNew(DATABASE).close();
            settings.output().accept("PostgreSQL ...");
            reference = tests.run(new Server("postgresql", cluster.port(), PostgresCluster.USER, cluster.password()));
        }
        Map<String, String> node = Map.of(
                "partitions", "2", "sites", "1", "durability", "none", "memory.limit", "2g", "postgres", "127.0.0.1:0");
        try (LocalDatabase database = LocalDatabase.start(node)) {
            settings.output().accept("Fulmar ...");
            return tests.run(new Server("fulmar", database.postgresPort(), USER, "any"))
                    .comparedWith(reference);
        }
    }

    private static void report(SuiteOutcome outcome, Findings findings, Settings settings) {
        findings.check("pgjdbc-suite.equal", (double) outcome.equal() / Math.max(1, outcome.passed()));
        findings.check("pgjdbc-suite.unexplained", outcome.unexplained().size());
        Map<String, Integer> reasons = new LinkedHashMap<>();
        outcome.byReason().forEach((reason, tests) -> {
            reasons.put(reason, tests.size());
            settings.output().accept(tests.size() + " " + reason);
        });
        outcome.unexplained().forEach(settings.output());
        findings.series("tests that PostgreSQL passes", outcome.passed());
        findings.series("of those, passed by Fulmar", outcome.equal());
        findings.series("not passed, by reason", reasons);
        findings.series("passed, by class", outcome.byClass());
        findings.series("tests, by reason", outcome.byReason());
    }
}
