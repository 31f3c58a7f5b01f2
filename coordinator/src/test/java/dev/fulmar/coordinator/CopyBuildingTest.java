package dev.fulmar.coordinator;

import static dev.fulmar.coordinator.SteppedDatabase.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.replication.CopyState;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.coordinator.replication.building.BuildOutbox;
import dev.fulmar.coordinator.replication.building.BuildSettings;
import dev.fulmar.coordinator.replication.building.CopyBuilding;
import dev.fulmar.coordinator.replication.building.CopyOrigin;
import dev.fulmar.coordinator.replication.building.CopyPlace;
import dev.fulmar.coordinator.replication.building.CopyTarget;
import dev.fulmar.coordinator.replication.building.LedLogs;
import dev.fulmar.coordinator.replication.building.ReplicaGenerations;
import dev.fulmar.coordinator.request.RequestHistory;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.transaction.DecisionBook;
import dev.fulmar.coordinator.transaction.HandledRequest;
import dev.fulmar.coordinator.transaction.KeptDecision;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.engine.row.StoredRow;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableCheck;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.foundation.random.SeededRandom;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Builds copies of partitions under load, with lost links and ended processes; compares them with their sources. */
class CopyBuildingTest {
    private static final int PARTITIONS = 2;
    private static final int ACCOUNTS = 40;
    private static final NodeId[] NODES = {new NodeId(0), new NodeId(1), new NodeId(2)};
    private static final BuildSettings SMALL = new BuildSettings(700, 2, 5_000_000, 80_000_000, 1 << 12);
    private static final EpochHistory TERMS = EpochHistory.EMPTY.with(2, 0).with(5, 3);

    private final Map<String, Integer> reached = new TreeMap<>();

    /** A node with a database, and the part that builds copies. */
    private static final class Node {
        final int number;
        final SteppedDatabase db = new SteppedDatabase(
                DatabaseConfiguration.of(PARTITIONS, PARTITIONS), new TinySql(), null, DurabilityMode.NONE);
        final List<Node> all;
        final List<ArrayDeque<byte[]>> inbound = new ArrayList<>();
        final Map<Long, List<String>> images = new TreeMap<>();
        final Map<Integer, CopyState> built = new TreeMap<>();
        final Map<Integer, Long> lives = new TreeMap<>();
        final List<String> ended = new ArrayList<>();
        final List<CopyBuilding> former = new ArrayList<>();
        CopyBuilding building;
        boolean isDead;
        long incarnation = 1;
        boolean leads;
        boolean logIsGone;
        int holds;
        long positions;
        long heardEpoch;
        boolean counts;
        int givenUp;

        Node(int number, List<Node> all) {
            this.number = number;
            this.all = all;
            for (int other = 0; other < NODES.length; other++) {
                inbound.add(new ArrayDeque<>());
            }
            building = building();
        }

        /** As a process has it that has just begun. */
        private CopyBuilding building() {
            return new CopyBuilding(
                    db.database.runtimes(),
                    SMALL,
                    new Logs(this),
                    new Outbox(this, incarnation),
                    partition -> new Place(this, CopyPlace.inMemory(runtime(partition.number()))),
                    partition -> new Hears(this, partition.number()));
        }

        /** Ends the process, as far as copies are concerned, and begins another. */
        void restart() {
            incarnation++;
            isDead = true;
            for (int partition = 0; partition < PARTITIONS; partition++) {
                building.target(new PartitionId(partition)).giveUp();
            }
            isDead = false;
            all.forEach(other -> cut(this, other));
            former.add(building);
            building = building();
        }

        void build(int partition, Node source) {
            CopyId copy = ReplicaGenerations.next(NODES[number], incarnation, lives.getOrDefault(partition, 0L));
            lives.put(partition, copy.life());
            built.remove(partition);
            CopyTarget target = building.target(new PartitionId(partition));
            task(runtime(partition), () -> target.build(copy, NODES[source.number]));
        }

