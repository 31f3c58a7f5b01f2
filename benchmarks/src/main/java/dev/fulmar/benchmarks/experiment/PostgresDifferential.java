package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.sqlcheck.DifferentialTrial;
import dev.fulmar.benchmarks.sqlcheck.Tally;

/** Random statements by PostgreSQL's protocol, against PostgreSQL. */
public final class PostgresDifferential implements Experiment {
    private static final int STATEMENTS = 100_000;
    private static final int QUICK_STATEMENTS = 3_000;

    @Override
    public String name() {
        return "postgres-differential";
    }

    @Override
    public String meaning() {
        return "random statements by PostgreSQL's protocol answer as PostgreSQL does, which has to be installed";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        DifferentialTrial.Result result = DifferentialTrial.runByFrontEnd(
                settings.seed(),
                settings.quick() ? QUICK_STATEMENTS : STATEMENTS,
                SqlProgress.workers(),
                SqlProgress.file(name(), settings),
                settings.output());
        Tally tally = result.tally();
        SqlDifferential.tell(tally, settings);
        findings.check("postgres-differential.differences", tally.differences().size());
        findings.check("postgres-differential.queries-with-rows", tally.shareWithRows());
        findings.check("postgres-differential.agreed", tally.shareAgreed());
        SqlDifferential.addSeries(findings, result);
        return findings;
    }
}
