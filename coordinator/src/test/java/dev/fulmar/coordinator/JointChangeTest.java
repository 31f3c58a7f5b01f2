package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.access.CallerListener;
import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.backup.BackupFigures;
import dev.fulmar.coordinator.durability.backup.RestoreView;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.ResultDigest;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.routing.Spread;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.ErrorCode.Category;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.foundation.storage.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** COMMIT of a session's transaction that changes the catalog and brings rows: all or nothing, and once. */
class JointChangeTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final long CLIENT = 77;
    private static final String CREATE_LATER = BankSql.PREFIX + 4;
    private static final String DROP_LATER = BankSql.PREFIX + 5;
    private static final String CREATE_LATER_IN_CLUSTER = BankSql.PREFIX + 5;
    private static final String INTO_LATER = "INSERT INTO LATER VALUES (?, ?)";
    private static final String INTO_ACCOUNT = "INSERT INTO ACCOUNT VALUES (?, ?)";
    private static final String UPDATE = "UPDATE ACCOUNT SET balance = ? WHERE id = ?";
    private static final String QUERY = "SELECT balance FROM ACCOUNT WHERE id = ?";
    private static final int CREATION = 5;

    private static ScriptStep step(String sql, Object... parameters) {
        return new ScriptStep(sql, SteppedDatabase.list(parameters), 1).shown(new ResultDigest(1, 1), 0);
    }

    private static final List<ScriptStep> MIGRATION = migration(CREATE_LATER);
    private static final List<ScriptStep> CLUSTER_MIGRATION = migration(CREATE_LATER_IN_CLUSTER);

    private static List<ScriptStep> migration(String create) {
        return List.of(
                step(create),
                step(INTO_LATER, 1L, 5L),
                step(INTO_LATER, 2L, 6L),
                step(INTO_ACCOUNT, 901L, 100L),
                step(INTO_ACCOUNT, 902L, 200L));
    }

    private static TransactionRequest.Script script(
            Database database, long request, ScriptEnding ending, List<ScriptStep> steps) {
        return new TransactionRequest.Script(
                CLIENT, request, 0, steps, ending, 2, false, false, 1, database.term(CLIENT), Caller.TRUSTED, 0);
    }

    private static TransactionRequest.AdHoc statement(String sql, Object... parameters) {
        return new TransactionRequest.AdHoc(0, 0, 0, sql, SteppedDatabase.list(parameters));
    }

    private static TransactionRequest question(long request) {
        return TransactionRequest.Script.question(new TransactionRequest.AdHoc(
                CLIENT, request, 0, ReadConsistency.DECLARED, "COMMIT", SteppedDatabase.list(), Caller.TRUSTED));
    }

    /** Asks all nodes in turn until one gives a definite answer. */
    private static TransactionResponse ask(ReplicatedBank bank, TransactionRequest request) {
        long endNanos = bank.world.nowNanos() + 40 * SECOND_NANOS;
        List<TransactionResponse> indefinite = new ArrayList<>();
        while (bank.world.nowNanos() < endNanos) {
            for (ClusterNode node : bank.nodes.values()) {
                if (node.process.isAlive()) {
                    CompletableFuture<TransactionResponse> answer = bank.ask(node, request);
                    assertThat(bank.world.runUntil(answer::isDone, 20 * SECOND_NANOS))
                            .isTrue();
                    if (!(answer.join() instanceof Failed failed)
                            || failed.code().category() == Category.USER) {
                        return answer.join();
                    }
                    indefinite.add(answer.join());
                }
            }
            bank.world.runFor(SECOND_NANOS / 10);
        }
        throw new AssertionError("no definite answer to " + request + " but " + indefinite);
    }

    /** The node that leads the partition which remembers the client's transactions: a sender there has its COMMIT. */
    private static ClusterNode remembering(ReplicatedBank bank) {
        return bank.primary(
                new PartitionId(Spread.partition(CLIENT, bank.configuration().partitions())));
    }

    private static TransactionResponse commit(ReplicatedBank bank, long request) {
        return ask(bank, script(remembering(bank).database, request, ScriptEnding.COMMIT, CLUSTER_MIGRATION));
    }

    private static long balance(ReplicatedBank bank, String table, long id) {
        return SteppedDatabase.cell(ask(bank, statement("SELECT balance FROM " + table + " WHERE id = ?", id)));
    }

    /** All of it is there, or nothing. */
    private static boolean isThere(ReplicatedBank bank) {
        boolean hasTable = bank.catalogPrimary().database.catalog().tables().containsKey("LATER");
        assertThat(balance(bank, "account", 901)).isEqualTo(hasTable ? 100 : -1);
        assertThat(balance(bank, "account", 902)).isEqualTo(hasTable ? 200 : -1);
        if (hasTable) {
            assertThat(balance(bank, "LATER", 1)).isEqualTo(5);
            assertThat(balance(bank, "LATER", 2)).isEqualTo(6);
        }
        return hasTable;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void theNextPrimariesHaveItAll(int way) {
        ReplicatedBank bank = new ReplicatedBank(71 + way, 3, 3, 2, DurabilityMode.SYNC);
        assertThat(commit(bank, 1)).isInstanceOf(Committed.class);
        assertThat(isThere(bank)).isTrue();
        bank.kill(
                way % 2 == 0
                        ? bank.catalogPrimary().process.node()
                        : remembering(bank).process.node());
        assertThat(bank.world.runUntil(bank::allServe, 20 * SECOND_NANOS)).isTrue();
        assertThat(isThere(bank)).isTrue();
        assertThat(ask(bank, question(1))).isInstanceOf(Committed.class);
        assertThat(bank.catalogPrimary().database.catalog().version())
                .as("it is made once")
                .isEqualTo(CREATION + 1);
        assertThat(ask(bank, statement(INTO_ACCOUNT, 903L, 0L))).isInstanceOf(Committed.class);
        assertThat(((Failed) ask(bank, statement(INTO_ACCOUNT, 902L, 0L))).code())
                .isEqualTo(ErrorCode.UNIQUE_VIOLATION);
    }

    @Test
    void aKilledNodeLeavesAllOrNothing() {
        int done = 0;
        int notDone = 0;
        for (int moment = 0; moment < 24; moment++) {
            ReplicatedBank bank = new ReplicatedBank(100 + moment, 3, 3, 2, DurabilityMode.SYNC);
            ClusterNode sender = remembering(bank);
            NodeId victim = (moment % 2 == 0 ? sender : bank.catalogPrimary()).process.node();
            CompletableFuture<TransactionResponse> sent =
                    bank.ask(sender, script(sender.database, 1, ScriptEnding.COMMIT, CLUSTER_MIGRATION));
            bank.world.runFor(moment * 300_000L);
            bank.kill(victim);
            assertThat(bank.world.runUntil(bank::allServe, 30 * SECOND_NANOS)).isTrue();
            TransactionResponse outcome = ask(bank, question(1));
            if (outcome instanceof Failed failed) {
                assertThat(failed.code()).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
            }
            boolean isDone = isThere(bank);
            if (sent.isDone() && sent.join() instanceof Committed) {
                assertThat(isDone).as("what its client was told at once").isTrue();
            }
            assertThat(isDone).as("as its client was told, after " + moment).isEqualTo(outcome instanceof Committed);
            done += isDone ? 1 : 0;
            notDone += isDone ? 0 : 1;
        }
        assertThat(done).isPositive();
        assertThat(notDone).isPositive();
    }

    /** The answer that it was not committed is kept: the change may be on its way still. */
    @Test
    void whatAClientWasToldNotToBeIsNeverMade() {
        ReplicatedBank bank = new ReplicatedBank(75, 3, 3, 2, DurabilityMode.SYNC);
        assertThat(((Failed) ask(bank, question(7))).code()).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
        ClusterNode maker = bank.catalogPrimary();
        for (ScriptEnding ending : List.of(ScriptEnding.COMMIT, ScriptEnding.CHANGE)) {
            TransactionResponse late = ask(bank, script(maker.database, 7, ending, CLUSTER_MIGRATION));
            assertThat(((Failed) late).code()).as(ending.name()).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
        }
        assertThat(isThere(bank)).isFalse();
    }

    @Test
    void aNodeThatLostItsDiskGetsTheRows() {
        ReplicatedBank bank = new ReplicatedBank(76, 2, 2, 2, DurabilityMode.SYNC);
        NodeId maker = bank.catalogPrimary().process.node();
        assertThat(commit(bank, 1)).isInstanceOf(Committed.class);
        bank.replace(new NodeId(3 - maker.number()));
        assertThat(bank.world.runUntil(() -> bank.allKnow(CREATION + 1), 30 * SECOND_NANOS))
                .isTrue();
        bank.heal();
        bank.kill(maker);
        assertThat(bank.world.runUntil(bank::allServe, 20 * SECOND_NANOS)).isTrue();
        assertThat(isThere(bank)).isTrue();
    }

    /** A migration that reads and changes rows of a table that it leaves as it was; the last statement is a query. */
    private static List<ScriptStep> besideRows(String create, long balance) {
        ScriptStep update = new ScriptStep(UPDATE, SteppedDatabase.list(55L, 901L), 1);
        ScriptStep query = new ScriptStep(QUERY, SteppedDatabase.list(902L), 1);
        return List.of(
                step(create),
                update.shown(ResultDigest.of(new Committed(Kind.VALUE, 1, new byte[0]), UPDATE), 0),
                step(INTO_LATER, 1L, 5L),
                step(INTO_LATER, 2L, 6L),
                query.shown(ResultDigest.of(row(balance), QUERY), 0));
    }

    private static Committed row(long balance) {
        ResultBlockWriter writer = new ResultBlockWriter(64, 1 << 10);
        writer.begin(new ResultLayout(List.of(new ResultColumn("BALANCE", ColumnType.of(TypeKind.BIGINT), true))));
        writer.startRow();
        writer.setLong(0, balance);
        writer.endRow();
        writer.end();
        return new Committed(Kind.TABLE, 0, writer.toByteArray());
    }

    /** All of it is there, or nothing. */
    private static boolean isThereBesideRows(ReplicatedBank bank) {
        boolean hasTable = bank.catalogPrimary().database.catalog().tables().containsKey("LATER");
        assertThat(balance(bank, "account", 901)).isEqualTo(hasTable ? 55 : 100);
        assertThat(balance(bank, "account", 902)).isEqualTo(200);
        if (hasTable) {
            assertThat(balance(bank, "LATER", 1)).isEqualTo(5);
            assertThat(balance(bank, "LATER", 2)).isEqualTo(6);
        }
        return hasTable;
    }

    private static ReplicatedBank withRows(long seed) {
        ReplicatedBank bank = new ReplicatedBank(seed, 3, 3, 2, DurabilityMode.SYNC);
        assertThat(ask(bank, statement(INTO_ACCOUNT, 901L, 100L))).isInstanceOf(Committed.class);
        assertThat(ask(bank, statement(INTO_ACCOUNT, 902L, 200L))).isInstanceOf(Committed.class);
        return bank;
    }

    private static TransactionResponse commitBesideRows(ReplicatedBank bank, long request, long balance) {
        return ask(
                bank,
                script(
                        remembering(bank).database,
                        request,
                        ScriptEnding.COMMIT,
                        besideRows(CREATE_LATER_IN_CLUSTER, balance)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void theNextPrimariesHaveTheChangedRows(int way) {
        ReplicatedBank bank = withRows(171 + way);
        assertThat(commitBesideRows(bank, 1, 200)).isInstanceOf(Committed.class);
        assertThat(isThereBesideRows(bank)).isTrue();
        bank.kill(
                way % 2 == 0
                        ? bank.catalogPrimary().process.node()
                        : remembering(bank).process.node());
        assertThat(bank.world.runUntil(bank::allServe, 20 * SECOND_NANOS)).isTrue();
        assertThat(isThereBesideRows(bank)).isTrue();
        assertThat(ask(bank, question(1))).isInstanceOf(Committed.class);
    }

    @Test
    void aResultThatIsAnotherNowFailsTheCommitInACluster() {
        ReplicatedBank bank = withRows(176);
        TransactionResponse response = commitBesideRows(bank, 1, 199);
        assertThat(((Failed) response).code()).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
        assertThat(isThereBesideRows(bank)).isFalse();
        assertThat(commitBesideRows(bank, 2, 200)).isInstanceOf(Committed.class);
        assertThat(isThereBesideRows(bank)).isTrue();
    }

    @Test
    void aKilledNodeLeavesAllOrNothingOfTheRows() {
        int done = 0;
        int notDone = 0;
        for (int moment = 0; moment < 24; moment++) {
            ReplicatedBank bank = withRows(200 + moment);
            ClusterNode sender = remembering(bank);
            NodeId victim = (moment % 2 == 0 ? sender : bank.catalogPrimary()).process.node();
            List<ScriptStep> steps = besideRows(CREATE_LATER_IN_CLUSTER, 200);
            var unused = bank.ask(sender, script(sender.database, 1, ScriptEnding.COMMIT, steps));
            bank.world.runFor(moment * 400_000L);
            bank.kill(victim);
            assertThat(bank.world.runUntil(bank::allServe, 30 * SECOND_NANOS)).isTrue();
            TransactionResponse outcome = ask(bank, question(1));
            boolean isDone = isThereBesideRows(bank);
            assertThat(isDone).as("as its client was told, after " + moment).isEqualTo(outcome instanceof Committed);
            done += isDone ? 1 : 0;
            notDone += isDone ? 0 : 1;
        }
        assertThat(done).isPositive();
        assertThat(notDone).isPositive();
    }

    private static SteppedDatabase start(Storage storage) {
        return new SteppedDatabase(DatabaseConfiguration.of(3, 3), new BankSql(), storage, DurabilityMode.SYNC);
    }

    private static long count(TransactionResponse response) {
        return response instanceof Committed ? SteppedDatabase.cell(response) : -1;
    }

    private static void createAccounts(SteppedDatabase bank) {
        for (int i = 0; i < 4; i++) {
            assertThat(bank.sql(BankSql.PREFIX + i)).isInstanceOf(Committed.class);
        }
    }

    private static boolean isThere(SteppedDatabase bank) {
        boolean hasTable = bank.database.catalog().tables().containsKey("LATER");
        assertThat(count(bank.sql("SELECT SUM(balance) FROM account"))).isEqualTo(hasTable ? 300 : 0);
        if (hasTable) {
            assertThat(count(bank.sql("SELECT SUM(balance) FROM LATER"))).isEqualTo(11);
        }
        return hasTable;
    }

    /** The power fails after each step of the node. */
    @Test
    void aLossOfPowerLeavesAllOrNothing() {
        boolean wasThere = false;
        boolean wasNotThere = false;
        for (int steps = 0; steps < 120; steps += 3) {
            SimulatedWorld world = new SimulatedWorld(80);
            SimulatedProcess process = world.startProcess(new NodeId(0));
            SteppedDatabase before = start(process.storage());
            createAccounts(before);
            List<TransactionResponse> answers = new ArrayList<>();
            before.database.submit(
                    script(before.database, 1, ScriptEnding.COMMIT, MIGRATION), SteppedDatabase.sink(answers));
            for (int i = 0; i < steps; i++) {
                before.stepRandomly(world.random("steps"));
            }
            boolean wasAnswered = !answers.isEmpty() && answers.getFirst() instanceof Committed;
            process.crash();
            SteppedDatabase after = start(world.startProcess(new NodeId(0)).storage());
            boolean isThere = isThere(after);
            if (wasAnswered) {
                assertThat(isThere).as("what the client was told of").isTrue();
            }
            boolean isKnown = after.run(question(1)) instanceof Committed;
            assertThat(isKnown).isEqualTo(isThere);
            wasThere |= isThere;
            wasNotThere |= !isThere;
        }
        assertThat(wasThere).isTrue();
        assertThat(wasNotThere).isTrue();
    }

    /**
     * Each of two transactions changes the row that the other one has read; the second one comes after each step of the
     * first one's COMMIT, also between the run of its statements and the change.
     */
    @Test
    void twoTransactionsOfWhichEachMustBeTheFirstNeverCommitBoth() {
        int first = 0;
        int second = 0;
        for (int steps = 0; steps < 160; steps++) {
            SimulatedWorld world = new SimulatedWorld(84);
            SteppedDatabase bank = start(world.startProcess(new NodeId(0)).storage());
            createAccounts(bank);
            assertThat(bank.sql(INTO_ACCOUNT, 901L, 100L)).isInstanceOf(Committed.class);
            assertThat(bank.sql(INTO_ACCOUNT, 902L, 200L)).isInstanceOf(Committed.class);
            List<TransactionResponse> migrated = new ArrayList<>();
            bank.database.submit(
                    script(bank.database, 1, ScriptEnding.COMMIT, besideRows(CREATE_LATER, 200)),
                    SteppedDatabase.sink(migrated));
            for (int i = 0; i < steps; i++) {
                bank.stepRandomly(world.random("steps"));
            }
            ScriptStep query = new ScriptStep(QUERY, SteppedDatabase.list(901L), 1);
            ScriptStep update = new ScriptStep(UPDATE, SteppedDatabase.list(7L, 902L), 1);
            TransactionResponse other = bank.run(script(
                    bank.database,
                    2,
                    ScriptEnding.COMMIT,
                    List.of(
                            query.shown(ResultDigest.of(row(100), QUERY), 0),
                            update.shown(ResultDigest.of(new Committed(Kind.VALUE, 1, new byte[0]), UPDATE), 0))));
            bank.settle();
            boolean isFirst = migrated.getFirst() instanceof Committed;
            boolean isSecond = other instanceof Committed;
            assertThat(isFirst && isSecond).as("after " + steps).isFalse();
            first += isFirst ? 1 : 0;
            second += isSecond ? 1 : 0;
        }
        assertThat(first).isPositive();
        assertThat(second).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void aRestoreHasTheRowsOnce(int partitions) {
        SimulatedWorld world = new SimulatedWorld(81);
        SteppedDatabase bank = start(world.startProcess(new NodeId(0)).storage());
        createAccounts(bank);
        assertThat(bank.run(script(bank.database, 1, ScriptEnding.COMMIT, MIGRATION)))
                .isInstanceOf(Committed.class);
        Storage backup = world.startProcess(new NodeId(1)).storage();
        Durability durability = Objects.requireNonNull(bank.database.durability());
        BackupFigures figures = durability.backUp(backup, new TreeMap<>(Map.of("partitions", "?")), List.of(), "test");
        bank.settle();
        assertThat(figures.state()).isEqualTo(BackupFigures.State.DONE);
        Storage restored = world.startProcess(new NodeId(2)).storage();
        SteppedDatabase.restore(
                DatabaseConfiguration.of(3, 3),
                new BankSql(),
                RestoreView.of(backup, "log", List.of()),
                restored,
                PartitionPlan.hash(partitions),
                false,
                figures.timestamp());
        SteppedDatabase other = new SteppedDatabase(
                DatabaseConfiguration.of(partitions, partitions), new BankSql(), restored, DurabilityMode.SYNC);
        assertThat(isThere(other)).isTrue();
    }

    @Test
    void aRowThatIsThereAlreadyUndoesAll() {
        SteppedDatabase bank =
                start(new SimulatedWorld(82).startProcess(new NodeId(0)).storage());
        createAccounts(bank);
        assertThat(bank.sql(INTO_ACCOUNT, 902L, 1L)).isInstanceOf(Committed.class);
        assertThat(SteppedDatabase.code(bank.run(script(bank.database, 1, ScriptEnding.COMMIT, MIGRATION))))
                .isEqualTo(ErrorCode.UNIQUE_VIOLATION);
        assertThat(bank.database.catalog().tables()).doesNotContainKey("LATER");
        assertThat(count(bank.sql("SELECT SUM(balance) FROM account"))).isEqualTo(1);
        assertThat(bank.sql(CREATE_LATER)).isInstanceOf(Committed.class);
        assertThat(bank.sql(DROP_LATER)).isInstanceOf(Committed.class);
    }

    @Test
    void rightsAreCheckedAtTheStatementAndAtTheCommit() {
        SteppedDatabase bank =
                start(new SimulatedWorld(83).startProcess(new NodeId(0)).storage());
        createAccounts(bank);
        Caller nobody = Caller.user("NOBODY", CallerListener.none());
        for (ScriptEnding ending : List.of(ScriptEnding.UNDO, ScriptEnding.COMMIT, ScriptEnding.CHANGE)) {
            ScriptStep create = new ScriptStep(CREATE_LATER, SteppedDatabase.list(), 1);
            TransactionRequest.Script script = new TransactionRequest.Script(
                    CLIENT,
                    9 + ending.ordinal(),
                    0,
                    List.of(create),
                    ending,
                    2,
                    false,
                    false,
                    1,
                    bank.database.term(CLIENT),
                    nobody,
                    0);
            assertThat(SteppedDatabase.code(bank.run(script))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        }
        assertThat(bank.database.catalog().tables()).doesNotContainKey("LATER");
    }
}
