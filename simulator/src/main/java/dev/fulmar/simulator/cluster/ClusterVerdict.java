package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.reconfiguration.StepListener;
import dev.fulmar.coordinator.remote.RemoteTransactions;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.reconfig.step.MoveStep;
import dev.fulmar.reconfig.step.MoveStepFormat;
import dev.fulmar.simulator.campaign.FinalState;
import dev.fulmar.simulator.campaign.Ledger;
import dev.fulmar.simulator.campaign.Replies;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.verify.StrictSerializabilityVerifier;
import dev.fulmar.simulator.verify.Transaction;
import dev.fulmar.simulator.verify.Violation;
import dev.fulmar.simulator.workload.Mix;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Judges a cluster once all is mended: it goes on, has all acknowledged commits, and its copies are alike. */
final class ClusterVerdict {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long PROGRESS_NANOS = 30 * SECOND_NANOS;

    /** Changes of the catalog within that time that may end each building of a copy. */
    private static final long MANY_CHANGES = 15;

    private static final long ANSWER_NANOS = 40 * SECOND_NANOS;

    /** Decisions are told again, and parts in doubt asked for, several times in it. */
    private static final long REST_NANOS = 10 * SECOND_NANOS;

    /**
     * Accounts that the judge opens and closes at the end, and the most of them: so many that each partition gets one.
     */
    private static final long LAST_ACCOUNTS = 1_000_000;

    private static final long MOST_LAST_WRITES = 200;

    /** The judge asks as a client of its own. */
    private static final long EXECUTOR = 1_000;

    private final SimulatedCluster cluster;
    private final ClusterAccess access;
    private final HistoryRecorder recorder;
    private final Ledger ledger;
    private final SimulatedWorld world;
    private final RandomSource random;
    private int due;
    private long lastRequest;

    ClusterVerdict(SimulatedCluster cluster, ClusterAccess access, HistoryRecorder recorder, Ledger ledger) {
        this.cluster = cluster;
        this.access = access;
        this.recorder = recorder;
        this.ledger = ledger;
        this.world = cluster.world();
        this.random = world.random("verdict");
    }

    /**
     * Every partition must execute something, and all copies be in sync, within 30 seconds; false if not. A change of
     * the tables ends the building of a copy. Where many changes follow each other, copies have 30 seconds more
     * without any.
     */
    boolean progresses(List<ClusterClient> clients, CatalogDisturbers disturbers) {
        long[] before = clients.stream().mapToLong(ClusterClient::committed).toArray();
        boolean served = cluster.comesTo(cluster::allServe, PROGRESS_NANOS);
        boolean moved = served
                && world.runUntil(
                        () -> {
                            for (int i = 0; i < before.length; i++) {
                                if (clients.get(i).committed() <= before[i] + 1) {
                                    return false;
                                }
                            }
                            return true;
                        },
                        PROGRESS_NANOS);
        long changes = disturbers.ended();
        boolean whole = moved
                && (cluster.comesTo(cluster::allInSync, PROGRESS_NANOS)
                        || (disturbers.ended() > changes + MANY_CHANGES && becomesWholeWithoutChanges(disturbers)));
        if (!whole) {
            cluster.violation("no progress within 30 s of the mending: "
                    + (served
                            ? moved ? "copies are not in sync" : "clients get no answers"
                            : "partitions are not served")
                    + "\n" + cluster.describe());
        }
        return whole;
    }

    private boolean becomesWholeWithoutChanges(CatalogDisturbers disturbers) {
        disturbers.pause();
        boolean whole = cluster.comesTo(cluster::allInSync, PROGRESS_NANOS);
        disturbers.goOn();
        return whole;
    }

    /** Lets the clients end their open wishes. */
    void calm(List<ClusterClient> clients) {
        clients.forEach(ClusterClient::rest);
        if (!cluster.comesTo(() -> clients.stream().allMatch(ClusterClient::isIdle), ANSWER_NANOS)) {
            cluster.violation("clients wait for ever\n" + cluster.describe());
        }
    }

    /** Reads all lists as last transactions of the history, and judges it. */
    List<Transaction> judge(long lists) {
        Mix mix = cluster.scenario().mix();
        boolean asks = cluster.scenario().joinsPartitions();
        FinalState state = new FinalState(this::ask, mix.withKeys(Math.toIntExact(lists)), ledger);
        if (asks) {
            state.read(recorder);
        }
        for (long key = 1; key <= lists && !asks; key++) {
            read(new Wish.ReadList(key));
        }
        if (!world.runUntil(() -> due == 0, ANSWER_NANOS)) {
            cluster.violation("the lists cannot be read at the end\n" + cluster.describe());
        }
        List<Transaction> history = recorder.history();
        for (Violation violation :
                new StrictSerializabilityVerifier().verify(history).violations()) {
            cluster.violation(violation.toString());
        }
        if (asks) {
            state.check(history);
        }
        return history;
    }

