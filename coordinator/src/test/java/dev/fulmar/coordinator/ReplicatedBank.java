package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.simulated.SimulatedClusterStore;
import dev.fulmar.coordinator.remote.RemoteTransactions;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** Nodes with copies of a bank's partitions in one simulated world, and a judge who knows everything. */
final class ReplicatedBank {
    static final long SECOND_NANOS = 1_000_000_000;
    private static final long SESSION_TIMEOUT_NANOS = 2 * SECOND_NANOS;
    private static final List<CatalogChange> CHANGES = List.of(
            SteppedDatabase.table("ACCOUNT"),
            new CatalogChange.PartitionTable("ACCOUNT", "ID"),
            SteppedDatabase.procedure("Transfer", true),
            SteppedDatabase.procedure("Valued", true),
            SteppedDatabase.procedure("Stamp", true),
            SteppedDatabase.table("LATER"),
            new CatalogChange.DropTable("LATER", CatalogChange.Presence.STRICT),
            stamp("WanderingStamp"),
            stamp("Stamp"),
            new CatalogChange.CreateTable(
                    "SALE",
                    List.of(
                            new Column("ID", SteppedDatabase.BIGINT, false, null),
                            new Column("BALANCE", SteppedDatabase.BIGINT, true, null)),
                    List.of(),
                    Optional.empty(),
                    List.of(),
                    CatalogChange.Presence.STRICT),
            new CatalogChange.PartitionTable("SALE", "ID"),
            new CatalogChange.CreateIndex(
                    "SALES",
                    "SALE",
                    IndexKind.HASH,
                    true,
                    List.of(
                            new CatalogChange.NamedColumn("ID", false),
                            new CatalogChange.NamedColumn("BALANCE", false)),
                    CatalogChange.Presence.STRICT),
            new CatalogChange.CreateProcedure(HandOffRetryTest.PASS, true),
            BalancesView.change(),
            SteppedDatabase.procedure("Gift", false),
            SteppedDatabase.procedure("Look", false),
            SteppedDatabase.procedure("OpenAccounts", false));

    /** The changes that make a procedure, or the view of the accounts. */
    static final int PASS = CHANGES.size() - 5;

    static final int BALANCES = PASS + 1;
    static final int GIFT = PASS + 2;
    static final int LOOK = PASS + 3;
    static final int OPEN = PASS + 4;

    /** The procedure Stamp from one of several classes. */
    private static CatalogChange stamp(String className) {
        return new CatalogChange.CreateProcedure(
                new ProcedureDefinition(
                        "Stamp",
                        Optional.of(new ProcedureDefinition.Partitioning("ACCOUNT", "ID", 0)),
                        new ProcedureDefinition.JavaClass("dev.fulmar.coordinator.bank." + className, "")),
                true);
    }

    /** Decisions that the log may not have settled yet when nothing goes on: those of the last transactions. */
    private static final int MOST_KEPT = 40;

    /** How many of the changes make the bank. */
    private static final int CREATION = 5;

    final SimulatedWorld world;
    final SimulatedClusterStore store;
    final Map<NodeId, ClusterNode> nodes = new TreeMap<>();
    final List<BankClient> clients = new ArrayList<>();
    final List<SpreadClient> spreadClients = new ArrayList<>();
    final long memoryBytes;
    final long checkpointLogBytes;

    boolean passesOn; // all requests that others have to execute, and not only changes of the catalog
    /** What was reached, and how often. */
    final Map<String, Integer> reached = new TreeMap<>();

    final Probes probes = what -> reached.merge(what, 1, Integer::sum);

    /** A class, by its internal name, that the software of a node does not have. */
    final Map<NodeId, String> missingClasses = new TreeMap<>();

    private final int nodeCount;
    private final int partitions;
    private final int copies;
    private final DurabilityMode mode;
    private final Map<NodeId, Long> incarnations = new TreeMap<>();

    /** Of all copies on the node's disk for which nothing says otherwise, as a file on the disk tells. */
    private final Map<NodeId, Long> firstLives = new TreeMap<>();