        PartitionRuntime runtime(int partition) {
            return db.database.runtimes().all().get(partition);
        }

        void timePasses() {
            db.time.advance(1_000_000);
            building.timePassed();
            former.forEach(CopyBuilding::timePassed);
        }

        boolean deliver(SeededRandom random) {
            int first = random.nextInt(NODES.length);
            for (int i = 0; i < NODES.length; i++) {
                int from = (first + i) % NODES.length;
                byte[] message = inbound.get(from).poll();
                if (message != null) {
                    try {
                        building.received(NODES[from], ByteBuffer.wrap(message));
                    } catch (FulmarException e) {
                        ended.add(String.valueOf(e.getMessage()));
                        cut(this, all.get(from));
                    }
                    return true;
                }
            }
            return false;
        }
    }

    /** One process's place. The next process shares the queues of partitions, and ignores what this one left there. */
    private record Outbox(Node node, long incarnation) implements BuildOutbox {
        @Override
        public void send(NodeId to, ByteBuffer... parts) {
            int bytes = Arrays.stream(parts).mapToInt(ByteBuffer::remaining).sum();
            ByteBuffer whole = ByteBuffer.allocate(bytes);
            Arrays.stream(parts).forEach(whole::put);
            if (!node.isDead && incarnation == node.incarnation) {
                node.all.get(to.number()).inbound.get(node.number).add(whole.array());
            }
        }

        @Override
        public void endLink(NodeId other, String reason) {
            node.ended.add(reason);
            cut(node, node.all.get(other.number()));
        }
    }

    private record Logs(Node node) implements LedLogs {
        @Override
        public LedLogs.@Nullable Led led(PartitionId partition) {
            return node.leads ? new LedLogs.Led(10 + node.positions, 5, TERMS) : null;
        }

        @Override
        public boolean areOut(PartitionId partition, CopyId successor) {
            return !node.all.get(successor.node().number()).counts;
        }

        @Override
        public LedLogs.Hold keep(PartitionId partition, long position) {
            // The moment at which the image is fixed.
            node.images.put(position, dump(node.runtime(partition.number())));
            node.positions++;
            node.holds++;
            return new LedLogs.Hold() {
                private boolean released;

                @Override
                public boolean isGone() {
                    return node.logIsGone;
                }

                @Override
                public void release() {
                    node.holds -= released ? 0 : 1;
                    released = true;
                }
            };
        }
    }

    private record Place(Node node, CopyPlace inMemory) implements CopyPlace {
        @Override
        public void giveUp(CopyId copy, Runnable done) {
            node.givenUp++;
            inMemory.giveUp(copy, done);
        }

        @Override
        public long heardEpoch() {
            return node.heardEpoch;
        }

        @Override
        public long catalogVersion() {
            return inMemory.catalogVersion();
        }

        @Override
        public void prepare(CopyOrigin origin) {
            inMemory.prepare(origin);
        }

        @Override
        public void complete(CopyId copy, CopyOrigin origin, Runnable done) {
            inMemory.complete(copy, origin, done);
        }
    }

    private record Hears(Node node, int partition) implements CopyTarget.Listener {
        @Override
        public void built(CopyState state) {
            node.built.put(partition, state);
        }

        @Override
        public void failed(CopyId copy, String reason) {
            node.ended.add(reason);
        }
    }

    private static void task(PartitionRuntime runtime, Runnable work) {
        PartitionTask task = where -> work.run();
        runtime.partition().inbox().put(task);
    }

    private static void cut(Node one, Node other) {
        one.inbound.get(other.number).clear();
        other.inbound.get(one.number).clear();
    }

