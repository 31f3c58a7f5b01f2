package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A replicated bank under faults. Each seed has a bank of its own form and faults of its own kinds and strength. What
 * was acknowledged is there and seen all the time; when the faults end, all goes on, and all copies are equal.
 */
final class BankSwarm {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;

    private enum Harm {
        POWER_CUT,
        PROCESS_END,
        LOST_DISK,
        ISOLATION,
        ONE_WAY,
        CUT_LINK,
        BROKEN_SESSION,
        CUT_STORE,
        ENDED_STORE_SESSION,
        STANDSTILL,
        CLOCK_JUMP,
        CLOCK_DRIFT,
        SLOW_DISK,
        CATALOG,
        LEAVING
    }

    private static final long LEAVING_PERIOD_NANOS = SECOND_NANOS / 20;
    private static final int LEAVING_PERIODS = 10;

    final ReplicatedBank bank;
    private final long seed;
    private final RandomSource random;
    private final DurabilityMode mode;
    private final List<Harm> kinds = new ArrayList<>();
    private final Set<NodeId> down = new TreeSet<>();
    private final List<BankReader> readers = new ArrayList<>();
    private int stops;

    /** @param leaves whether nodes are stopped in order too */
    BankSwarm(long seed, boolean leaves) {
        this.seed = seed;
        this.random = new SimulatedWorld(seed).random("swarm");
        this.mode = DurabilityMode.values()[random.nextInt(DurabilityMode.values().length)];
        int nodes = 2 + random.nextInt(3);
        int copies = Math.min(nodes, 2 + random.nextInt(2));
        int partitions = 1 + random.nextInt(3);
        long memoryBytes = random.nextInt(2) == 0 ? 24 << 10 : 4 << 20;
        long checkpointBytes = random.nextInt(2) == 0 ? 20_000 : 1L << 40;
        this.bank = new ReplicatedBank(seed, nodes, partitions, copies, mode, memoryBytes, checkpointBytes);
        bank.withClients();
        bank.clients.forEach(client -> {
            client.wander(3);
            readers.add(new BankReader(bank, client));
        });
        for (Harm harm : EnumSet.complementOf(EnumSet.of(Harm.LEAVING))) {
            if (random.nextInt(2) == 0) {
                kinds.add(harm);
            }
        }
        boolean losesDisks = kinds.contains(Harm.LOST_DISK);
        if (losesDisks && mode != DurabilityMode.NONE) {
            // A catalog is brought to an empty node only by a process that has seen all of it.
            kinds.removeAll(EnumSet.of(Harm.POWER_CUT, Harm.PROCESS_END));
        }
        if (kinds.isEmpty()) {
            kinds.add(Harm.ISOLATION);
        }
        if (leaves) {
            kinds.addAll(Collections.nCopies(kinds.size(), Harm.LEAVING));
        }
    }

    @Override
    public String toString() {
        return "seed " + seed + " " + mode + " " + bank.nodes.size() + " nodes " + kinds + " stops " + stops + " done "
                + bank.transactions() + " read "
                + readers.stream().mapToLong(reader -> reader.done).sum();
    }

    /** Lets the faults loose for a while, ends them, and judges. */
    void run(int harms) {
        bank.world.runFor(SECOND_NANOS / 2);
        if (random.nextInt(2) == 0) {
            bank.store.faults().breakCalls(0.3 * random.nextDouble());
            bank.store.faults().late((1 + random.nextInt(3)) * SECOND_NANOS);
            bank.store.faults().staleReads(random.nextDouble());
        }
        if (random.nextInt(4) == 0) {
            bank.world.network().loss(0.005 * random.nextDouble());
        }
        int maxPauseNanos = (int) (SECOND_NANOS / 4 * (1 + random.nextInt(8)));
        for (int i = 0; i < harms; i++) {
            harm(kinds.get(random.nextInt(kinds.size())), new NodeId(1 + random.nextInt(bank.nodes.size())));
            bank.world.runFor(random.nextInt(maxPauseNanos));
            if (random.nextInt(3) == 0) {
                bank.mend();
            }
        }
        end();
    }

