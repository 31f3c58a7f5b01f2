package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedNetwork;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Applies the faults of a {@link Manoeuvre}'s step, its {@link Deed}s, to the nodes of a simulated cluster, and undoes
 * those that last. {@link FaultInjector} ends processes for it.
 */
final class ManoeuvreDeeds {
    private static final long USUAL_LEAST_DELAY_NANOS = 50_000;
    private static final long USUAL_MOST_DELAY_NANOS = 500_000;
    private static final int MOST_DRIFT_PERCENT = 20;
    private static final double LEAST_STORE_BREAKS = 0.1;
    private static final double MORE_STORE_BREAKS = 0.5;

    private final SimulatedCluster cluster;
    private final FaultInjector injector;
    private final RandomSource random;

    ManoeuvreDeeds(SimulatedCluster cluster, FaultInjector injector, RandomSource random) {
        this.cluster = cluster;
        this.injector = injector;
        this.random = random;
    }

    private void later(Runnable deed) {
        int mine = injector.mendings();
        cluster.world().schedule(0, "a deed", () -> {
            if (mine == injector.mendings()) {
                deed.run();
            }
        });
    }

    /** @param roles nodes that play the roles of the manoeuvre, by their numbers */
    void perform(Deed deed, List<NodeId> roles) {
        SimulatedNetwork network = cluster.world().network();
        NodeId node = roles.get(deed.role());
        Set<NodeId> others = injector.others(node);
        if (deed.other() != Manoeuvre.ANY) {
            others.removeIf(other -> !other.equals(roles.get(deed.other())));
        }
        injector.struckMoves().met(injector.struckMoves().moving(), victims(deed, node, others));
        switch (deed.kind()) {
            case LOSE -> {}
            case HOLD -> others.forEach(other -> network.hold(node, other));
            case LET_GO ->
                others.forEach(other -> {
                    network.letGo(node, other);
                    network.letGo(other, node);
                });
            case CUT -> network.partition(Set.of(node), others);
            case JOIN ->
                others.forEach(other -> {
                    network.unblock(node, other);
                    network.unblock(other, node);
                });
            case SEPARATE -> {
                Set<NodeId> cut = injector.others(node);
                cut.removeIf(other -> deed.other() != Manoeuvre.ANY && other.equals(roles.get(deed.other())));
                network.partition(Set.of(node), cut);
            }
            case BREAK -> others.forEach(other -> network.breakSession(node, other));
            case KILL -> later(() -> injector.strikeMove(node, () -> injector.end(node, false, deed.nanos())));
            case CRASH -> later(() -> injector.strikeMove(node, () -> injector.end(node, true, deed.nanos())));
            case WIPE -> later(() -> injector.strikeMove(node, () -> injector.wipe(node, deed.nanos())));
            case PAUSE -> later(() -> cluster.node(node).process().standStill(deed.nanos()));
            case CUT_STORE -> cluster.store().cut(node);
            case JOIN_STORE -> cluster.store().mend(node);
            case EXPIRE -> cluster.store().expire(node);
            case BLIND ->
                cluster.store().faults().breakCalls(LEAST_STORE_BREAKS + random.nextDouble() * MORE_STORE_BREAKS);
            case SLOW_DISK -> cluster.world().disk(node).faults().latency((int) deed.nanos() / 2, (int) deed.nanos());
            case CHECKPOINT -> cluster.node(node).checkpoint();
            case DELAY -> network.delay(USUAL_LEAST_DELAY_NANOS, deed.nanos());
            case DRIFT ->
                cluster.node(node)
                        .process()
                        .clock()
                        .drift((random.nextInt(2 * MOST_DRIFT_PERCENT + 1) - MOST_DRIFT_PERCENT) / 100.0);
            case HUSH -> cluster.hush(true);
            case GATHER -> {
                cluster.hush(false);
                cluster.gather(node);
            }
            case MEND -> mend();
        }
    }

    /** Nodes on which the deed, if it is a fault, has an effect at once. A message that is lost is noted elsewhere. */
    private Set<NodeId> victims(Deed deed, NodeId node, Set<NodeId> others) {
        return switch (deed.kind()) {
            case HOLD, CUT, BREAK -> {
                Set<NodeId> both = new TreeSet<>(others);
                both.add(node);
                yield both;
            }
            case SEPARATE, BLIND, DELAY -> {
                Set<NodeId> all = new TreeSet<>(injector.others(node));
                all.add(node);
                yield all;
            }
            case PAUSE, CUT_STORE, EXPIRE, SLOW_DISK, DRIFT -> Set.of(node);
            case LOSE, LET_GO, JOIN, KILL, CRASH, WIPE, JOIN_STORE, CHECKPOINT, HUSH, GATHER, MEND -> Set.of();
        };
    }

    /** Undoes everything that lasts; processes that are down begin when their time has come. */
    void mend() {
        cluster.hush(false);
        cluster.gather(null);
        cluster.world().network().delay(USUAL_LEAST_DELAY_NANOS, USUAL_MOST_DELAY_NANOS);
        cluster.world().network().heal();
        cluster.store().heal();
        int force = cluster.scenario().mostForceNanos();
        for (SimulatedNode node : cluster.nodes()) {
            cluster.world().disk(node.node()).faults().latency(force / 2, force);
            node.process().clock().drift(0);
        }
    }
}
