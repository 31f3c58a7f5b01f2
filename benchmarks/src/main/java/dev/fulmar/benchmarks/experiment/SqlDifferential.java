package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.sqlcheck.DifferentialTrial;
import dev.fulmar.benchmarks.sqlcheck.Tally;

/** Random statements, against other engines. */
public final class SqlDifferential implements Experiment {
    private static final int STATEMENTS = 100_000;
    private static final int QUICK_STATEMENTS = 3_000;

    private final DifferentialTrial.Way way;

    /** @param way how Fulmar gets the statements, and against which engines */
    public SqlDifferential(DifferentialTrial.Way way) {
        this.way = way;
    }

    @Override
    public String name() {
        return switch (way) {
            case OWN_PROTOCOL -> "sql-differential";
            case POSTGRES_PROTOCOL -> "postgres-differential";
        };
    }

    @Override
    public String meaning() {
        return switch (way) {
            case OWN_PROTOCOL ->
                "random statements on 1 and 4 partitions answer as PostgreSQL does where it is installed, and as HSQLDB or H2 do";
            case POSTGRES_PROTOCOL ->
                "random statements by PostgreSQL's protocol answer as PostgreSQL does, which has to be installed";
        };
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        DifferentialTrial.Result result = DifferentialTrial.run(
                way,
                settings.seed(),
                settings.quick() ? QUICK_STATEMENTS : STATEMENTS,
                SqlProgress.workers(),
                SqlProgress.file(name(), settings),
                settings.output());
        Tally tally = result.tally();
        settings.output().accept(tally.summary());
        tally.refusals().forEach((what, count) -> settings.output().accept("refused " + count + " times: " + what));
        tally.refusalExamples().forEach(example -> settings.output().accept("refused: " + example));
        tally.errorExamples().forEach(example -> settings.output().accept("fails on one side: " + example));
        findings.check(name() + ".differences", tally.differences().size());
        findings.check(name() + ".queries-with-rows", tally.shareWithRows());
        findings.check(name() + ".agreed", tally.shareAgreed());
        if (!settings.quick()) {
            findings.check(name() + ".rarest-operator", tally.rarest(true));
        }
        findings.series("references", result.references());
        findings.series("documented", tally.documented());
        findings.series("statements", tally.statements());
        findings.series("differences", tally.differences());
        findings.series("operators", tally.operators());
        findings.series("refusals", tally.refusals());
        return findings;
    }
}