    /** Views equal their queries at the end. */
    void judgeViews() {
        ViewClient.judge(
                cluster, ask(ViewClient.DIFFERENCES).tables().getFirst().getFirst());
    }

    private Wish.Reply ask(String sql, Object... arguments) {
        List<Wish.Reply> replies = new ArrayList<>();
        execute(sql, reply -> replies.add(reply), arguments);
        if (!world.runUntil(() -> !replies.isEmpty(), ANSWER_NANOS)) {
            throw new IllegalStateException("no answer to " + sql + "\n" + cluster.describe());
        }
        return replies.getFirst();
    }

    /** Executes the statement, however often it must be sent. */
    void execute(String sql, Consumer<Wish.Reply> hear, Object... arguments) {
        byte[] parameters = SimulatedDatabase.parameters(arguments);
        TransactionRequest request = new TransactionRequest.AdHoc(EXECUTOR, ++lastRequest, 0, sql, parameters);
        new ClusterCall(
                        cluster,
                        access,
                        random,
                        cluster.idOf(random.nextInt(cluster.scenario().nodes())),
                        request,
                        PROGRESS_NANOS,
                        new Execution(sql, hear))
                .send();
    }

    private final class Execution implements ClusterCall.Outcome {
        private final String sql;
        private final Consumer<Wish.Reply> hear;

        Execution(String sql, Consumer<Wish.Reply> hear) {
            this.sql = sql;
            this.hear = hear;
        }

        @Override
        public void answered(TransactionResponse response, boolean isSure) {
            if (response instanceof Committed committed) {
                hear.accept(Replies.decode(committed));
            } else {
                cluster.violation(sql + ": " + response);
            }
        }

        @Override
        public void unknown() {
            cluster.violation(sql + " has no answer\n" + cluster.describe());
        }

        @Override
        public void noEffect() {
            unknown();
        }
    }

    private void read(Wish wish) {
        due++;
        HistoryRecorder.Pending record = recorder.invoke(0, List.of());
        byte[] parameters = SimulatedDatabase.parameters(wish.arguments());
        TransactionRequest request = new TransactionRequest.AdHoc(0, 0, 0, wish.text(), parameters);
        new ClusterCall(
                        cluster,
                        access,
                        random,
                        cluster.idOf(random.nextInt(cluster.scenario().nodes())),
                        request,
                        PROGRESS_NANOS,
                        new FinalRead(wish, record))
                .send();
    }

    private final class FinalRead implements ClusterCall.Outcome {
        private final Wish wish;
        private final HistoryRecorder.Pending record;

        FinalRead(Wish wish, HistoryRecorder.Pending record) {
            this.wish = wish;
            this.record = record;
        }

        @Override
        public void answered(TransactionResponse response, boolean isSure) {
            due--;
            if (response instanceof Committed committed) {
                record.ok(wish.done(Replies.decode(committed)), OptionalLong.empty());
            } else {
                cluster.violation("the last look at " + wish + ": " + response);
            }
        }

        @Override
        public void unknown() {
            noEffect();
        }

        @Override
        public void noEffect() {
            due--;
            cluster.violation("the last look at " + wish + " has no answer\n" + cluster.describe());
        }
    }

    /**
     * A copy takes changes of the catalog on with the first record that was written since, and has the tables of before
     * until then.
     */
    private void writeEverywhere() {
        for (long i = 0; i < MOST_LAST_WRITES && lags(); i++) {
            long id = LAST_ACCOUNTS + i;
            execute(
                    "INSERT INTO account (id, balance) VALUES (?, ?)",
                    reply -> execute("DELETE FROM account WHERE id = ?", deleted -> {}, id),
                    id,
                    0L);
            world.runFor(SECOND_NANOS / 10);
        }
        if (cluster.scenario().movesKeys() && lags()) {
            stepEverywhere(); // a partition may have no key by now
            world.runFor(SECOND_NANOS);
        }
    }

