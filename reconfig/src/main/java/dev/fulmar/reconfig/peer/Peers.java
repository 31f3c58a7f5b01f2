package dev.fulmar.reconfig.peer;

import dev.fulmar.coordinator.reconfiguration.PrimaryNodes;
import dev.fulmar.coordinator.routing.PartitionPlans;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.time.Clock;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of moves to the nodes that carry them out, this one included, and carries out those of other
 * nodes. Thread-safe.
 */
public final class Peers {
    /** Longer than a move waits for the answer to a step. */
    private static final long MOST_NANOS = 30_000_000_000L;

    /** The way to the other nodes of a cluster. */
    public record Links(Network channel, PrimaryNodes primaries, long numbersAbove) {}

    private final @Nullable Links links;
    private final StagingPort own;
    private final PartitionPlans plans;
    private final Clock clock;
    private final Consumer<RangeReport> reports;
    private final AtomicLong lastNumber;
    private final NavigableMap<Long, Pending> pending = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListSet<NodeId> linked = new ConcurrentSkipListSet<>();
    private final NavigableMap<NodeId, MoveFigures> figures = new ConcurrentSkipListMap<>();
    private volatile boolean takesPart;

    /** @param isStep whether its outcome does not matter once it was waited for in vain */
    private record Pending(NodeId node, Answer answer, boolean isStep, long sinceNanos) {}

    /**
     * @param links whose channel gets this object as its receiver and listener; null for a database on one node
     * @param own takes steps at the partitions that this node leads
     * @param reports told what other nodes report of their moves
     */
    public Peers(
            @Nullable Links links, StagingPort own, PartitionPlans plans, Clock clock, Consumer<RangeReport> reports) {
        this.links = links;
        this.own = own;
        this.plans = plans;
        this.clock = clock;
        this.reports = reports;
        lastNumber = new AtomicLong(links == null ? 0 : links.numbersAbove());
        if (links != null) {
            links.channel().onLink(new Sessions());
            links.channel().onMessage(this::received);
        }
    }

    /**
     * Does what other nodes ask for from now on. Before, the node makes its first catalog by itself, and what it
     * changed for them would be in no log.
     */
    public void begin() {
        takesPart = true;
    }

    /** Takes the step at the partition's primary. */
    public void take(PartitionId partition, DestinationStep step, Answer answer) {
        NodeId primary = links == null ? null : links.primaries().of(partition);
        if (links == null || links.channel().self().equals(primary)) {
            own.take(partition, step, answer);
        } else {
            ask(primary, number -> new PeerMessage.Step(number, partition, step), answer, true);
        }
    }

    /** Hands a bucket over; the end is told as by {@link PartitionPlans#handOver}. */
    public void handOver(HandOff handOff, Consumer<@Nullable FulmarException> ended) {
        if (plans.changesHere()) {
            plans.handOver(List.of(handOff), ended);
        } else {
            ask(catalogPrimary(), number -> new PeerMessage.HandOver(number, handOff), told(ended), false);
        }
    }

    /** Begins a reconfiguration, or changes its state; the end is told as by {@link PartitionPlans#retarget}. */
    public void retarget(TargetChange change, Consumer<@Nullable FulmarException> ended) {
        if (plans.changesHere()) {
            plans.retarget(change, ended);
        } else {
            ask(catalogPrimary(), number -> new PeerMessage.Retarget(number, change), told(ended), false);
        }
    }

    /**
     * Asks the other nodes that are reached whether they read the messages of moves. Told once, with the reason if one
     * does not say so. Never if a node stays silent.
     */
    public void askForms(Consumer<@Nullable FulmarException> ended) {
        List<NodeId> nodes = List.copyOf(linked);
        AtomicInteger left = new AtomicInteger(nodes.size());
        AtomicBoolean isTold = new AtomicBoolean(nodes.isEmpty());
        if (nodes.isEmpty()) {
            ended.accept(null);
        }
        for (NodeId node : nodes) {
            ask(
                    node,
                    PeerMessage.Forms::new,
                    told(failure -> {
                        if ((failure != null || left.decrementAndGet() == 0) && !isTold.getAndSet(true)) {
                            ended.accept(failure == null ? null : unread(node, failure));
                        }
                    }),
                    true);
        }
    }

    private static FulmarException unread(NodeId node, FulmarException cause) {
        return new FulmarException(
                ErrorCode.INVALID_CONFIGURATION,
                node + " did not say that it can move keys (" + cause.getMessage()
                        + "); renew it if it runs an earlier build of Fulmar, else start again",
                cause);
    }

    /** Tells the other nodes the figures of this one. */
    public void show(MoveFigures moved) {
        for (NodeId node : linked) {
            send(node, new PeerMessage.Progress(moved));
        }
    }

    /** Tells the other nodes how far a move of this one is. All nodes must read such reports. */
    public void show(RangeReport report) {
        for (NodeId node : linked) {
            send(node, new PeerMessage.Moved(report));
        }
    }

    /** Figures of the other nodes in the reconfiguration, so far as they have told. */
    public List<MoveFigures> figures(long reconfiguration) {
        return figures.values().stream()
                .filter(moved -> moved.reconfiguration() == reconfiguration)
                .toList();
    }

    /** Pause between two chunks that calls need on the other node that leads the partition; 0 if none does. */
    public long delayNanos(PartitionId destination, long reconfiguration) {
        NodeId primary = links == null ? null : links.primaries().of(destination);
        MoveFigures told = primary == null ? null : figures.get(primary);
        return told == null || told.reconfiguration() != reconfiguration
                ? 0
                : told.outlook().delayNanos();
    }