    /** Everything that a partition holds, in the order in which readers meet it. */
    private static List<String> dump(PartitionRuntime runtime) {
        List<String> all = new ArrayList<>();
        for (Table table : runtime.program().catalog().tables().values()) {
            TableStore store = runtime.storage().table(table.id());
            ScanCursor cursor = store.newScan();
            store.open(cursor);
            for (long row = cursor.next(); row != 0; row = cursor.next()) {
                byte[] image = new byte[StoredRow.bytes(store.layout(), row)];
                StoredRow.write(store.layout(), row, image, 0);
                all.add(table.name() + " " + HexFormat.of().formatHex(image));
            }
        }
        runtime.storage()
                .visitRowNumbers((table, bucket, next) -> all.add("next " + table + " " + bucket + " " + next));
        runtime.decisions().all().forEach(kept -> all.add("decision " + kept));
        runtime.visitHistory(new RequestHistory.Visitor<>() {
            @Override
            public void outcome(long client, long request, HandledRequest outcome) {
                if (outcome instanceof HandledRequest.Done(Committed committed)) {
                    all.add("answer " + client + " " + request + " " + committed.value());
                }
            }

            @Override
            public void forgotten(long client, long request) {
                all.add("forgotten " + client + " " + request);
            }

            @Override
            public void forgottenClient(long client, long highest) {
                all.add("client " + client + " " + highest);
            }
        });
        return all;
    }

    private static CatalogChange table(String name, List<String> key) {
        return new CatalogChange.CreateTable(
                name,
                List.of(
                        new Column("ID", SteppedDatabase.BIGINT, false, null),
                        new Column("NAME", ColumnType.varchar(60), true, null),
                        new Column("BALANCE", SteppedDatabase.BIGINT, true, null)),
                key,
                Optional.empty(),
                List.of(),
                CatalogChange.Presence.STRICT);
    }

    private List<Node> nodes() {
        List<Node> nodes = new ArrayList<>();
        for (int number = 0; number < NODES.length; number++) {
            Node node = new Node(number, nodes);
            SteppedDatabase.createBank(node.db.database, node.db::settle);
            for (CatalogChange change : List.of(
                    table("NAMED", List.of("ID")),
                    new CatalogChange.PartitionTable("NAMED", "ID"),
                    table("LOOSE", List.of()),
                    new CatalogChange.PartitionTable("LOOSE", "ID"))) {
                assertThat(node.db.change(change)).isInstanceOf(Committed.class);
            }
            nodes.add(node);
        }
        nodes.getFirst().leads = true;
        long[] accounts = new long[ACCOUNTS];
        Arrays.setAll(accounts, i -> i);
        nodes.getFirst().db.open(1000, accounts);
        return nodes;
    }

    private void load(Node node, SeededRandom random, long[] request) {
        long id = random.nextInt(ACCOUNTS);
        Database database = node.db.database;
        switch (random.nextInt(8)) {
            case 7 -> {
                int partition = random.nextInt(PARTITIONS);
                task(node.runtime(partition), () -> decide(node.runtime(partition), random));
            }
            case 0, 1 -> {
                var unused = database.submit(numbered(
                        1 + random.nextInt(3), ++request[0], "Transfer", id, (long) random.nextInt(ACCOUNTS), 1L));
            }
            case 2 -> submit(node, "UPSERT INTO named (id, name, balance) VALUES (?, ?, ?)", id, name(random), 7L);
            case 3 -> submit(node, "DELETE FROM named WHERE id = ?", id);
            case 4 -> submit(node, "INSERT INTO loose (id, name, balance) VALUES (?, ?, ?)", id, name(random), 7L);
            case 5 -> submit(node, "DELETE FROM loose WHERE id = ?", id);
            default -> submit(node, "UPDATE account SET balance = ? WHERE id = ?", 1000L + request[0], id);
        }
    }

    /** A decision is kept from now on, or the oldest is not any more. On the partition's thread. */
    private static void decide(PartitionRuntime runtime, SeededRandom random) {
        DecisionBook book = runtime.decisions();
        if (random.nextInt(3) == 0 && !book.all().isEmpty()) {
            book.remove(book.all().getFirst().transaction());
        } else {
            book.put(new KeptDecision(
                    new TransactionId(1 + random.nextInt(1_000_000), 3),
                    2,
                    random.nextInt(1_000_000),
                    runtime.partition().id(),
                    List.of(new PartitionId(0), new PartitionId(1))));
        }
    }

