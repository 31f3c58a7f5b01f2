package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedDisk;
import dev.fulmar.foundation.simulated.SimulatedNetwork;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Injects faults, and mends them. It never destroys the last copy of confirmed data: in the modes that keep it in
 * memory only, no process ends that has it alone, and no disk is lost or damaged without a running copy beside it.
 */
final class FaultInjector {
    private static final long MILLI = 1_000_000;
    private static final long USUAL_LEAST_DELAY_NANOS = 50_000;
    private static final long USUAL_MOST_DELAY_NANOS = 500_000;
    private static final int USUAL_STUTTER = 20;
    private static final long DAMAGE_NANOS = 10_000 * MILLI;
    private static final double MOST_LOSS = 0.02;
    private static final double MOST_STORE_BREAKS = 0.3;
    private static final double MOST_DRIFT = 0.2;
    private static final int LONG_JUMP_ONE_IN = 6;
    private static final int MOST_SEVERED_MILLIS = 400;

    /** After which a message without a delay has arrived. */
    private static final long ARRIVAL_NANOS = MILLI;

    /** Time by which faults last longer than planned if nodes need a while to notice them. */
    private static final long MORE_NANOS = 1_200 * MILLI;

    private static final double BLIND_STORE_BREAKS = 0.8;

    private final SimulatedCluster cluster;
    private final RandomSource random;
    private final Set<Fault> active = new LinkedHashSet<>();
    private final Map<Fault, Ambushes.Ends> struck = new HashMap<>();
    private final Ambushes ambushes;
    private final StruckMoves struckMoves;
    private final Set<NodeId> cutFromClients = new LinkedHashSet<>();
    private int effective;
    private int mendings;

    FaultInjector(SimulatedCluster cluster) {
        this.cluster = cluster;
        this.random = cluster.world().random("faults");
        this.struckMoves = new StruckMoves(cluster);
        this.ambushes = new Ambushes(cluster.world(), cluster::note, this::strike);
    }

    /** Schedules the part of the plan between the two times, from now on. */
    void begin(FaultPlan plan, long fromNanos, long toNanos) {
        cluster.disturbed();
        for (Fault fault : plan.faults()) {
            if (fault.atNanos() >= fromNanos && fault.atNanos() < toNanos) {
                cluster.world().schedule(fault.atNanos() - fromNanos, "fault", () -> happen(fault));
            }
        }
    }

    /** Number of faults that have had an effect so far. */
    int effective() {
        return effective;
    }

    /** Whether clients reach the node. */
    boolean isReached(NodeId node) {
        return !cutFromClients.contains(node);
    }

    private void happen(Fault fault) {
        if (fault.kind().isAmbush()) {
            ambushes.lay(fault);
            return;
        }
        NodeId node = cluster.idOf(fault.node());
        Set<NodeId> moving = struckMoves.moving();
        if (!strikes(fault, node)) {
            cluster.note("in vain: " + fault);
            return;
        }
        struckMoves.met(moving, victims(fault, node));
        cluster.note(fault.toString());
        begun(fault, node);
    }

    /** Faults that met moves so far. */
    StruckMoves struckMoves() {
        return struckMoves;
    }

    /** Nodes on which the fault has an effect at once. */
    private Set<NodeId> victims(Fault fault, NodeId node) {
        return switch (fault.kind()) {
            case POWER_CUT, RING, LOSS, DELAY, STORE_FAULTS, SPLIT, ISOLATION -> {
                Set<NodeId> all = others(node);
                all.add(node);
                yield all;
            }
            case BROKEN_LINK, ONE_WAY, OLD_VIEW -> Set.copyOf(List.of(node, cluster.idOf(fault.other())));
            case CLIENTS_CUT -> Set.of(); // nodes of a move hear each other
            default -> Set.of(node);
        };
    }

    private void begunAt(Fault fault, Ambushes.Ends ends) {
        struckMoves.met(struckMoves.moving(), Set.of(ends.victim(), ends.other()));
        begun(fault, ends.victim());
    }

    private void begun(Fault fault, NodeId node) {
        cluster.probes().reached("FAULT_" + fault.kind());
        effective++;
        active.add(fault);
        boolean isLong = fault.kind() == FaultKind.STRIKE_SPLIT || fault.kind() == FaultKind.OLD_VIEW;
        long lastsNanos = fault.durationNanos() + (isLong ? MORE_NANOS : 0);
        cluster.world().schedule(lastsNanos, "mending", () -> {
            if (active.remove(fault)) {
                cluster.note("over: fault " + fault.number());
                mend(fault, node);
            }
        });
        shape();
    }

