package dev.fulmar.simulator.reconfiguration;

import dev.fulmar.benchmarks.cluster.RunningCluster;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.chaos.Disks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Applies a strike to a cluster whose keys move, and undoes it. */
final class StrikeAction {
    private final RunningCluster cluster;
    private final @Nullable Disks disks;
    private final NodeViews views;
    private final RandomSource random;

    /**
     * Effect of a strike, with moments by {@link System#nanoTime()}.
     *
     * @param victim the node that was killed, or 0
     * @param isStruck whether the reconfiguration was running just before
     * @param struckNanos when the strike began
     * @param backNanos when all nodes and the ZooKeeper were back
     */
    record Effect(int victim, boolean isStruck, long struckNanos, long backNanos) {}

    StrikeAction(RunningCluster cluster, @Nullable Disks disks, NodeViews views, RandomSource random) {
        this.cluster = cluster;
        this.disks = disks;
        this.views = views;
        this.random = random;
    }

    Effect strikeAndHeal(Strike strike) throws IOException, InterruptedException {
        int victim = victim(strike.kind());
        boolean isStruck = views.status(victim == 0 ? 1 : victim).isRunning();
        long struckNanos = System.nanoTime();
        switch (strike.kind()) {
            case LEADER, SOURCE, DESTINATION -> {
                cluster.kill(victim);
                Thread.sleep(strike.millisDown());
                cluster.startNode(victim);
            }
            case POWER_CUT -> disks().cutPowerOf(cluster, strike.millisDown());
            case ZOOKEEPER -> {
                cluster.killStore();
                Thread.sleep(strike.millisDown());
                cluster.startStore();
            }
        }
        return new Effect(victim, isStruck, struckNanos, System.nanoTime());
    }

    private Disks disks() {
        Disks present = disks;
        if (present == null) {
            throw new IllegalStateException("the nodes have no disks that could lose power");
        }
        return present;
    }

    private int victim(Strike.Kind kind) {
        return switch (kind) {
            case LEADER -> cluster.recordOfCatalog().primary().node().number();
            case SOURCE -> primaryOf(anyMove().source());
            case DESTINATION -> primaryOf(anyMove().destination());
            case POWER_CUT, ZOOKEEPER -> 0;
        };
    }

    private int primaryOf(int partition) {
        return cluster.recordOf(partition).primary().node().number();
    }

    /** A move that is under way, as its source says; else one that is left; else any, for it is too late. */
    private NodeViews.Move anyMove() {
        List<NodeViews.Move> moves = new ArrayList<>();
        for (int node : views.nodes()) {
            views.status(node).moves().stream()
                    .filter(move -> primaryOf(move.source()) == node)
                    .forEach(moves::add);
        }
        if (moves.isEmpty()) {
            moves.addAll(views.left(1));
        }
        return moves.isEmpty() ? new NodeViews.Move(0, 1) : moves.get(random.nextInt(moves.size()));
    }
}
