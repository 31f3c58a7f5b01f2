package dev.fulmar.coordinator;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.remote.ClusterPorts;
import dev.fulmar.coordinator.remote.PrimaryMap;
import dev.fulmar.coordinator.remote.RemoteTransactions;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A bank whose partitions are led by several nodes, each partition by one and without copies. Nodes, fibers and links
 * advance one step at a time. A link has sessions: what is on its way when one ends arrives up to some point, and then
 * the loss is told.
 */
final class NodesOfOneBank {
    private static final int MOST_STEPS = 300_000;
    private static final long MEMORY_BYTES = 1L << 30;

    /** What a node hears over a link. */
    private sealed interface Heard {
        record Up(long session) implements Heard {}

        record Lost(long session) implements Heard {}

        @SuppressWarnings("ArrayRecordComponent") // one owner
        record Message(long session, byte[] bytes) implements Heard {}
    }

    /** One direction of a link, with what its receiver believes. */
    private static final class Direction {
        final Deque<Heard> queue = new ArrayDeque<>();
        long session;
    }

    private final SimulatedWorld world;
    private final DurabilityMode mode;
    private final int partitions;
    private final long checkpointLogBytes;
    private final SimulatedProcess[] processes;
    private final @Nullable SteppedDatabase[] nodes;
    private final Direction[][] links;
    private final boolean[][] cut;
    private final long[] epochs;
    private final int[] leaders;
    private long lastSession;
    private long lives;

    /** The last messages that were delivered. */
    private final Deque<String> recent = new ArrayDeque<>();

    /** Messages delivered so far. */
    long delivered;

    /** Sessions that were refused because of what came. */
    final List<String> refusals = new ArrayList<>();

    NodesOfOneBank(long seed, int nodeCount, int partitions, DurabilityMode mode, long checkpointLogBytes) {
        this.world = new SimulatedWorld(seed);
        this.mode = mode;
        this.partitions = partitions;
        this.checkpointLogBytes = checkpointLogBytes;
        this.processes = new SimulatedProcess[nodeCount];
        this.nodes = new SteppedDatabase[nodeCount];
        this.links = new Direction[nodeCount][nodeCount];
        this.cut = new boolean[nodeCount][nodeCount];
        this.epochs = new long[partitions];
        this.leaders = new int[partitions];
        for (int partition = 0; partition < partitions; partition++) {
            leaders[partition] = partition % nodeCount;
        }
        for (int from = 0; from < nodeCount; from++) {
            for (int to = 0; to < nodeCount; to++) {
                links[from][to] = new Direction();
            }
        }
        for (int node = 0; node < nodeCount; node++) {
            start(node);
        }
    }

    int nodeCount() {
        return nodes.length;
    }

    int leaderOf(int partition) {
        return leaders[partition];
    }

    SteppedDatabase node(int number) {
        SteppedDatabase node = nodes[number];
        if (node == null) {
            throw new IllegalStateException("node " + number + " is down");
        }
        return node;
    }

    boolean isUp(int number) {
        return nodes[number] != null;
    }

    /** The partition is led in a new epoch, by the same node. */
    void newEpoch(int partition) {
        epochs[partition]++;
    }

    /** Another node leads the partition, without its rows. */
    void move(int partition, int node) {
        leaders[partition] = node;
        epochs[partition]++;
    }

    // Lives.

    private void start(int number) {
        NodeId id = new NodeId(number);
        processes[number] = world.startProcess(id);
        SteppedDatabase node = new SteppedDatabase(
                DatabaseConfiguration.of(partitions, partitions),
                mode == DurabilityMode.NONE ? new TinySql() : new BankSql(),
                mode == DurabilityMode.NONE ? null : processes[number].storage(),
                mode,
                checkpointLogBytes,
                MEMORY_BYTES,
                id,
                ++lives,
                new ClusterPorts(new Map(id), (to, message) -> send(number, to.number(), message)));
        nodes[number] = node;
        for (int other = 0; other < nodes.length; other++) {
            connect(number, other);
        }
    }