    /**
     * An ambush meets its moment, in an event of the node that sends: what ends a process comes in an event of its own.
     */
    private boolean strike(Fault fault, Ambushes.Ends ends) {
        NodeId victim = ends.victim();
        struck.put(fault, ends);
        if (fault.kind() == FaultKind.STRIKE_SPLIT) {
            int now = mendings;
            later(ARRIVAL_NANOS + struckAfterNanos(1), () -> {
                if (now == mendings) {
                    begunAt(fault, ends);
                }
            });
            return false;
        }
        if (fault.kind() == FaultKind.STRIKE_KILL) {
            begun(fault, victim); // it strikes a little later
        } else {
            begunAt(fault, ends);
        }
        switch (fault.kind()) {
            case STRIKE_KILL -> later(struckAfterNanos(1), () -> endStruck(fault, victim));
            case STRIKE_SEVER -> {
                if (random.nextInt(3) > 0) {
                    later(struckAfterNanos(MOST_SEVERED_MILLIS), () -> endStruck(fault, victim));
                }
            }
            case STRIKE_PAUSE -> later(0, () -> cluster.node(victim).process().standStill(fault.durationNanos()));
            default -> {}
        }
        return fault.kind() == FaultKind.STRIKE_LOSS;
    }

    private void later(long delayNanos, Runnable strike) {
        cluster.world().schedule(delayNanos, "a strike", strike);
    }

    /** Unless all was mended meanwhile. */
    private void endStruck(Fault fault, NodeId victim) {
        if (active.contains(fault)) {
            boolean powerFails = oneOfTwo();
            strikeMove(victim, () -> end(fault, victim, powerFails));
        }
    }

    /** Blow to a node, which may have no effect. */
    interface Blow {
        boolean strikes();
    }

    void strikeMove(NodeId node, Blow blow) {
        Set<NodeId> moving = struckMoves.moving();
        if (blow.strikes()) {
            struckMoves.met(moving, Set.of(node));
        }
    }

    private boolean oneOfTwo() {
        return random.nextInt(2) == 0;
    }

    /** At once, or a little later. */
    private long struckAfterNanos(int mostMillis) {
        return oneOfTwo() ? 0 : random.nextInt(mostMillis * (int) MILLI);
    }

    /** Mends everything at once and starts what is down. */
    void heal() {
        cluster.note("everything is mended");
        ambushes.clear();
        mendings++;
        for (Fault fault : List.copyOf(active)) {
            active.remove(fault);
            mend(fault, cluster.idOf(fault.node()));
        }
        cluster.world().network().heal();
        cluster.store().heal();
        cluster.startAll();
        cluster.mended();
    }

    /** Does what happens at one moment; false if it cannot happen now. */
    private boolean strikes(Fault fault, NodeId node) {
        SimulatedProcess process = cluster.node(node).process();
        return switch (fault.kind()) {
            case KILL -> end(fault, node, false);
            case BLIND_START -> beginBlind(fault, node);
            case CRASH -> end(fault, node, true);
            case POWER_CUT -> powerCut(fault);
            case DISK_LOST -> wipe(node, fault.durationNanos());
            case BIT_FLIPS -> flipBits(fault, node);
            case PAUSE -> {
                process.standStill(fault.durationNanos());
                yield process.isAlive();
            }
            case STUTTER -> {
                process.stutter(2);
                yield process.isAlive();
            }
            case BROKEN_LINK -> {
                cluster.world().network().breakSession(node, cluster.idOf(fault.other()));
                yield true;
            }
            case STORE_EXPIRY -> {
                cluster.store().expire(node);
                yield true;
            }
            case SLOW_DISK -> disk(node, disk -> slow(disk, fault.strength()));
            case FULL_DISK -> disk(node, disk -> disk.capacity(disk.usedBytes()));
            case FAILING_DISK -> disk(node, disk -> disk.faults().failForces(fault.strength()));
            case CLOCK_JUMP -> {
                process.clock().jump(jumpMicros(fault));
                yield process.isAlive();
            }
            case CLOCK_DRIFT -> {
                process.clock().drift((2 * fault.strength() - 1) * MOST_DRIFT);
                yield process.isAlive();
            }
            case ISOLATION,
                    SPLIT,
                    ONE_WAY,
                    RING,
                    LOSS,
                    DELAY,
                    STORE_CUT,
                    STORE_FAULTS,
                    CLIENTS_CUT,
                    OLD_VIEW,
                    STRIKE_KILL,
                    STRIKE_PAUSE,
                    STRIKE_LOSS,
                    STRIKE_CUT,
                    STRIKE_SEVER,
                    STRIKE_SPLIT -> true;
        };
    }