    private final Map<Proposer, Long> proposals = new HashMap<>();
    private boolean mayBreak;

    private record Proposer(NodeId node, PartitionId partition) {}

    ReplicatedBank(long seed, int nodeCount, int partitions, int copies, DurabilityMode mode) {
        this(seed, nodeCount, partitions, copies, mode, 4 << 20, 1L << 40);
    }

    /**
     * With other sizes.
     *
     * @param memoryBytes records that a copy keeps for others
     * @param checkpointLogBytes after which a checkpoint is due
     */
    ReplicatedBank(
            long seed,
            int nodeCount,
            int partitions,
            int copies,
            DurabilityMode mode,
            long memoryBytes,
            long checkpointLogBytes) {
        this.memoryBytes = memoryBytes;
        this.checkpointLogBytes = checkpointLogBytes;
        this.world = new SimulatedWorld(seed);
        this.store = new SimulatedClusterStore(world, SESSION_TIMEOUT_NANOS);
        this.nodeCount = nodeCount;
        this.partitions = partitions;
        this.copies = copies;
        this.mode = mode;
        for (int node = 1; node <= nodeCount; node++) {
            start(new NodeId(node));
        }
        nodes.values().forEach(node -> node.join(copy -> new CopyId(node.process.node(), 1)));
        for (int partition = 0; partition <= partitions; partition++) {
            List<CopyId> first = new ArrayList<>();
            for (NodeId node : nodesOf(new PartitionId(partition))) {
                first.add(new CopyId(node, 1));
            }
            CopyId primary = first.get(partition % first.size());
            node(primary.node()).create(new PartitionId(partition), new PartitionRecord(1, primary, 1, first));
        }
        assertThat(world.runUntil(this::allServe, 10 * SECOND_NANOS))
                .as("all serve " + this)
                .isTrue();
        createBank();
    }

    /** With a client of each partition, which asks for transactions of that one only. */
    ReplicatedBank withClients() {
        for (int partition = 0; partition < partitions; partition++) {
            clients.add(new BankClient(this, new PartitionId(partition)));
        }
        return this;
    }

    /** What a node does may break off half-way; else the judge takes it for a defect. */
    ReplicatedBank mayBreak() {
        mayBreak = true;
        return this;
    }

    /** With so many clients whose accounts are everywhere. */
    ReplicatedBank withSpreadClients(int count) {
        for (int client = 0; client < count; client++) {
            spreadClients.add(new SpreadClient(this, client));
        }
        return this;
    }

    DatabaseConfiguration configuration() {
        return DatabaseConfiguration.of(partitions, 1);
    }

    /** The nodes that have a copy of the partition; all have one of the catalog. */
    Set<NodeId> nodesOf(PartitionId partition) {
        Set<NodeId> all = new TreeSet<>();
        int count = partition.number() == partitions ? nodeCount : copies;
        for (int copy = 0; copy < count; copy++) {
            all.add(new NodeId(1 + (partition.number() + copy) % nodeCount));
        }
        return all;
    }

    /** The nodes but one that lead partitions. */
    Set<NodeId> leaders(NodeId except) {
        Set<NodeId> leaders = new TreeSet<>();
        for (int partition = 0; partition < partitions; partition++) {
            Versioned<PartitionRecord> found = record(new PartitionId(partition));
            if (found.isPresent() && !found.get().primary().node().equals(except)) {
                leaders.add(found.get().primary().node());
            }
        }
        return leaders;
    }

    Map<NodeId, Long> incarnations() {
        return incarnations;
    }

    private ClusterNode start(NodeId node) {
        ClusterNode started = process(node);
        nodes.put(node, started);
        return started;
    }

    /** A process of the node, which nobody knows yet. */
    private ClusterNode process(NodeId node) {
        long incarnation = incarnations.merge(node, 1L, Long::sum);
        return new ClusterNode(this, world.startProcess(node), incarnation, mode, new BankSql(CHANGES));
    }

