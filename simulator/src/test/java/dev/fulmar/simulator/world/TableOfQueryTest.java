package dev.fulmar.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.DatabaseConfiguration;
import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy;
import dev.fulmar.pmemlog.checkpoint.CheckpointSettings;
import dev.fulmar.pmemlog.log.LogSettings;
import dev.fulmar.sql.SqlCompiler;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * CREATE TABLE ... AS of a database that dies at any moment of it: the table is there with all rows, or it is not
 * there.
 */
class TableOfQueryTest {
    private static final NodeId NODE = new NodeId(1);
    private static final long MOST_IDLE_NANOS = 1_000_000;
    private static final long SWEEP_NANOS = 5_000_000_000L;
    private static final LogSettings LOG =
            new LogSettings("log", 64 << 10, 512, 8 << 10, 32 << 10, 64 << 10, 64, 1, 3_000_000);
    private static final String MADE = "CREATE TABLE made (home, total, PRIMARY KEY (home)) PARTITION ON COLUMN home AS"
            + " SELECT home, SUM(amount) FROM note GROUP BY home";
    private static final List<String> SCHEMA = List.of(
            "CREATE TABLE note (home BIGINT NOT NULL, amount BIGINT NOT NULL)",
            "CREATE TABLE shown (name VARCHAR(200)) REPLICATED",
            "PARTITION TABLE note ON COLUMN home",
            "INSERT INTO note VALUES (1, 10), (2, 20), (3, 30), (4, 40), (1, 1)");

    private final SqlCompiler sql = new SqlCompiler();

    private SimulatedDatabase database(SimulatedWorld world, SimulatedProcess process) {
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
                        line -> {},
                        failure -> {}));
    }

    @Test
    void aNodeThatDiesAtAnyMomentLeavesTheWholeTableOrNone() {
        int whole = 0;
        int leftovers = 0;
        boolean isAnswered = false;
        for (int steps = 0; !isAnswered; steps += 5) {
            SimulatedWorld world = new SimulatedWorld(7);
            SimulatedProcess process = world.startProcess(NODE);
            SimulatedDatabase database = database(world, process);
            database.start();
            SCHEMA.forEach(database::execute);
            CompletableFuture<TransactionResponse> made = database.database().submit(asked());
            for (int i = 0; i < steps; i++) {
                world.step();
            }
            isAnswered = made.isDone();
            process.crash();
            database.abandon();

            process = world.startProcess(NODE);
            database = database(world, process);
            database.start();
            leftovers += isClean(database.database().catalog()) ? 0 : 1;
            assertThat(shownTables(database)).isIn(List.of(2L, 3L));
            boolean isThere = database.database().catalog().tables().containsKey("MADE");
            assertThat(isThere || !isAnswered).as("what was answered is there").isTrue();
            if (isThere) {
                whole++;
                assertWhole(database);
            }
            world.runFor(SWEEP_NANOS);
            assertThat(isClean(database.database().catalog()))
                    .as("after " + steps + " steps and a moment nothing is left of what was begun")
                    .isTrue();
            assertThat(database.ask(asked())).as("the same is asked for again").isInstanceOf(Committed.class);
            if (!isThere) {
                assertWhole(database);
            }
            process.crash();
            database.abandon();
        }
        assertThat(whole).isPositive();
        assertThat(leftovers)
                .as("lives that began with a table that was not ready")
                .isPositive();
    }

    @Test
    void aTableThatIsBeingMadeIsNobodysBusiness() {
        SimulatedWorld world = new SimulatedWorld(7);
        SimulatedProcess process = world.startProcess(NODE);
        SimulatedDatabase database = database(world, process);
        database.start();
        SCHEMA.forEach(database::execute);
        CompletableFuture<TransactionResponse> made = database.database().submit(request(MADE));
        world.runUntil(() -> !isClean(database.database().catalog()), SWEEP_NANOS, 1);
        assertThat(shownTables(database)).isEqualTo(2);
        assertThat(database.database().catalog().procedures()).isEmpty();
        assertThat(database.ask(request("CREATE TABLE \".0123456789ABCDEF\" (a BIGINT)")))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SYNTAX));
        assertThat(world.runUntil(made::isDone, SWEEP_NANOS)).isTrue();
        assertWhole(database);
        process.crash();
        database.abandon();
    }

    @Test
    void ofTwoThatMakeTheSameTableOneDoes() {
        SimulatedWorld world = new SimulatedWorld(7);
        SimulatedProcess process = world.startProcess(NODE);
        SimulatedDatabase database = database(world, process);
        database.start();
        SCHEMA.forEach(database::execute);
        CompletableFuture<TransactionResponse> one = database.database().submit(request(MADE));
        CompletableFuture<TransactionResponse> other = database.database().submit(request(MADE));
        CompletableFuture<TransactionResponse> lenient =
                database.database().submit(request(MADE.replace("TABLE made", "TABLE IF NOT EXISTS made")));
        assertThat(world.runUntil(() -> one.isDone() && other.isDone() && lenient.isDone(), SWEEP_NANOS))
                .isTrue();
        assertThat(List.of(one.join(), other.join(), lenient.join()))
                .as("the one that made the table says how many rows it has")
                .filteredOn(response -> response instanceof Committed done && done.value() == 4)
                .hasSize(1);
        assertThat(List.of(one.join(), other.join()))
                .filteredOn(response -> response instanceof Failed failed && failed.code() != ErrorCode.OBJECT_EXISTS)
                .isEmpty();
        assertThat(lenient.join()).isInstanceOf(Committed.class);
        assertThat(isClean(database.database().catalog())).isTrue();
        assertWhole(database);
        process.crash();
        database.abandon();
    }

    private static void assertWhole(SimulatedDatabase database) {
        assertThat(database.database().catalog().table("MADE").indexes())
                .extracting(Index::name)
                .containsExactly("MADE_PRIMARY_KEY", "MADE_PRIMARY_KEY_ORDER");
        assertThat(database.execute("INSERT INTO note SELECT home, total FROM made WHERE total > 0")
                        .value())
                .as("rows of the table")
                .isEqualTo(4);
        assertThat(database.execute("DELETE FROM note WHERE amount IN (11, 20, 30, 40)")
                        .value())
                .as("rows as the query has them, and those that were there")
                .isEqualTo(7);
    }

    private static long shownTables(SimulatedDatabase database) {
        database.execute("INSERT INTO shown SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES");
        return database.execute("DELETE FROM shown").value();
    }

    private static boolean isClean(Catalog catalog) {
        return catalog.tables().keySet().stream().noneMatch(name -> name.startsWith("."));
    }

    private static TransactionRequest asked() {
        return new TransactionRequest.AdHoc(12, 34, 0, MADE, SimulatedDatabase.parameters());
    }

    private static TransactionRequest request(String text) {
        return new TransactionRequest.AdHoc(0, 0, 0, text, SimulatedDatabase.parameters());
    }
}
