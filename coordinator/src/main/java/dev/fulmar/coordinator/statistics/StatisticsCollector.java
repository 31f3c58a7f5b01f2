package dev.fulmar.coordinator.statistics;

import dev.fulmar.coordinator.fiber.FiberFactory;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.statement.Statements;
import dev.fulmar.coordinator.statement.TableKnowledge;
import dev.fulmar.coordinator.statistics.StatisticsFormat.Message;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.spi.Statistics;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The collector of statistics of the tables' contents, on all nodes. A census begins when a query is compiled, or when
 * one runs whose plan depends on it, and the last one is old. It never begins because rows are written. Thread-safe; no
 * caller waits.
 */
public final class StatisticsCollector implements TableKnowledge {
    /** Age up to which a compilation takes statistics for new. */
    private static final long NEW_NANOS = 200_000_000;

    /**
     * Age up to which queries run that were planned by the statistics, and up to which another node's answer is good.
     */
    private static final long GOOD_NANOS = 10_000_000_000L;

    private static final long ASK_NANOS = 2_000_000_000;

    /**
     * Time that a compilation waits for a census. A partition that is busy, or a node that does not answer, counts with
     * its last figures.
     */
    private static final long PATIENCE_NANOS = 20_000_000;

    private final PartitionRuntimes runtimes;
    private volatile PartitionHomes homes = PartitionHomes.allHere();
    private final AtomicReference<Program> current;
    private final Clock clock;
    private final Scheduler scheduler;
    private final FiberFactory fibers;

    private final List<PartitionStatistics> partitions = new ArrayList<>();

    /** Figures by partition; null for one that another node leads. */
    private final AtomicReferenceArray<@Nullable PartFigures> own;

    private final ConcurrentSkipListMap<NodeId, PartFigures> others = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListSet<NodeId> linked = new ConcurrentSkipListSet<>();
    private final AtomicReference<Statistics> known = new AtomicReference<>(Statistics.NONE);
    private final AtomicReference<@Nullable Round> last = new AtomicReference<>();
    private volatile @Nullable Network network;

    /** One census. Not a record: it equals nothing but itself. */
    private static final class Round {
        private final long begun;
        private final Catalog catalog;
        private final boolean asks;

        /** When other nodes were asked last; longer ago than any answer is good for if they never were. */
        private final long asked;

        private final AtomicInteger missing = new AtomicInteger();
        private final AtomicReference<Scheduler.@Nullable Timer> patience = new AtomicReference<>();

        /** Completes when this node's partitions are counted. */
        private final CompletableFuture<Void> here = new CompletableFuture<>();

        /** Completes when callers need wait no longer. */
        private final CompletableFuture<Void> over = new CompletableFuture<>();

        private Round(long begun, Catalog catalog, boolean asks, long asked) {
            this.begun = begun;
            this.catalog = catalog;
            this.asks = asks;
            this.asked = asked;
        }

        private boolean isGood(Catalog other, long now, long oldest) {
            return catalog.version() == other.version() && now - begun < oldest;
        }
    }

    public StatisticsCollector(PartitionRuntimes runtimes, AtomicReference<Program> current, NodeServices services) {
        this.runtimes = runtimes;
        this.current = current;
        this.clock = services.clock();
        this.scheduler = services.scheduler();
        this.fibers = services.fibers();
        this.own = new AtomicReferenceArray<>(runtimes.count());
        runtimes.all().forEach(runtime -> partitions.add(new PartitionStatistics(runtime)));
    }

    /** Sets which partitions are counted here; before any census. */
    public void attach(PartitionHomes placed) {
        homes = placed;
    }

    /** Asks and answers other nodes from now on. Before there are sessions with any. */
    public void connect(Network channel) {
        channel.onLink(new Links());
        channel.onMessage(this::received);
        network = channel;
    }

    @Override
    public Statistics known() {
        return known.get();
    }

    @Override
    public Statistics renewed() {
        round(GOOD_NANOS, true);
        return known.get();
    }

    /** Goes on as soon as what is known is new, or in a moment if that takes longer; at once, if it is. */
    public void refresh(Runnable then) {
        if (current.get().catalog().tables().isEmpty()) {
            then.run();
        } else {
            var unused = round(NEW_NANOS, true).over.thenRun(then);
        }
    }

    /** The same for the planning of a text, which needs no statistics if it is no query. */
    public void refreshFor(String sql, Runnable then) {
        if (Statements.mayBeQuery(sql)) {
            refresh(then);
        } else {
            then.run();
        }
    }

    /** The statistics, once a census has ended or a moment has passed. */
    public CompletableFuture<Statistics> taken() {
        return round(NEW_NANOS, true).over.thenApply(done -> known.get());
    }

