package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.sqlcheck.MetamorphicTrial;
import dev.fulmar.benchmarks.sqlcheck.Tally;

/** Random queries, asked in several ways that must agree. */
public final class SqlMetamorphic implements Experiment {
    private static final int QUERIES = 100_000;
    private static final int QUICK_QUERIES = 2_000;

    @Override
    public String name() {
        return "sql-metamorphic";
    }

    @Override
    public String meaning() {
        return "random queries mean the same in parts, without indexes and on any number of partitions";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        Tally tally = MetamorphicTrial.run(
                settings.seed(),
                settings.quick() ? QUICK_QUERIES : QUERIES,
                SqlProgress.workers(),
                SqlProgress.file(name(), settings),
                settings.output());
        settings.output().accept(tally.summary());
        findings.check("sql-metamorphic.differences", tally.differences().size());
        findings.check("sql-metamorphic.queries-with-rows", tally.shareWithRows());
        if (!settings.quick()) {
            findings.check("sql-metamorphic.rarest-operator", tally.rarest(false));
        }
        findings.series("queries", tally.statements());
        findings.series("differences", tally.differences());
        findings.series("operators", tally.operators());
        return findings;
    }
}
