package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.sqlcheck.DifferentialTrial;
import dev.fulmar.benchmarks.sqlcheck.Tally;

/** Random statements, against other engines. */
public final class SqlDifferential implements Experiment {
    private static final int STATEMENTS = 100_000;
    private static final int QUICK_STATEMENTS = 3_000;

    @Override
    public String name() {
        return "sql-differential";
    }

    @Override
    public String meaning() {
        return "random statements on 1 and 4 partitions answer as PostgreSQL does where it is installed, and as HSQLDB or H2 do";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        DifferentialTrial.Result result = DifferentialTrial.run(
                settings.seed(),
                settings.quick() ? QUICK_STATEMENTS : STATEMENTS,
                SqlProgress.workers(),
                SqlProgress.file(name(), settings),
                settings.output());
        Tally tally = result.tally();
        tell(tally, settings);
        findings.check("sql-differential.differences", tally.differences().size());
        findings.check("sql-differential.queries-with-rows", tally.shareWithRows());
        findings.check("sql-differential.agreed", tally.shareAgreed());
        if (!settings.quick()) {
            findings.check("sql-differential.rarest-operator", tally.rarest(true));
        }
        addSeries(findings, result);
        return findings;
    }

    /** Tells what was counted, and examples of what did not agree. */
    static void tell(Tally tally, Settings settings) {
        settings.output().accept(tally.summary());
        tally.refusals().forEach((what, count) -> settings.output().accept("refused " + count + " times: " + what));
        tally.refusalExamples().forEach(example -> settings.output().accept("refused: " + example));
        tally.errorExamples().forEach(example -> settings.output().accept("fails on one side: " + example));
    }

    static void addSeries(Findings findings, DifferentialTrial.Result result) {
        Tally tally = result.tally();
        findings.series("references", result.references());
        findings.series("documented", tally.documented());
        findings.series("statements", tally.statements());
        findings.series("differences", tally.differences());
        findings.series("operators", tally.operators());
        findings.series("refusals", tally.refusals());
    }
}