    private void stepEverywhere() {
        for (int number = 0; number < cluster.scenario().partitions(); number++) {
            PartitionRecord record = cluster.record(number);
            if (record != null) {
                SimulatedNode primary = cluster.node(record.primary().node());
                PartitionId partition = new PartitionId(number);
                primary.process()
                        .execute(
                                0,
                                "a step of no effect",
                                () -> primary.database()
                                        .reconfiguration()
                                        .write(
                                                partition,
                                                data -> MoveStepFormat.write(new MoveStep.Drop(0)),
                                                StepListener.none()));
            }
        }
    }

    private boolean lags() {
        for (int number = 0; number < cluster.scenario().partitions(); number++) {
            PartitionRecord record = cluster.record(number);
            if (record != null) {
                int partition = number;
                long newest = runtime(record.primary(), number).storageVersion();
                if (record.inSync().stream()
                        .anyMatch(copy -> runtime(copy, partition).storageVersion() < newest)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * When nothing goes on, no node has a part in doubt, keeps a decision that all participants have, or waits for a
     * participant. What is left then is left for ever.
     */
    void nothingIsLeft() {
        if (!cluster.comesTo(() -> leftovers().isEmpty(), REST_NANOS)) {
            cluster.violation("nothing goes on, and yet " + leftovers());
        }
    }

    private String leftovers() {
        StringBuilder left = new StringBuilder();
        for (SimulatedNode node : cluster.nodes()) {
            RemoteTransactions remote = node.isAlive() ? node.database().remote() : null;
            if (remote != null
                    && (remote.doubtCount() > 0 || remote.decisions().count() > 0 || remote.underWay() > 0)) {
                left.append(node.process())
                        .append(" has ")
                        .append(remote.doubtCount())
                        .append(" parts in doubt, ")
                        .append(remote.decisions().count())
                        .append(" decisions and ")
                        .append(remote.underWay())
                        .append(" participants to wait for; ");
            }
        }
        return left.toString();
    }

    /** All copies in sync have the same rows. */
    void compareCopies(List<ClusterClient> clients) {
        writeEverywhere();
        for (int number = 0; number < cluster.scenario().partitions(); number++) {
            PartitionRecord record = cluster.record(number);
            if (record == null) {
                continue;
            }
            Catalog catalog = cluster.node(record.primary().node()).database().catalog();
            List<String> expected = rows(record.primary(), number, catalog);
            for (CopyId copy : record.inSync()) {
                List<String> found = rows(copy, number, catalog);
                if (!found.equals(expected)) {
                    cluster.violation("copy " + copy + " of partition " + number + " differs from " + record.primary()
                            + ": it misses " + some(difference(expected, found)) + " and has beside them "
                            + some(difference(found, expected)));
                }
                insides(copy, record.primary(), number, catalog, clients);
            }
        }
    }

    /**
     * Compares the hidden state of a copy, which shows only once the copy leads: its clock, and its memory of requests.
     */
    private void insides(CopyId copy, CopyId primary, int partition, Catalog catalog, List<ClusterClient> clients) {
        PartitionRuntime runtime = runtime(copy, partition);
        long newest = CopyContents.newestChange(runtime, catalog);
        if (runtime.partition().timestamps().last() < newest) {
            cluster.violation("the clock of copy " + copy + " of partition " + partition + " is behind a row: "
                    + runtime.partition().timestamps().last() + " is before " + newest);
        }
        List<String> expected = CopyContents.outcomes(runtime(primary, partition), clients);
        List<String> found = CopyContents.outcomes(runtime, clients);
        if (!found.equals(expected)) {
            cluster.violation(
                    "copy " + copy + " of partition " + partition + " remembers other requests than " + primary
                            + ": it misses " + some(difference(expected, found)) + " and has beside them "
                            + some(difference(found, expected)));
        }
        if (runtime.storage().moves().isUnderWay()) {
            cluster.violation("no move is under way, and yet copy " + copy + " of partition " + partition
                    + " has a bucket that is staged, copied or cut");
        }
    }

    private PartitionRuntime runtime(CopyId copy, int partition) {
        return cluster.node(copy.node())
                .database()
                .copies()
                .of(new PartitionId(partition))
                .runtime();
    }

    private List<String> rows(CopyId copy, int partition, Catalog catalog) {
        return CopyContents.of(runtime(copy, partition), catalog);
    }

    private static String some(TreeSet<String> rows) {
        return rows.size() + " rows, as " + rows.stream().limit(10).toList();
    }

    private static TreeSet<String> difference(List<String> from, List<String> without) {
        TreeSet<String> rest = new TreeSet<>(from);
        without.forEach(rest::remove);
        return rest;
    }
}
