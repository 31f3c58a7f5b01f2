package dev.fulmar.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.DatabaseConfiguration;
import dev.fulmar.coordinator.durability.checkpoint.Checkpoints;
import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.durability.log.RecordText;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy;
import dev.fulmar.pmemlog.checkpoint.CheckpointSettings;
import dev.fulmar.pmemlog.log.LogSettings;
import dev.fulmar.pmemlog.recovery.LogReader;
import dev.fulmar.simulator.workload.ProcedureEditions;
import dev.fulmar.sql.SqlCompiler;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Random calls of procedures whose effects could depend on where rows lie, over several lives. A recovery begins with a
 * checkpoint, so rows lie otherwise than in the life before; commands, images and deletions alternate.
 */
class CommandRecoveryTest {
    private static final NodeId NODE = new NodeId(1);
    private static final int HOMES = 3;
    private static final long MOST_IDLE_NANOS = 1_000_000;
    private static final LogSettings LOG =
            new LogSettings("log", 64 << 10, 512, 8 << 10, 32 << 10, 64 << 10, 64, 1, 3_000_000);

    private static final List<String> SCHEMA = List.of(
            "CREATE TABLE item (home BIGINT NOT NULL, id BIGINT NOT NULL, price DECIMAL(10,2), weight DOUBLE,"
                    + " code VARCHAR(60) NOT NULL, PRIMARY KEY (home, id))",
            "PARTITION TABLE item ON COLUMN home",
            "CREATE TABLE note (home BIGINT NOT NULL, text VARCHAR(100), amount DOUBLE)",
            "PARTITION TABLE note ON COLUMN home",
            procedure("Put", "UPSERT INTO item VALUES (?, ?, ?, ?, ?)"),
            procedure("Raise", "UPDATE item SET price = price + 1, code = code || 'x' WHERE home = ? AND price > ?"),
            procedure("Clear", "DELETE FROM item WHERE home = ? AND id > ?"),
            procedure("Note", "INSERT INTO note VALUES (?, ?, ?)"),
            procedure(
                    "Cheapest",
                    "INSERT INTO note SELECT home, code, weight FROM item WHERE home = ? ORDER BY price, id LIMIT 2"),
            procedure("Forget", "DELETE FROM note WHERE home = ? AND text = ?"),
            procedure("Double", "UPDATE note SET amount = amount * 2 WHERE home = ? AND amount > ?"),
            procedure("ByPlace", "INSERT INTO note SELECT home, 'copy', amount FROM note WHERE home = ? LIMIT 2"),
            procedure(
                    "Sum", "INSERT INTO note SELECT home, 'sum', SUM(amount) FROM note WHERE home = ? GROUP BY home"));

    private final SqlFrontend sql = new SqlCompiler();
    private final Set<String> logged = new TreeSet<>();
    private int commandsOnCheckpoints;

    private static String procedure(String name, String statement) {
        String table = statement.contains("INTO note") || statement.contains("note SET") ? "note" : "item";
        return "CREATE PROCEDURE " + name + " PARTITION ON TABLE " + (statement.contains("FROM note") ? "note" : table)
                + " COLUMN home PARAMETER 0 AS " + statement;
    }

    private SimulatedDatabase database(SimulatedWorld world, SimulatedProcess process, List<String> progress) {
        return new SimulatedDatabase(
                world,
                process,
                DatabaseConfiguration.of(2, 2),
                sql,
                new TimestampWatch(false),
                new DurabilityEnvironment(
                        DurabilityMode.SYNC,
                        process.storage(),
                        LOG,
                        new CheckpointSettings("log-checkpoints", 512, 1024, 4 << 10, 8 << 10, 4 << 10),
                        new CheckpointPolicy(4 << 10, 1 << 20, 1L << 40, 1),
                        agent -> process.runner(agent, MOST_IDLE_NANOS),
                        DurabilityEnvironment::oneByOne,
                        progress::add,
                        failure -> progress.add("failed: " + failure.getMessage())));
    }

    @Test
    void everyLifeGoesOnWhereTheOneBeforeEnded() {
        for (long seed = 1; seed <= 12; seed++) {
            live(seed);
        }
        assertThat(logged)
                .as("procedures logged by command")
                .containsExactlyInAnyOrder("Put", "Raise", "Clear", "Note", "Cheapest", "Forget", "Double");
        assertThat(commandsOnCheckpoints)
                .as("lives that replayed on a checkpoint")
                .isGreaterThan(10);
    }