    /**
     * The last census, or the one that begins because that is older.
     *
     * @param everywhere whether other nodes are asked too, if that is longer ago
     */
    private Round round(long oldest, boolean everywhere) {
        while (true) {
            Round before = last.get();
            long now = clock.monotonicNanos();
            Catalog catalog = current.get().catalog();
            long asked = before == null ? now - Long.MAX_VALUE / 2 : before.asked;
            boolean asks = everywhere && now - asked >= Math.max(oldest, ASK_NANOS);
            if (before != null && !asks && before.isGood(catalog, now, oldest)) {
                return before;
            }
            Round next = new Round(now, catalog, asks, asks ? now : asked);
            if (last.compareAndSet(before, next)) {
                begin(next);
                return next;
            }
        }
    }

    private void begin(Round round) {
        Network others = network;
        List<NodeId> asked = round.asks && others != null ? List.copyOf(linked) : List.of();
        round.missing.set(1 + asked.size());
        round.patience.set(scheduler.schedule(PATIENCE_NANOS, () -> {
            if (!round.over.isDone()) {
                settle(round);
            }
        }));
        var unused = round.here.thenRun(() -> arrived(round));
        countHere(round);
        for (NodeId node : asked) {
            if (others == null || !others.send(node, StatisticsFormat.write(new Message.Question()))) {
                arrived(round);
            }
        }
    }

    private void countHere(Round round) {
        List<Table> tables = List.copyOf(round.catalog.tables().values());
        List<Integer> led = new ArrayList<>();
        for (int partition = 0; partition < runtimes.count(); partition++) {
            if (!homes.isHere(partition)) {
                own.set(partition, null);
            } else if (partitions.get(partition).begins(round.begun)) {
                led.add(partition);
            }
        }
        AtomicInteger missing = new AtomicInteger(led.size());
        if (led.isEmpty()) {
            round.here.complete(null);
        }
        for (int partition : led) {
            Consumer<PartFigures> counted = figures -> own.set(partition, figures);
            partitions.get(partition).take(tables, counted, figures -> {
                counted.accept(figures);
                int left = missing.decrementAndGet();
                Invariants.check(left >= 0, "a partition ends its part of a census once");
                if (left == 0) {
                    round.here.complete(null);
                }
            });
        }
    }

    private void arrived(Round round) {
        if (round.missing.decrementAndGet() == 0 || round.over.isDone()) {
            settle(round);
        }
    }

    /** Not on the thread of a partition: of many tables there is much to put together. */
    private void settle(Round round) {
        fibers.create("census", () -> {
                    publish(round.catalog);
                    round.over.complete(null);
                    Scheduler.Timer patience = round.patience.get();
                    if (patience != null) {
                        patience.cancel();
                    }
                })
                .start();
    }

    private List<PartFigures> own() {
        List<PartFigures> all = new ArrayList<>();
        for (int partition = 0; partition < own.length(); partition++) {
            PartFigures figures = own.get(partition);
            if (figures != null) {
                all.add(figures);
            }
        }
        return all;
    }

    private void publish(Catalog catalog) {
        known.updateAndGet(before -> {
            List<PartFigures> all = own();
            all.addAll(others.values());
            Statistics now = new Statistics(FigureSum.of(all, catalog, runtimes.count()));
            return now.equals(before) ? before : now;
        });
    }

    private void received(NodeId from, ByteBuffer bytes) {
        switch (StatisticsFormat.read(bytes)) {
            case Message.Question() -> answer(from);
            case Message.Answer(long catalogVersion, PartFigures figures) -> {
                Round round = last.get();
                if (round != null && round.catalog.version() == catalogVersion) {
                    others.put(from, figures);
                    arrived(round);
                }
            }
        }
    }

    /**
     * Answers another node as soon as this node's partitions are counted. A question that comes before that is answered
     * then, without another count.
     */
    private void answer(NodeId from) {
        Round round = round(NEW_NANOS, false);
        var unused = round.here.thenRun(
                () -> fibers.create("census", () -> tell(from, round)).start());
    }

    private void tell(NodeId node, Round round) {
        Network channel = network;
        List<PartFigures> led = own();
        PartFigures sum = new PartFigures(led.size(), FigureSum.of(led, round.catalog, Math.max(1, led.size())));
        if (channel != null) {
            channel.send(node, StatisticsFormat.write(new Message.Answer(round.catalog.version(), sum)));
        }
    }

    /** Follows which nodes can be asked. */
    private final class Links implements Network.LinkListener {
        @Override
        public void linkUp(NodeId node) {
            linked.add(node);
        }

        @Override
        public void linkLost(NodeId node) {
            linked.remove(node);
            others.remove(node);
        }
    }
}
