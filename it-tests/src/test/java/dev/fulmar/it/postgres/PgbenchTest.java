package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The benchmark of PostgreSQL, where it is installed, against one node. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PgbenchTest {
    private static final Optional<Path> PGBENCH = ToolRun.find("pgbench");
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int ACCOUNTS = 100_000;

    /** Two clients may draw one account, and one of them then runs its transaction again. */
    private static final String TRIES = "100";

    @TempDir
    private static Path directory;

    private Optional<FulmarNode> node = Optional.empty();

    /** Whether the tables are those of {@code pgbench -i}, but for what its scripts changed. */
    private boolean isInitialized;

    @BeforeAll
    void start() {
        assumeTrue(PGBENCH.isPresent(), "pgbench is not installed; Debian has it in postgresql-contrib");
        // On a busy machine the keys take long to place 200,000 rows.
        node = Optional.of(SmallNode.start(2, Map.of("memory.limit", "1g", "requests.timeout", "5m")));
    }

    @AfterAll
    void stop() {
        node.ifPresent(FulmarNode::close);
    }

    private int port() {
        return node.orElseThrow().postgresAddress().orElseThrow().port();
    }

    private ToolRun pgbench(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                PGBENCH.orElseThrow().toString(), "-h", "127.0.0.1", "-p", Integer.toString(port()), "-U", "ann"));
        command.addAll(List.of(options));
        command.add("fulmar");
        return ToolRun.of(command, Map.of("LC_ALL", "C"), directory, LIMIT);
    }

    /** Runs it, and expects that all went well. */
    private String passing(String... options) throws IOException, InterruptedException {
        ToolRun run = pgbench(options);
        assertThat(run.status()).as(run.output()).isZero();
        assertThat(run.output()).doesNotContain("ERROR").doesNotContain("error:");
        return run.output();
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port() + "/fulmar?user=ann");
    }

    /** The tables of scale 1, with all balances zero and no history. */
    private void initialize() throws IOException, InterruptedException, SQLException {
        if (isInitialized) {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                statement.executeUpdate("TRUNCATE pgbench_history");
                statement.executeUpdate("UPDATE pgbench_accounts SET abalance = 0 WHERE abalance <> 0");
                statement.executeUpdate("UPDATE pgbench_tellers SET tbalance = 0");
                statement.executeUpdate("UPDATE pgbench_branches SET bbalance = 0");
            }
        } else {
            passing("-i");
            isInitialized = true;
        }
    }

    private List<Long> row(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<Long> values = new ArrayList<>();
            assertThat(rows.next()).isTrue();
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                values.add(rows.getLong(i));
            }
            return values;
        }
    }

    private static long number(String output, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(output);
        assertThat(found.find()).as(output).isTrue();
        return Long.parseLong(found.group(1));
    }

    private String placeOf(String name) {
        Table table = node.orElseThrow().database().catalog().table(name);
        return table.hasRowId()
                ? table.placement()
                : table.columns().get(table.partitioningColumn().orElseThrow()).name();
    }

    private void expectTables(int scale) throws SQLException {
        assertThat(row("SELECT count(*), min(aid), max(aid), sum(abalance), max(bid) FROM pgbench_accounts"))
                .containsExactly((long) scale * ACCOUNTS, 1L, (long) scale * ACCOUNTS, 0L, (long) scale);
        assertThat(row("SELECT count(*), max(tid), sum(tbalance) FROM pgbench_tellers"))
                .containsExactly(10L * scale, 10L * scale, 0L);
        assertThat(row("SELECT count(*), max(bid), sum(bbalance) FROM pgbench_branches"))
                .containsExactly((long) scale, (long) scale, 0L);
        assertThat(row("SELECT count(*) FROM pgbench_history")).containsExactly(0L);
        assertThat(row("SELECT count(*) FROM pg_constraint WHERE contype = 'p'"
                        + " AND conrelid IN ('pgbench_accounts'::regclass, 'pgbench_tellers'::regclass)"))
                .containsExactly(2L);
        assertThat(Stream.of("ACCOUNTS", "TELLERS", "BRANCHES", "HISTORY").map(each -> placeOf("PGBENCH_" + each)))
                .containsExactly("AID", "TID", "BID", "ROW");
    }

    /** Balances agree with what was written down. */
    private void expectBalances(long transactions) throws SQLException {
        List<Long> history = row("SELECT count(*), coalesce(sum(delta), 0) FROM pgbench_history");
        assertThat(history.getFirst()).isEqualTo(transactions);
        assertThat(row("SELECT sum(abalance) FROM pgbench_accounts")).containsExactly(history.get(1));
        assertThat(row("SELECT sum(bbalance) FROM pgbench_branches")).isEqualTo(List.of(history.get(1)));
    }

    @Test
    void initializes() throws IOException, InterruptedException, SQLException {
        isInitialized = false;
        passing("-i", "-s", "2");
        expectTables(2);
        passing("-i", "-s", "1"); // over the tables that are there
        expectTables(1);
        isInitialized = true;
    }

    @Test
    void initializesOnTheServerWithForeignKeys() throws IOException, InterruptedException, SQLException {
        isInitialized = false;
        passing("-i", "-I", "dtGvpf");
        expectTables(1);
        assertThat(row("SELECT count(*) FROM pg_constraint WHERE contype = 'f'"))
                .containsExactly(5L);
        String said = passing("-c", "4", "-t", "25", "-M", "prepared", "--max-tries", TRIES);
        assertThat(said).contains("number of transactions actually processed: 100/100");
        expectBalances(100);
        ToolRun stranger = pgbench("-n", "-t", "1", "-f", script("INSERT INTO pgbench_history (tid) VALUES (4711);"));
        assertThat(stranger.output()).contains("PGBENCH_HISTORY_TID_FKEY");
        passing("-i"); // drops tables that refer to each other
        expectTables(1);
        assertThat(row("SELECT count(*) FROM pg_constraint WHERE contype = 'f'"))
                .containsExactly(0L);
        isInitialized = true;
    }

    @Test
    void runsItsScripts() throws IOException, InterruptedException, SQLException {
        initialize();
        long transactions = 0;
        for (String mode : List.of("simple", "extended", "prepared")) {
            for (int clients : new int[] {1, 8, 32}) {
                for (String script : List.of("tpcb-like", "simple-update", "select-only")) {
                    int each = 96 / clients;
                    String said = passing(
                            "-n",
                            "--max-tries",
                            TRIES,
                            "-b",
                            script,
                            "-M",
                            mode,
                            "-c",
                            Integer.toString(clients),
                            "-j",
                            "2",
                            "-t",
                            Integer.toString(each));
                    int all = each * clients;
                    assertThat(said)
                            .contains("number of transactions actually processed: " + all + "/" + all)
                            .contains("number of failed transactions: 0 ");
                    transactions += script.equals("select-only") ? 0 : all;
                }
            }
        }
        assertThat(row("SELECT count(*) FROM pgbench_history")).containsExactly(transactions);
        assertThat(row("SELECT sum(abalance) FROM pgbench_accounts"))
                .isEqualTo(row("SELECT sum(delta) FROM pgbench_history"));
        assertThat(row("SELECT sum(bbalance) FROM pgbench_branches"))
                .isEqualTo(row("SELECT sum(tbalance) FROM pgbench_tellers"));
    }

    /** Without -n it empties the history before it begins, and vacuums. */
    @Test
    void preparesTheTablesBeforeARun() throws IOException, InterruptedException, SQLException {
        initialize();
        passing("-t", "10");
        passing("-c", "2", "-t", "20", "-r", "-P", "1", "--vacuum-all", "-M", "prepared", "--max-tries", TRIES);
        assertThat(row("SELECT count(*) FROM pgbench_history")).containsExactly(40L);
        assertThat(row("SELECT sum(bbalance) FROM pgbench_branches"))
                .isEqualTo(row("SELECT sum(tbalance) FROM pgbench_tellers"));
    }

    private String script(String text) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "script", ".sql"), text)
                .toString();
    }

    @ParameterizedTest
    @CsvSource({"simple", "extended", "prepared"})
    void runsScriptsOfUsers(String mode) throws IOException, InterruptedException, SQLException {
        initialize();
        String own = script("""
                \\set aid random(1, 100000 * :scale)
                \\set delta random(1, 10)
                BEGIN;
                SELECT bid AS bid, abalance FROM pgbench_accounts WHERE aid = :aid \\gset old_
                \\if :old_bid = 1
                UPDATE pgbench_accounts SET abalance = :old_abalance + :delta WHERE aid = :aid;
                INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (1, :old_bid, :aid, :delta, now());
                \\else
                SELECT broken;
                \\endif
                END;
                """);
        passing("-n", "-f", own + "@2", "-b", "select-only@1", "-M", mode, "-c", "4", "-t", "50", "--max-tries", TRIES);
        assertThat(row("SELECT sum(abalance) FROM pgbench_accounts"))
                .isEqualTo(row("SELECT sum(delta) FROM pgbench_history"));
        if (!mode.equals("simple")) {
            String pipeline = script("""
                    \\set aid random(1, 100000 * :scale)
                    \\startpipeline
                    UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = :aid;
                    INSERT INTO pgbench_history (tid, bid, aid, delta) VALUES (1, 1, :aid, 1);
                    \\endpipeline
                    """);
            passing("-n", "-f", pipeline, "-M", mode, "-c", "4", "-t", "50");
            assertThat(row("SELECT sum(abalance) FROM pgbench_accounts"))
                    .isEqualTo(row("SELECT sum(delta) FROM pgbench_history"));
        }
    }

    /** Transactions that read what others change at the same moment fail, and pgbench runs them again. */
    @Test
    void retriesSerializationFailures() throws IOException, InterruptedException, SQLException {
        initialize();
        String contended = script("""
                BEGIN;
                SELECT bbalance FROM pgbench_branches WHERE bid = 1 \\gset
                UPDATE pgbench_branches SET bbalance = :bbalance + 1 WHERE bid = 1;
                END;
                """);
        String said = passing("-n", "-f", contended, "-c", "8", "-j", "2", "-t", "25", "--max-tries", "1000");
        assertThat(number(said, "total number of retries: (\\d+)")).isPositive();
        assertThat(row("SELECT bbalance FROM pgbench_branches")).containsExactly(200L);
    }
}