    private void createBank() {
        for (int change = 0; change < CREATION; change++) {
            change(change);
        }
    }

    /** Begins to make one of the changes of the catalog at a node. */
    static CompletableFuture<TransactionResponse> change(ClusterNode node, int change) {
        return node.database.submit(
                new TransactionRequest.AdHoc(0, 0, 0, BankSql.PREFIX + change, SteppedDatabase.list()));
    }

    /** Begins to make one of the changes of the catalog, and goes on until the maker has it in its log. */
    CompletableFuture<TransactionResponse> logChange(int change) {
        ClusterNode maker = catalogPrimary();
        long end = maker.database.copies().catalog().end();
        CompletableFuture<TransactionResponse> made = change(maker, change);
        assertThat(world.runUntil(() -> maker.database.copies().catalog().end() > end, 5 * SECOND_NANOS))
                .as("the change is in the maker's log")
                .isTrue();
        return made;
    }

    /** The node that makes the changes of the catalog. */
    ClusterNode catalogPrimary() {
        return primary(catalog());
    }

    PartitionId catalog() {
        return new PartitionId(partitions);
    }

    /** All nodes' copies of the catalog are in sync and in use, at the version. */
    boolean allKnow(long version) {
        return nodes.values().stream()
                .allMatch(node -> node.process.isAlive()
                        && node.database.copies().knowsCatalog()
                        && node.database.catalog().version() == version);
    }

    /** Makes one of the changes of the catalog. */
    void change(int change) {
        CompletableFuture<TransactionResponse> done = change(catalogPrimary(), change);
        assertThat(world.runUntil(done::isDone, 5 * SECOND_NANOS))
                .as("change " + change + " " + this)
                .isTrue();
        assertThat(done.join()).isInstanceOf(Committed.class);
    }

    /** Sends a request to the node, as a client connected to it does. */
    CompletableFuture<TransactionResponse> ask(ClusterNode node, TransactionRequest request) {
        CompletableFuture<TransactionResponse> answer = new CompletableFuture<>();
        node.process.execute(
                20_000, "request", () -> node.database.submit(request, (asked, response) -> answer.complete(response)));
        return answer;
    }

    /** Goes on until the answer is there. */
    <T> T await(CompletableFuture<T> answer) {
        assertThat(world.runUntil(answer::isDone, 20 * SECOND_NANOS)).isTrue();
        return answer.join();
    }

    static TransactionRequest read(long key) {
        return new TransactionRequest.AdHoc(
                0, 0, 0, "SELECT balance FROM account WHERE id = ?", SteppedDatabase.list(key));
    }

    static TransactionRequest write(long client, long request, long key, long balance) {
        return new TransactionRequest.Call(client, request, 0, "Valued", SteppedDatabase.list(key, balance));
    }

    /** Asks for one of the changes of the catalog; it may come to nothing. */
    void tryChange(ClusterNode node, int change) {
        node.process.execute(
                0,
                "change",
                () -> node.database.submit(
                        new TransactionRequest.AdHoc(0, 0, 0, BankSql.PREFIX + change, SteppedDatabase.list()),
                        (asked, response) -> {}));
    }

    ClusterNode node(NodeId node) {
        ClusterNode found = nodes.get(node);
        if (found == null) {
            throw new AssertionError(node + " is unknown");
        }
        return found;
    }

    ClusterNode anyNode(RandomSource random) {
        return node(new NodeId(1 + random.nextInt(nodeCount)));
    }

    Versioned<PartitionRecord> record(PartitionId partition) {
        return store.current(new StateKey.Partition(partition));
    }

    ClusterNode primary(PartitionId partition) {
        return node(record(partition).get().primary().node());
    }

    boolean allServe() {
        for (int partition = 0; partition <= partitions; partition++) {
            PartitionId id = new PartitionId(partition);
            if (!record(id).isPresent() || !serves(primary(id), partition)) {
                return false;
            }
        }
        return true;
    }

    private static boolean serves(ClusterNode node, int partition) {
        return node.process.isAlive() && node.database.copies().isHere(partition);
    }