    @Test
    void aNumberIsNotGivenAgainAfterACheckpoint() {
        SimulatedWorld world = new SimulatedWorld(1);
        SimulatedProcess process = world.startProcess(NODE);
        SimulatedDatabase database = database(world, process, new ArrayList<>());
        database.prepare(ProcedureEditions.jar(ProcedureEditions.FIRST), SCHEMA);
        for (int life = 0; life < 3; life++) {
            database.call("Note", 1L, "stays", 1.0);
            database.call("Note", 1L, "goes", 2.0);
            database.call("Forget", 1L, "goes");
            checkpoint(world, database);
            database.call("Note", 1L, "later", 3.0);
            List<String> before = contents(database);
            process.crash();
            database.abandon();
            process = world.startProcess(NODE);
            database = database(world, process, new ArrayList<>());
            database.start();
            assertThat(contents(database)).isEqualTo(before);
        }
        process.crash();
        database.abandon();
    }

    private static void checkpoint(SimulatedWorld world, SimulatedDatabase database) {
        Checkpoints checkpoints = Objects.requireNonNull(
                Objects.requireNonNull(database.database().durability()).checkpoints());
        long rounds = checkpoints.counters().rounds();
        checkpoints.request();
        assertThat(world.runUntil(() -> checkpoints.counters().rounds() > rounds, 1_000_000_000L))
                .isTrue();
    }

    private void live(long seed) {
        SimulatedWorld world = new SimulatedWorld(seed);
        SeededRandom random = new SeededRandom(seed);
        SimulatedProcess process = world.startProcess(NODE);
        List<String> progress = new ArrayList<>();
        SimulatedDatabase database = database(world, process, progress);
        database.prepare(ProcedureEditions.jar(ProcedureEditions.FIRST), SCHEMA);
        for (int life = 0; life < 3; life++) {
            for (int call = 0; call < 80; call++) {
                call(database, random);
            }
            List<String> before = contents(database);
            process.crash();
            database.abandon();
            process = world.startProcess(NODE);
            LogReader.scan(process.storage(), "log")
                    .replay(stream -> stream >= 0, (record, segment, offset) -> note(RecordText.of(record)));
            progress.clear();
            database = database(world, process, progress);
            database.start();
            boolean checkpoint = progress.stream().anyMatch(line -> line.contains("from checkpoints"));
            commandsOnCheckpoints += checkpoint ? 1 : 0;
            assertThat(contents(database)).as("seed " + seed + ", life " + life).isEqualTo(before);
        }
        process.crash();
        database.abandon();
    }

    private void note(String line) {
        if (line.startsWith("COMMAND")) {
            logged.add(line.replaceAll(".*: (\\w+)\\(.*", "$1"));
        }
    }

    private static void call(SimulatedDatabase database, SeededRandom random) {
        long home = random.nextInt(HOMES);
        String text = "t" + random.nextInt(5);
        double amount = random.nextInt(1000) / 7.0;
        switch (random.nextInt(12)) {
            case 0, 1 -> database.call("Put", home, (long) random.nextInt(20), (long) random.nextInt(50), amount, text);
            case 2 -> database.call("Raise", home, (long) random.nextInt(50));
            case 3 -> database.call("Clear", home, (long) random.nextInt(20));
            case 4, 5 -> database.call("Note", home, text, amount);
            case 6 -> database.call("Cheapest", home);
            case 7 -> database.call("Forget", home, text);
            case 8 -> database.call("Double", home, amount);
            case 9 -> database.call("ByPlace", home);
            case 10 -> database.call("Sum", home);
            default -> database.execute("DELETE FROM note WHERE home = ? AND amount > ?", home, 100.0);
        }
    }

    private static List<String> contents(SimulatedDatabase database) {
        List<String> contents = new ArrayList<>();
        for (String query : List.of(
                "SELECT * FROM item ORDER BY home, id",
                "SELECT home, text, amount FROM note ORDER BY home, text, amount")) {
            contents.add(HexFormat.of().formatHex(database.execute(query).results()));
        }
        return contents;
    }
}