    private static void submit(Node node, String sql, Object... parameters) {
        var unused =
                node.db.database.submit(new TransactionRequest.AdHoc(0, 0, 0, sql, SteppedDatabase.list(parameters)));
    }

    private static String name(SeededRandom random) {
        return "n".repeat(random.nextInt(50));
    }

    private void step(List<Node> nodes, SeededRandom random) {
        Node node = nodes.get(random.nextInt(nodes.size()));
        if (random.nextInt(200) == 0) {
            // A partition that works on other things than messages lets some of them come late.
            task(node.runtime(random.nextInt(PARTITIONS)), () -> {});
        }
        if (random.nextInt(3) == 0) {
            node.deliver(random);
        } else {
            node.db.stepRandomly(random);
        }
        if (random.nextInt(40) == 0) {
            nodes.forEach(Node::timePasses);
        }
    }

    @Test
    void aCopyIsWhatItsSourceWas() {
        for (int seed = 0; seed < 40; seed++) {
            run(seed);
        }
        assertThat(reached).containsKeys("built", "cut", "target ended", "source ended", "log gone", "index made");
    }

    private void run(int seed) {
        SeededRandom random = new SeededRandom(seed);
        List<Node> nodes = nodes();
        Node source = nodes.getFirst();
        long[] request = {0};
        for (int i = 0; i < 300; i++) {
            load(source, random, request);
            step(nodes, random);
        }
        int copies = 0;
        for (int i = 0; i < 60_000 && copies < 5; i++) {
            if (random.nextInt(12) == 0) {
                load(source, random, request);
            }
            disturb(nodes, random, i);
            for (Node target : nodes.subList(1, nodes.size())) {
                copies += look(target, source, random);
            }
            step(nodes, random);
        }
        assertThat(copies).as("copies in seed " + seed).isGreaterThanOrEqualTo(5);
        nodes.forEach(node -> assertThat(node.ended).as("seed " + seed).noneMatch(why -> why.contains("malformed")));
        settle(nodes);
        assertThat(source.holds).as("holds of the log").isZero();
        nodes.forEach(node -> node.db
                .database
                .runtimes()
                .all()
                .forEach(runtime -> assertThat(runtime.storage().horizon().hasReaders())
                        .as("readers are gone")
                        .isFalse()));
    }

    @Test
    void whatIsHereIsNotGivenUpWhileItMayCount() {
        List<Node> nodes = nodes();
        Node target = nodes.get(1);
        target.counts = true;
        target.build(0, nodes.getFirst());
        goOn(nodes, 50);
        assertThat(target.givenUp).isZero();
        target.counts = false;
        goOn(nodes, 50);
        assertThat(target.givenUp).isEqualTo(1);
        assertThat(target.built).containsKey(0);
        settle(nodes);
    }

    @Test
    void thereIsOneImageForACopyHoweverLateItIsAskedForAgain() {
        List<Node> nodes = nodes();
        Node source = nodes.getFirst();
        Node target = nodes.get(1);
        target.build(0, source);
        target.db.settle();
        byte[] question = source.inbound.get(1).getFirst().clone();
        goOn(nodes, 50);
        assertThat(target.built).containsKey(0);
        task(target.runtime(0), target.building.target(new PartitionId(0))::follows);
        goOn(nodes, 5);
        assertThat(source.positions).isEqualTo(1);
        source.inbound.get(1).add(question);
        goOn(nodes, 5);
        assertThat(source.positions).isEqualTo(1);
        settle(nodes);
    }

    @Test
    void aDeposedPrimaryDoesNotKnowWhatCounts() {
        List<Node> nodes = nodes();
        Node target = nodes.get(1);
        target.heardEpoch = 6;
        target.build(0, nodes.getFirst());
        goOn(nodes, 50);
        assertThat(target.givenUp).isZero();
        assertThat(target.ended).containsExactly("the source has been deposed");
        settle(nodes);
    }

