package dev.fulmar.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a workload's checks accept and what they notice, when another object than the one that ran the load asks. */
class WorkloadVerificationTest {
    private static final LoadShape SHORT_LOAD = new LoadShape(2, 4, 0, 0, 1);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ycsb-a    | UPDATE usertable SET field3 = 'short' WHERE ycsb_key = 7
            ycsb-d    | DELETE FROM usertable WHERE ycsb_key = 7
            tatp      | DELETE FROM access_info WHERE s_id = 7
            tatp      | UPDATE subscriber SET sub_nbr = '000000000000008' WHERE s_id = 7
            smallbank | DELETE FROM savings WHERE custid = 7
            voter     | DELETE FROM votes WHERE contestant_number = 1
            """)
    void tablesAreGoodUntilSomebodyDamagesThem(String name, String damage) throws InterruptedException {
        try (LocalDatabase database = LocalDatabase.start(Map.of("partitions", "2", "sites", "1"));
                FulmarClient client = database.connect(64)) {
            BenchmarkRun run = new BenchmarkRun(client, workload(name), Workload.Progress.silent());
            run.prepare();
            run.measure(SHORT_LOAD, 1, (second, warmup, committed, aborted, failed, latency) -> {});
            assertThat(run.verify()).isEmpty();
            assertThat(verifiedByAnother(name, client)).isEmpty();

            client.execute(damage);

            assertThat(verifiedByAnother(name, client)).isNotEmpty();
        }
    }

    private static List<String> verifiedByAnother(String name, FulmarClient client) {
        return workload(name).verifyTables(client, Workload.Progress.silent());
    }

    private static Workload workload(String name) {
        return Workloads.create(name, 1, 0, 1);
    }
}