    private static long jumpMicros(Fault fault) {
        long most = fault.number() % LONG_JUMP_ONE_IN == 0 ? 60_000_000L : 500_000L;
        return (long) ((2 * fault.strength() - 1) * most);
    }

    private boolean mayEnd(NodeId node) {
        return (cluster.keepsWhatItConfirms() && !cluster.isDamaged(node)) || cluster.canSpare(node);
    }

    private boolean end(Fault fault, NodeId node, boolean powerFails) {
        return end(node, powerFails, fault.durationNanos());
    }

    /**
     * Ends the node's process, unless that would take the last copy of something, and starts it again after so long.
     */
    boolean end(NodeId node, boolean powerFails, long downNanos) {
        if (!mayEnd(node) || !cluster.kill(node, powerFails)) {
            return false;
        }
        cluster.startLater(node, downNanos);
        return true;
    }

    /** Notes a deed of a manoeuvre. */
    void manoeuvred() {
        effective++;
    }

    /** Number of times that all was mended. */
    int mendings() {
        return mendings;
    }

    private boolean beginBlind(Fault fault, NodeId node) {
        if (!mayEnd(node) || !cluster.kill(node, false)) {
            return false;
        }
        cluster.startLater(node, fault.durationNanos() / 2);
        return true;
    }

    private boolean powerCut(Fault fault) {
        if (!cluster.keepsWhatItConfirms()
                || cluster.nodes().stream().anyMatch(node -> cluster.isDamaged(node.node()))) {
            return false;
        }
        for (SimulatedNode node : List.copyOf(cluster.nodes())) {
            cluster.kill(node.node(), true);
            cluster.startLater(node.node(), (long) (random.nextDouble() * fault.durationNanos()));
        }
        cluster.probes().reached(ClusterPath.POWER_CUT.name());
        return true;
    }

    /**
     * Ends the node's process, unless that would take the last copy of something, and starts it again with an empty
     * disk.
     */
    boolean wipe(NodeId node, long downNanos) {
        if (!cluster.canSpare(node) || !cluster.kill(node, true)) {
            return false;
        }
        cluster.wipe(node);
        cluster.startLater(node, downNanos);
        return true;
    }