    /** The log of a new primary may already have made a change of tables that transactions do not know yet. */
    @Test
    void anImageIsOfTheTablesThatTheRowsAreIn() {
        List<Node> nodes = nodes();
        PartitionRuntime source = nodes.getFirst().runtime(0);
        Node target = nodes.get(1);
        source.storageStands(source.program().catalog().version() + 1);
        target.build(0, nodes.getFirst());
        goOn(nodes, 50);
        assertThat(target.givenUp).as("begun").isPositive();
        assertThat(target.built)
                .as("rows of tables that are not known here have no place yet")
                .isEmpty();
        settle(nodes);
    }

    private static void settle(List<Node> nodes) {
        nodes.forEach(node -> {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                CopyTarget target = node.building.target(new PartitionId(partition));
                task(node.runtime(partition), target::giveUp);
            }
        });
        goOn(nodes, 200);
    }

    private static void goOn(List<Node> nodes, int rounds) {
        for (int round = 0; round < rounds; round++) {
            SeededRandom random = new SeededRandom(round);
            nodes.forEach(node -> {
                node.db.settle();
                while (node.deliver(random)) {
                    node.db.settle();
                }
                node.timePasses();
            });
        }
    }

    private void disturb(List<Node> nodes, SeededRandom random, int i) {
        Node source = nodes.getFirst();
        Node target = nodes.get(1 + random.nextInt(nodes.size() - 1));
        switch (random.nextInt(2_000)) {
            case 0, 1 -> {
                cut(source, target);
                note("cut");
            }
            case 2 -> {
                target.restart();
                target.built.clear();
                note("target ended");
            }
            case 3 -> {
                source.restart();
                note("source ended");
            }
            case 4 -> {
                source.logIsGone = !source.logIsGone;
                note("log gone");
            }
            case 5, 6 -> {
                if (i > 2_000) {
                    // Those that build may be ahead of the source, never behind.
                    boolean alsoSource = random.nextInt(3) == 0;
                    nodes.stream().filter(node -> alsoSource || !node.leads).forEach(node -> {
                        var unused = node.db.database.applyChange(new CatalogChange.CreateIndex(
                                "I" + i,
                                "NAMED",
                                IndexKind.ORDERED,
                                false,
                                List.of(new CatalogChange.NamedColumn("NAME", false)),
                                CatalogChange.Presence.STRICT));
                    });
                    note("index made");
                }
            }
            default -> {}
        }
        if (source.logIsGone && random.nextInt(300) == 0) {
            source.logIsGone = false;
        }
    }

    private void note(String what) {
        reached.merge(what, 1, Integer::sum);
    }

    /** Begins to build where nothing is built, and judges what was; returns how many copies were. */
    private int look(Node target, Node source, SeededRandom random) {
        int copies = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            CopyTarget place = target.building.target(new PartitionId(partition));
            CopyState state = target.built.remove(partition);
            if (state != null) {
                judge(target, partition, state, source);
                task(target.runtime(partition), place::follows);
                note("built");
                copies++;
            } else if (!place.isBuilding() && random.nextInt(50) == 0) {
                target.build(partition, source);
            }
        }
        return copies;
    }

    private static void judge(Node target, int partition, CopyState state, Node source) {
        assertThat(state.history()).isEqualTo(TERMS);
        assertThat(state.epoch()).isEqualTo(5);
        assertThat(state.releasedEnd())
                .as("nobody has said that the others have it")
                .isZero();
        assertThat(state.imageEnd()).isEqualTo(state.end());
        assertThat(state.copy().life()).isEqualTo(target.lives.get(partition));
        assertThat(dump(target.runtime(partition))).isEqualTo(source.images.get(state.end()));
        // A change of the catalog may be under way.
        assertThat(TableCheck.defects(
                        target.runtime(partition).storage(),
                        target.runtime(partition).program().catalog().tables().values()))
                .allMatch(defect -> defect.contains(" indexes of "));
    }
}