    /** Power is lost; the node starts again with what its disk has. */
    ClusterNode restart(NodeId node) {
        return restart(node, false);
    }

    /** The same, perhaps after its disk was lost too. */
    ClusterNode restart(NodeId node, boolean loseDisk) {
        if (loseDisk) {
            return replace(node);
        }
        kill(node);
        return startAgain(node);
    }

    /** A process that has ended is followed by another one, which finds what the disk has. */
    ClusterNode startAgain(NodeId node) {
        ClusterNode next = process(node);
        nodes.put(node, next);
        next.join(copy ->
                next.rebuilding.lifeAfterRestart(copy, mode == DurabilityMode.SYNC, firstLives.getOrDefault(node, 1L)));
        return next;
    }

    /** The process ends and its machine does not: what was written to files stays. */
    void end(NodeId node) {
        ClusterNode old = node(node);
        old.process.kill();
        old.database.abandon();
    }

    /** Whether a record names a copy of the node as in sync. */
    boolean isCountedOn(NodeId node) {
        for (int number = 0; number <= partitions; number++) {
            Versioned<PartitionRecord> found = record(new PartitionId(number));
            if (found.isPresent() && found.get().inSyncOn(node).isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** Life of the node's copy in sync. */
    long lifeOf(PartitionId partition, NodeId node) {
        return record(partition).get().inSync().stream()
                .filter(copy -> copy.node().equals(node))
                .mapToLong(CopyId::life)
                .findFirst()
                .orElse(0);
    }

    /** The node starts again without anything that it had. */
    ClusterNode replace(NodeId node) {
        kill(node);
        return startEmpty(node);
    }

    /** A process that has ended is followed by another one, which finds nothing. */
    ClusterNode startEmpty(NodeId node) {
        world.disk(node).wipe();
        ClusterNode next = process(node);
        nodes.put(node, next);
        firstLives.put(node, next.rebuilding.nextLife(0).life());
        next.join(copy -> next.rebuilding.nextLife(0));
        return next;
    }

    /**
     * The node asked for a change of this version of the record, which may be made at any later moment while that is
     * the last version.
     */
    void proposed(NodeId node, PartitionId partition, long version) {
        proposals.put(new Proposer(node, partition), version);
    }

    /**
     * Whether nothing is lost for good if the node loses what it has: every partition of which it has a copy has all
     * others in sync, and no change that it asked for can say otherwise later.
     */
    boolean isSpare(NodeId node) {
        for (int number = 0; number <= partitions; number++) {
            PartitionId partition = new PartitionId(number);
            if (nodesOf(partition).contains(node)) {
                Versioned<PartitionRecord> record = record(partition);
                long asked = proposals.getOrDefault(new Proposer(node, partition), 0L);
                if (record.version() <= asked
                        || record.get().inSync().size() != nodesOf(partition).size()
                        || !record.get().inSync().stream().allMatch(copy -> has(partition, copy))) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean has(PartitionId partition, CopyId copy) {
        ClusterNode node = node(copy.node());
        return node.process.isAlive() && node.has(partition, copy);
    }

    /** All copies are in sync, and none is being built. */
    boolean allInSync() {
        for (int number = 0; number < partitions; number++) {
            PartitionId partition = new PartitionId(number);
            List<CopyId> inSync = record(partition).get().inSync();
            boolean isWhole = inSync.size() == copies && inSync.stream().allMatch(copy -> has(partition, copy));
            if (!isWhole) {
                return false;
            }
        }
        return nodes.values().stream()
                .allMatch(node -> node.rebuilding.underWay().findAny().isEmpty());
    }

    /** Waits until all copies are in sync. */
    void heal() {
        assertThat(world.runUntil(this::allInSync, 30 * SECOND_NANOS))
                .as("all copies are in sync, seed " + world.seed() + " " + this)
                .isTrue();
        assertThat(mayBreak || !reached.containsKey("copies: one broke"))
                .as("no copy broke, seed " + world.seed() + " " + this)
                .isTrue();
    }

    /** Leaves the node alone: no store, no other node. */
    void isolate(NodeId victim) {
        store.cut(victim);
        for (NodeId other : nodes.keySet()) {
            if (!other.equals(victim)) {
                world.network().partition(Set.of(victim), Set.of(other));
            }
        }
    }

    /** All hear each other again. */
    void mend() {
        world.network().heal();
        nodes.keySet().forEach(store::mend);
    }

    /** The node is gone. */
    void kill(NodeId node) {
        ClusterNode old = node(node);
        old.process.crash();
        old.database.abandon();
    }

    long transactions() {
        return clients.stream().mapToLong(client -> client.done).sum()
                + spreadClients.stream().mapToLong(client -> client.done).sum();
    }

    /** Lets no client begin anything, and waits until all have their answers. */
    void calm() {
        rest(true);
        assertThat(world.runUntil(this::isIdle, 60 * SECOND_NANOS))
                .as("answers, seed " + world.seed() + " " + this)
                .isTrue();
    }

    /** All copies in sync have the same rows. */
    void assertCopiesEqual() {
        calm();
        world.runFor(SECOND_NANOS);
        for (int number = 0; number < partitions; number++) {
            PartitionId partition = new PartitionId(number);
            String expected = rows(primary(partition), partition);
            for (CopyId copy : record(partition).get().inSync()) {
                assertThat(rows(node(copy.node()), partition))
                        .as("copy " + copy + " of " + partition + ", seed " + world.seed())
                        .isEqualTo(expected);
            }
        }
        rest(false);
    }

    private void rest(boolean isResting) {
        clients.forEach(client -> client.isResting = isResting);
        spreadClients.forEach(client -> client.isResting = isResting);
    }

    private boolean isIdle() {
        return clients.stream().allMatch(BankClient::isIdle)
                && spreadClients.stream().allMatch(SpreadClient::isIdle);
    }

    /** Nobody holds a lock, is in doubt, or keeps a decision that all have. */
    void assertNothingIsLeft() {
        calm();
        world.runFor(3 * SECOND_NANOS);
        for (ClusterNode node : nodes.values()) {
            RemoteTransactions remote = Objects.requireNonNull(node.database.remote());
            String where = node.process + ", seed " + world.seed();
            assertThat(remote.doubtCount()).as("doubts at " + where).isZero();
            assertThat(remote.decisions().count()).as("decisions at " + where).isZero();
            assertThat(remote.underWay()).as("participants at " + where).isZero();
            for (int partition = 0; partition < partitions; partition++) {
                assertThat(node.database
                                .runtime(new PartitionId(partition))
                                .partition()
                                .isQuiescent())
                        .as("partition " + partition + " at " + where)
                        .isTrue();
                assertThat(node.database
                                .runtime(new PartitionId(partition))
                                .decisions()
                                .all())
                        .as("decisions that the log of partition " + partition + " asks to keep at " + where)
                        .hasSizeLessThan(MOST_KEPT);
            }
        }
        rest(false);
    }

    static String rows(ClusterNode node, PartitionId partition) {
        TableStore table = node.database.runtime(partition).storage().table(1);
        TreeMap<Long, Long> rows = new TreeMap<>();
        ScanCursor cursor = table.newScan();
        table.open(cursor);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            rows.put(table.layout().getLong(row, 0), table.layout().getLong(row, 1));
        }
        return rows.toString();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int partition = 0; partition <= partitions; partition++) {
            text.append(record(new PartitionId(partition))).append('\n');
        }
        nodes.values().forEach(node -> {
            text.append(node.process)
                    .append(' ')
                    .append(node.complaints)
                    .append(' ')
                    .append(node.rebuilds);
            node.database.copies().streams().forEach(copy -> text.append("\n  ").append(copy));
            text.append('\n');
        });
        clients.forEach(client -> text.append(client).append('\n'));
        spreadClients.forEach(client -> text.append(client).append('\n'));
        return text.toString();
    }
}