    private boolean flipBits(Fault fault, NodeId node) {
        if (!cluster.keepsWhatItConfirms()
                || !cluster.isSoundBut(node)
                || !cluster.canSpare(node)
                || !cluster.kill(node, false)) {
            return false;
        }
        SimulatedDisk disk = cluster.world().disk(node);
        List<Map.Entry<String, byte[]>> files = new ArrayList<>(disk.contents().entrySet());
        files.removeIf(file -> file.getValue().length == 0);
        int flips = 1 + random.nextInt(3);
        for (int i = 0; i < flips && !files.isEmpty(); i++) {
            Map.Entry<String, byte[]> file = files.get(random.nextInt(files.size()));
            try {
                disk.flipBit(file.getKey(), random.nextInt(file.getValue().length), random.nextInt(8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        cluster.damage(node);
        cluster.startLater(node, fault.durationNanos());
        return true;
    }

    private boolean disk(NodeId node, Consumer<SimulatedDisk> disturbance) {
        disturbance.accept(cluster.world().disk(node));
        cluster.disturb(node, 1);
        return true;
    }

    private static void slow(SimulatedDisk disk, double strength) {
        int most = (int) (MILLI + strength * 100 * MILLI);
        disk.faults().latency(most / 10, most);
    }

    private void mend(Fault fault, NodeId node) {
        SimulatedProcess process = cluster.node(node).process();
        switch (fault.kind()) {
            case STUTTER -> process.stutter(USUAL_STUTTER);
            case SLOW_DISK, FULL_DISK, FAILING_DISK -> {
                SimulatedDisk disk = cluster.world().disk(node);
                int force = cluster.scenario().mostForceNanos();
                disk.faults().latency(force / 2, force);
                disk.faults().failForces(0);
                disk.capacity(Long.MAX_VALUE);
                // What failed may be noticed a little later.
                cluster.world().schedule(DAMAGE_NANOS, "disk is in order", () -> cluster.disturb(node, -1));
            }
            case CLOCK_DRIFT -> process.clock().drift(0);
            case KILL,
                    CRASH,
                    POWER_CUT,
                    DISK_LOST,
                    BIT_FLIPS,
                    PAUSE,
                    BROKEN_LINK,
                    STORE_EXPIRY,
                    CLOCK_JUMP,
                    STRIKE_KILL,
                    STRIKE_PAUSE,
                    STRIKE_LOSS -> {}
            case ISOLATION,
                    SPLIT,
                    ONE_WAY,
                    RING,
                    LOSS,
                    DELAY,
                    STORE_CUT,
                    STORE_FAULTS,
                    CLIENTS_CUT,
                    BLIND_START,
                    OLD_VIEW,
                    STRIKE_CUT,
                    STRIKE_SEVER,
                    STRIKE_SPLIT -> shape();
        }
    }

    /** Makes the network and the ways to the store as all that goes wrong now has them. */
    private void shape() {
        SimulatedNetwork network = cluster.world().network();
        network.heal();
        network.loss(0);
        network.delay(USUAL_LEAST_DELAY_NANOS, USUAL_MOST_DELAY_NANOS);
        cluster.store().heal();
        cutFromClients.clear();
        for (Fault fault : active) {
            cutLinks(fault, cluster.idOf(fault.node()), network);
            disturbWays(fault, cluster.idOf(fault.node()), network);
        }
    }

    private void cutLinks(Fault fault, NodeId node, SimulatedNetwork network) {
        switch (fault.kind()) {
            case ISOLATION, SPLIT -> network.partition(Set.of(node), others(node));
            case ONE_WAY -> network.block(node, cluster.idOf(fault.other()));
            case RING -> {
                for (SimulatedNode each : cluster.nodes()) {
                    network.block(each.node(), cluster.idOf(each.node().number()));
                }
            }
            case OLD_VIEW -> network.partition(Set.of(node), Set.of(cluster.idOf(fault.other())));
            case STRIKE_CUT -> {
                Ambushes.Ends ends = ends(fault);
                network.partition(Set.of(ends.victim()), Set.of(ends.other()));
            }
            case STRIKE_SPLIT -> {
                NodeId victim = ends(fault).victim();
                network.partition(Set.of(victim), others(victim));
            }
            case STRIKE_SEVER -> {
                Ambushes.Ends ends = ends(fault);
                Set<NodeId> cut = others(ends.victim());
                cut.remove(ends.other());
                network.partition(Set.of(ends.victim()), cut);
            }
            default -> {} // it cuts no links
        }
    }

    private void disturbWays(Fault fault, NodeId node, SimulatedNetwork network) {
        switch (fault.kind()) {
            case LOSS -> network.loss(fault.strength() * MOST_LOSS);
            case DELAY -> network.delay(USUAL_LEAST_DELAY_NANOS, MILLI + (long) (fault.strength() * 200 * MILLI));
            case ISOLATION, STORE_CUT -> cluster.store().cut(node);
            case OLD_VIEW -> {
                cluster.store().cut(node);
                Set<NodeId> thirds = others(node);
                thirds.remove(cluster.idOf(fault.other()));
                cluster.store().cut(thirds.iterator().next());
            }
            case BLIND_START -> cluster.store().faults().breakCalls(BLIND_STORE_BREAKS);
            case STORE_FAULTS -> {
                cluster.store().faults().breakCalls(fault.strength() * MOST_STORE_BREAKS);
                cluster.store().faults().staleReads(fault.strength());
                cluster.store().faults().delayExpiry((long) (fault.strength() * 3_000 * MILLI));
            }
            case CLIENTS_CUT -> cutFromClients.add(node);
            default -> {} // it is about something else
        }
    }

    private Ambushes.Ends ends(Fault fault) {
        Ambushes.Ends ends = struck.get(fault);
        if (ends == null) {
            throw new IllegalStateException(fault + " has struck nobody");
        }
        return ends;
    }

    /** All nodes but the one. */
    Set<NodeId> others(NodeId node) {
        Set<NodeId> others = new LinkedHashSet<>();
        cluster.nodes().forEach(each -> others.add(each.node()));
        others.remove(node);
        return others;
    }
}