    private void harm(Harm kind, NodeId victim) {
        NodeId other = new NodeId(1 + victim.number() % bank.nodes.size());
        ClusterNode node = bank.node(victim);
        switch (kind) {
            case POWER_CUT -> stop(victim, true, false);
            case PROCESS_END -> stop(victim, false, false);
            case LOST_DISK -> stop(victim, true, true);
            case ISOLATION -> bank.isolate(victim);
            case ONE_WAY -> bank.world.network().block(victim, other);
            case CUT_LINK -> bank.world.network().partition(Set.of(victim), Set.of(other));
            case BROKEN_SESSION -> bank.world.network().breakSession(victim, other);
            case CUT_STORE -> bank.store.cut(victim);
            case ENDED_STORE_SESSION -> bank.store.expire(victim);
            case STANDSTILL -> node.process.standStill(random.nextInt((int) (2 * SECOND_NANOS)));
            case CLOCK_JUMP -> node.process.clock().jump(random.nextInt(4_000_000) - 2_000_000L);
            case CLOCK_DRIFT -> node.process.clock().drift(0.2 * random.nextDouble() - 0.1);
            case SLOW_DISK -> bank.world.disk(victim).faults().latency(0, 1 + random.nextInt(50_000_000));
            case CATALOG -> changeCatalog();
            case LEAVING -> leave(victim);
        }
    }

    /**
     * Stops a node in order: it ends when nobody counts on it any more. One that keeps what it has need not wait for
     * long.
     */
    private void leave(NodeId victim) {
        if (down.contains(victim) || (mode != DurabilityMode.SYNC && !bank.isSpare(victim))) {
            return;
        }
        stops++;
        down.add(victim);
        bank.node(victim).leave();
        endOnceLeft(victim, 0);
    }

    private void endOnceLeft(NodeId victim, int periods) {
        bank.world.schedule(LEAVING_PERIOD_NANOS, "leaving", () -> {
            if (bank.isCountedOn(victim) && (mode != DurabilityMode.SYNC || periods < LEAVING_PERIODS)) {
                endOnceLeft(victim, periods + 1);
            } else {
                bank.end(victim);
                bank.world.schedule(random.nextInt((int) (2 * SECOND_NANOS)), "start", () -> start(victim, false));
            }
        });
    }

    /**
     * Ends a node, whose next process comes some time later. What loses something for good happens only where others
     * have it.
     */
    private void stop(NodeId victim, boolean losesPower, boolean losesDisk) {
        boolean losesLife = losesDisk || mode != DurabilityMode.SYNC;
        if (down.contains(victim) || (losesLife && !bank.isSpare(victim))) {
            return;
        }
        stops++;
        if (losesPower) {
            bank.kill(victim);
        } else {
            bank.end(victim);
        }
        down.add(victim);
        bank.world.schedule(random.nextInt((int) (2 * SECOND_NANOS)), "start", () -> start(victim, losesDisk));
    }

    private void start(NodeId victim, boolean losesDisk) {
        if (down.remove(victim)) {
            if (losesDisk) {
                bank.startEmpty(victim);
            } else {
                bank.startAgain(victim);
            }
        }
    }

    /** The change is made or not: whoever leads may lose its role. */
    private void changeCatalog() {
        ClusterNode node = bank.primary(new PartitionId(bank.clients.size()));
        if (node.process.isAlive() && node.database.copies().isHere(bank.clients.size())) {
            bank.tryChange(node, 5 + random.nextInt(2));
        }
    }

    private void end() {
        bank.world.network().loss(0);
        bank.mend();
        bank.store.heal();
        bank.nodes.keySet().forEach(node -> bank.world.disk(node).faults().latency(0, 0));
        assertThat(bank.world.runUntil(down::isEmpty, 10 * SECOND_NANOS)).isTrue();
        List<Long> before = bank.clients.stream().map(client -> client.done).toList();
        bank.heal();
        assertThat(bank.world.runUntil(() -> areBeyond(before), 30 * SECOND_NANOS))
                .as("progress, " + this + " " + bank)
                .isTrue();
        bank.assertCopiesEqual();
        readers.forEach(BankReader::judge);
        if (mode == DurabilityMode.SYNC) {
            cutPowerOfAll();
        }
    }

    private boolean areBeyond(List<Long> before) {
        for (int i = 0; i < before.size(); i++) {
            if (bank.clients.get(i).done < before.get(i) + 20) {
                return false;
            }
        }
        return true;
    }

    private void cutPowerOfAll() {
        bank.world.runFor(SECOND_NANOS / 10);
        List<NodeId> nodes = List.copyOf(bank.nodes.keySet());
        nodes.forEach(bank::kill);
        nodes.forEach(bank::startAgain);
        List<Long> before = bank.clients.stream().map(client -> client.done).toList();
        bank.heal();
        assertThat(bank.world.runUntil(() -> areBeyond(before), 30 * SECOND_NANOS))
                .as("progress after all lost power, " + this + " " + bank)
                .isTrue();
        bank.assertCopiesEqual();
    }
}