    /** Node number and its process end, and what it had not forced is lost. */
    void kill(int number, RandomSource random) {
        for (int other = 0; other < nodes.length; other++) {
            if (other != number) {
                breakSession(number, other, random);
                links[other][number].queue.clear();
                links[other][number].session = 0;
            }
        }
        node(number).database.abandon();
        nodes[number] = null;
        processes[number].crash();
    }

    void restart(int number) {
        start(number);
    }

    /** All nodes hear at once of who leads what. */
    private final class Map implements PrimaryMap {
        private final NodeId self;

        Map(NodeId self) {
            this.self = self;
        }

        @Override
        public NodeId self() {
            return self;
        }

        @Override
        public NodeId primaryOf(PartitionId partition) {
            return new NodeId(leaderOf(partition.number()));
        }

        @Override
        public long epochOf(PartitionId partition) {
            return epochs[partition.number()];
        }
    }

    // Links.

    private void connect(int one, int other) {
        if (one == other || nodes[one] == null || nodes[other] == null || cut[one][other]) {
            return;
        }
        long session = ++lastSession;
        links[one][other].queue.add(new Heard.Up(session));
        links[other][one].queue.add(new Heard.Up(session));
    }

    private boolean send(int from, int to, byte[] message) {
        long session = links[to][from].session; // as far as the sender has heard
        if (session == 0) {
            return false;
        }
        links[from][to].queue.add(new Heard.Message(session, message));
        return true;
    }

    /** Ends the session between two nodes; a new one begins only after {@link #mend}. */
    void cut(int one, int other, RandomSource random) {
        cut[one][other] = true;
        cut[other][one] = true;
        breakSession(one, other, random);
    }

    void mend(int one, int other) {
        if (cut[one][other]) {
            cut[one][other] = false;
            cut[other][one] = false;
            connect(one, other);
        }
    }

    private void breakSession(int one, int other, RandomSource random) {
        lose(links[one][other], random);
        lose(links[other][one], random);
    }

    private static void lose(Direction direction, RandomSource random) {
        long session = direction.session;
        for (Heard heard : direction.queue) {
            session = heard instanceof Heard.Up up ? up.session() : session;
        }
        int arrives = direction.queue.isEmpty() ? 0 : random.nextInt(direction.queue.size() + 1);
        while (direction.queue.size() > arrives && direction.queue.getLast() instanceof Heard.Message) {
            direction.queue.removeLast();
        }
        direction.queue.add(new Heard.Lost(session));
    }

    private void note(int from, int to, byte[] message) {
        if (recent.size() == 40) {
            recent.removeFirst();
        }
        recent.addLast("\n" + from + ">" + to + " " + HexFormat.of().formatHex(message));
    }

    /** Delivers the next thing of the direction; false if nothing is on its way. */
    boolean deliver(int from, int to) {
        Direction direction = links[from][to];
        Heard heard = direction.queue.poll();
        SteppedDatabase receiver = nodes[to];
        if (heard == null || receiver == null) {
            return heard != null;
        }
        RemoteTransactions remote = receiver.database.remote();
        if (remote == null) {
            throw new IllegalStateException("the database belongs to a cluster");
        }
        NodeId sender = new NodeId(from);
        switch (heard) {
            case Heard.Up up -> {
                direction.session = up.session();
                remote.linkUp(sender);
            }
            case Heard.Lost lost -> {
                if (direction.session == lost.session() && lost.session() != 0) {
                    direction.session = 0;
                    remote.linkLost(sender);
                }
            }
            case Heard.Message message -> {
                if (message.session() == direction.session) {
                    delivered++;
                    note(from, to, message.bytes());
                    try {
                        remote.received(sender, ByteBuffer.wrap(message.bytes()));
                    } catch (FulmarException e) {
                        refusals.add(e.toString());
                    }
                }
            }
        }
        return true;
    }

