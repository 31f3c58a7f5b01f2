package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.sqlcheck.DifferentialTrial;
import java.util.List;

/** The experiments of this module. */
public final class Experiments {
    private Experiments() {}

    public static List<Experiment> all() {
        return List.of(
                new TpccConsistency(),
                new BadInput(),
                new Memory(),
                new InProcess(),
                new Kill(),
                new PowerCut(),
                new Timestone(),
                new RecoverySpeed(),
                new RestartAfterDdl(),
                new SyncSpeed(),
                new WriteAmplification(),
                new SqlDifferential(DifferentialTrial.Way.OWN_PROTOCOL),
                new SqlDifferential(DifferentialTrial.Way.POSTGRES_PROTOCOL),
                new SqlMetamorphic(),
                new SqlLogicTest(),
                new PostgresRegression(),
                new PgjdbcSuite(),
                new TpcH(),
                new OnlineDdl(),
                new TpcHBeside(),
                new AdHocSpeed(),
                new HostilePlanning());
    }
}