    private @Nullable NodeId catalogPrimary() {
        NodeId primary = links == null ? null : links.primaries().ofCatalog();
        return links == null || links.channel().self().equals(primary) ? null : primary;
    }

    private static Answer told(Consumer<@Nullable FulmarException> ended) {
        return new Answer() {
            @Override
            public void done(long rows) {
                ended.accept(null);
            }

            @Override
            public void failed(FulmarException cause) {
                ended.accept(cause);
            }
        };
    }

    /** Makes a request under its number. */
    private interface Numbered {
        PeerMessage under(long number);
    }

    private void ask(@Nullable NodeId node, Numbered request, Answer answer, boolean isStep) {
        if (node == null) {
            answer.failed(unreachable("no node is known that can do it"));
            return;
        }
        long number = lastNumber.incrementAndGet();
        pending.put(number, new Pending(node, answer, isStep, clock.monotonicNanos()));
        if (!send(node, request.under(number)) && pending.remove(number) != null) {
            answer.failed(unreachable(node + " is not reached at the moment"));
        }
    }

    /** Fails steps that were not answered for long, with the rows that they hold; now and then. */
    public void endOld() {
        long now = clock.monotonicNanos();
        pending.forEach((number, waiting) -> {
            boolean isOld = waiting.isStep && now - waiting.sinceNanos >= MOST_NANOS;
            if (isOld && pending.remove(number, waiting)) {
                waiting.answer.failed(new FulmarException(
                        ErrorCode.TIMEOUT, waiting.node + " has not answered a step of a move; begin another one"));
            }
        });
    }

    private static FulmarException unreachable(String why) {
        return new FulmarException(ErrorCode.NOT_CONNECTED, why + "; nothing was changed, try again");
    }

    private boolean send(NodeId to, PeerMessage message) {
        return links != null && links.channel().send(to, PeerFormat.write(message));
    }

    private void received(NodeId from, ByteBuffer in) {
        PeerMessage message = PeerFormat.read(in);
        if (takesPart) {
            take(from, message);
            return;
        }
        switch (message) {
            case PeerMessage.Step(long number, var _, var _) -> refuse(from, number);
            case PeerMessage.HandOver(long number, var _) -> refuse(from, number);
            case PeerMessage.Retarget(long number, var _) -> refuse(from, number);
            case PeerMessage.Forms(long number) -> back(from, number).done(0);
            case PeerMessage.Done _, PeerMessage.Failed _, PeerMessage.Progress _, PeerMessage.Moved _ -> {}
        }
    }

    private void refuse(NodeId from, long number) {
        back(from, number).failed(unreachable("the node has not begun to take part"));
    }

    private void take(NodeId from, PeerMessage message) {
        switch (message) {
            case PeerMessage.Step(long number, PartitionId partition, DestinationStep step) -> {
                if (partition.number() >= plans.newest().partitionCount()) {
                    throw new FulmarException(
                            ErrorCode.MALFORMED_REQUEST, "a node sends a step for a partition that there is not");
                }
                own.take(partition, step, back(from, number));
            }
            case PeerMessage.HandOver(long number, HandOff handOff) ->
                plans.handOver(List.of(handOff), backOf(from, number));
            case PeerMessage.Retarget(long number, TargetChange change) -> plans.retarget(change, backOf(from, number));
            case PeerMessage.Forms(long number) -> back(from, number).done(0);
            case PeerMessage.Done(long number, long rows) -> {
                Pending waiting = answered(from, number);
                if (waiting != null) {
                    waiting.answer.done(rows);
                }
            }
            case PeerMessage.Failed(long number, ErrorCode code, String text) -> {
                Pending waiting = answered(from, number);
                if (waiting != null) {
                    waiting.answer.failed(new FulmarException(code, text));
                }
            }
            case PeerMessage.Progress(MoveFigures moved) -> figures.put(from, moved);
            case PeerMessage.Moved(RangeReport report) -> reports.accept(report);
        }
    }

    private @Nullable Pending answered(NodeId from, long number) {
        Pending waiting = pending.get(number);
        return waiting != null && waiting.node.equals(from) ? pending.remove(number) : null;
    }

    private Answer back(NodeId to, long number) {
        return new Answer() {
            @Override
            public void done(long rows) {
                send(to, new PeerMessage.Done(number, rows));
            }

            @Override
            public void failed(FulmarException cause) {
                send(to, new PeerMessage.Failed(number, cause.code(), String.valueOf(cause.getMessage())));
            }
        };
    }

    private Consumer<@Nullable FulmarException> backOf(NodeId to, long number) {
        Answer back = back(to, number);
        return failure -> {
            if (failure == null) {
                back.done(0);
            } else {
                back.failed(failure);
            }
        };
    }

    private final class Sessions implements Network.LinkListener {
        @Override
        public void linkUp(NodeId node) {
            linked.add(node);
        }

        @Override
        public void linkLost(NodeId node) {
            linked.remove(node);
            figures.computeIfPresent(
                    node, (any, moved) -> moved.at("", 0).with(Outlook.NOTHING)); // its move ends with it
            pending.forEach((number, waiting) -> {
                if (waiting.node.equals(node) && pending.remove(number, waiting)) {
                    waiting.answer.failed(new FulmarException(
                            ErrorCode.NODE_LOST, "the link to " + node + " broke before it answered"));
                }
            });
        }
    }
}