    // Time.

    /** Advances something at random; false if nothing can go on. */
    boolean stepRandomly(RandomSource random) {
        int count = nodes.length;
        int kinds = count + count * count;
        int choice = random.nextInt(kinds);
        for (int i = 0; i < kinds; i++) {
            int kind = (choice + i) % kinds;
            if (kind < count) {
                SteppedDatabase node = nodes[kind];
                if (node != null && node.stepRandomly(random)) {
                    return true;
                }
            } else if (deliver((kind - count) / count, (kind - count) % count)) {
                return true;
            }
        }
        return false;
    }

    /** Lets time pass on all nodes, with the timers that fall due. */
    void pass(long nanos) {
        for (SteppedDatabase node : nodes) {
            if (node != null) {
                node.time.advance(nanos);
            }
        }
    }

    /** Advances everything until nothing goes on, and time, until nothing is in doubt. */
    void settle(RandomSource random) {
        for (int round = 0; round < 20; round++) {
            for (int steps = 0; stepRandomly(random); steps++) {
                if (steps == MOST_STEPS) {
                    throw new IllegalStateException("it never comes to rest: " + recent);
                }
            }
            if (!hasDoubts()) {
                return;
            }
            pass(250_000_000);
        }
        throw new IllegalStateException("something stays in doubt");
    }

    private boolean hasDoubts() {
        for (int node = 0; node < nodes.length; node++) {
            if (doubtCount(node) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Parts at the node that wait to hear what became of them. */
    int doubtCount(int number) {
        SteppedDatabase node = nodes[number];
        RemoteTransactions remote = node == null ? null : node.database.remote();
        return remote == null ? 0 : remote.doubtCount();
    }

    // The bank.

    /** Makes the tables and procedures on all nodes, and opens the accounts. */
    void open(RandomSource random, long balance, long... accounts) {
        settle(random);
        for (SteppedDatabase node : nodes) {
            if (node == null) {
                continue;
            }
            if (mode == DurabilityMode.NONE) {
                SteppedDatabase.createBank(node.database, node::settle);
            } else {
                for (int change = 0; change < 4; change++) {
                    if (!(node.sql("CHANGE " + change) instanceof Committed)) {
                        throw new IllegalStateException("no bank");
                    }
                }
            }
        }
        TransactionResponse opened = run(0, SteppedDatabase.request("OpenAccounts", accounts, balance), random);
        if (SteppedDatabase.value(opened) != accounts.length) {
            throw new IllegalStateException(opened.toString());
        }
    }

    /** Runs the request at the node, or at another one if that one says that it is the wrong one. */
    TransactionResponse run(int first, TransactionRequest request, RandomSource random) {
        TransactionResponse answer = new Failed(ErrorCode.INTERNAL, "no answer");
        for (int i = 0; i < nodes.length; i++) {
            CompletableFuture<TransactionResponse> given = submit((first + i) % nodes.length, request);
            settle(random);
            answer = given.getNow(answer);
            if (!isWrongNode(answer)) {
                break;
            }
        }
        return answer;
    }

    private static boolean isWrongNode(TransactionResponse answer) {
        return answer instanceof Failed failed && failed.code() == ErrorCode.WRONG_NODE;
    }

    /** Gives the request to the first node from the given one on that does not say that it is the wrong one. */
    CompletableFuture<TransactionResponse> submit(int first, TransactionRequest request) {
        for (int i = 0; i < nodes.length; i++) {
            SteppedDatabase node = nodes[(first + i) % nodes.length];
            if (node == null) {
                continue;
            }
            CompletableFuture<TransactionResponse> answer = node.database.submit(request);
            if (!answer.isDone() || !isWrongNode(answer.join())) {
                return answer;
            }
        }
        return CompletableFuture.completedFuture(
                new Failed(ErrorCode.NOT_CONNECTED, "the node that it belongs to is down"));
    }
}
