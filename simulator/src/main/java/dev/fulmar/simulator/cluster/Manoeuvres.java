package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedNetwork;
import dev.fulmar.simulator.cluster.Manoeuvre.Cue;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed;
import dev.fulmar.simulator.cluster.Manoeuvre.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Carries {@link Manoeuvre}s out, one after the other. Between two of them nothing goes wrong for a moment. */
final class Manoeuvres {
    private static final int MILLI = 1_000_000;
    private static final int MOST_PAUSE_NANOS = 200 * MILLI;
    private static final long USUAL_LEAST_DELAY_NANOS = 50_000;
    private static final long USUAL_MOST_DELAY_NANOS = 500_000;
    private static final int MOST_DRIFT_PERCENT = 20;
    private static final double LEAST_STORE_BREAKS = 0.1;
    private static final double MORE_STORE_BREAKS = 0.5;

    /** A path is rare while it was not reached more often in the run. */
    private static final int RARE = 12;

    private final SimulatedCluster cluster;
    private final FaultInjector injector;
    private final List<Manoeuvre> choice;
    private final RandomSource random;
    private final boolean isActive;
    private final List<NodeId> roles = new ArrayList<>();
    private @Nullable Manoeuvre current;
    private int next;
    private int partition;

    /** Of the partition, when it was last looked at. */
    private long epoch;

    private int passing;

    /** Counts what the manoeuvres wait for, so that a limit of time belongs to one wait. */
    private int waits;

    Manoeuvres(SimulatedCluster cluster, FaultInjector injector, List<Manoeuvre> choice) {
        this.cluster = cluster;
        this.injector = injector;
        this.choice = choice;
        this.random = cluster.world().random("manoeuvres");
        this.isActive = !choice.isEmpty();
        if (isActive) {
            cluster.world().network().watch(this::sent);
            cluster.onRecord(this::changed);
            cluster.onProbe(this::reached);
        }
    }

    /** Goes on until {@link #end}. */
    void begin() {
        if (isActive) {
            cluster.disturbed();
            pause();
        }
    }

    /** Undoes everything. */
    void end() {
        if (isActive) {
            current = null;
            waits++;
            mend();
        }
    }

    private void pause() {
        int mine = ++waits;
        cluster.world().schedule(random.nextInt(MOST_PAUSE_NANOS), "a manoeuvre begins", () -> {
            if (mine == waits) {
                begin(choice.get(random.nextInt(choice.size())));
            }
        });
    }

    private void begin(Manoeuvre manoeuvre) {
        current = manoeuvre;
        next = 0;
        partition = cluster.scenario().partitions();
        roles.clear();
        boolean isBoundByMessage = manoeuvre.steps().getFirst().cue() instanceof Cue.Sent(var _, int from, var _, var _)
                && from == Manoeuvre.ANY;
        if (!manoeuvre.isOfCatalog()) {
            choosePartition();
        }
        if (!isBoundByMessage) {
            bindByRecord();
        }
        cluster.note("manoeuvre " + manoeuvre.shape() + " about partition " + partition + ": " + roles);
        await();
    }

    /** One whose third node leads another one, if there is any: transactions go between them. */
    private void choosePartition() {
        int partitions = cluster.scenario().partitions();
        int first = random.nextInt(partitions);
        partition = first;
        for (int i = 0; i < partitions; i++) {
            int candidate = (first + i) % partitions;
            bindByRecord(candidate);
            NodeId third = roles.getLast();
            roles.clear();
            if (leadsAny(third)) {
                partition = candidate;
                return;
            }
        }
    }

    private boolean leadsAny(NodeId node) {
        for (int number = 0; number < cluster.scenario().partitions(); number++) {
            PartitionRecord record = cluster.record(number);
            if (record != null && record.primary().node().equals(node)) {
                return true;
            }
        }
        return false;
    }

    private void bindByRecord() {
        bindByRecord(partition);
    }

    private void bindByRecord(int number) {
        PartitionRecord record = cluster.record(number);
        if (record != null) {
            epoch = record.epoch();
            NodeId primary = record.primary().node();
            roles.add(primary);
            record.inSync().stream()
                    .map(CopyId::node)
                    .filter(node -> !node.equals(primary))
                    .findFirst()
                    .ifPresent(roles::add);
        }
        addOthers();
    }

    private void addOthers() {
        int first = random.nextInt(cluster.scenario().nodes());
        for (int i = 0; i < cluster.scenario().nodes(); i++) {
            NodeId node = cluster.idOf(first + i);
            if (!roles.contains(node)) {
                roles.add(node);
            }
        }
    }

    private void await() {
        int mine = ++waits;
        Step step = step();
        if (step == null) {
            cluster.note("manoeuvre is over");
            current = null;
            mend();
            pause();
            return;
        }
        passing = step.cue() instanceof Cue.Sent sent ? sent.passing() : 0;
        long mostNanos = step.cue() instanceof Cue.Passes passes ? drawn(passes.mostNanos()) : step.mostNanos();
        cluster.world().schedule(mostNanos, "a manoeuvre goes on", () -> {
            if (mine == waits) {
                late(step);
            }
        });
    }

    private long drawn(long mostNanos) {
        return mostNanos == 0 ? 0 : random.nextInt((int) mostNanos);
    }

    private void late(Step step) {
        boolean isLate = !(step.cue() instanceof Cue.Passes);
        if (step.cue() instanceof Cue.Sent && next <= 1) {
            cluster.note("it does not begin");
            current = null;
            mend();
            pause();
        } else {
            met(step, isLate);
        }
    }

    private @Nullable Step step() {
        Manoeuvre manoeuvre = current;
        return manoeuvre == null || next >= manoeuvre.steps().size()
                ? null
                : manoeuvre.steps().get(next);
    }

    /** Returns whether the message of the cue is lost. */
    private boolean met(Step step, boolean isLate) {
        cluster.note((isLate ? "in vain, step " : "step ") + next + " " + step);
        next++;
        boolean isLost = false;
        for (Deed deed : step.deeds()) {
            isLost |= deed.kind() == Deed.Kind.LOSE;
            perform(deed);
        }
        injector.manoeuvred();
        await();
        return isLost;
    }

    private boolean sent(NodeId from, NodeId to, byte[] message) {
        Step step = step();
        if (step == null || !(step.cue() instanceof Cue.Sent cue) || !isOf(cue, from, to, message)) {
            return false;
        }
        if (passing > 0) {
            passing--;
            return false;
        }
        if (roles.isEmpty()) {
            roles.add(from);
            roles.add(to);
            addOthers();
            if (Moment.isOfReplication(message)) {
                partition = Moment.partitionOf(message);
            }
            PartitionRecord record = cluster.record(partition);
            epoch = record == null ? 0 : record.epoch();
        }
        cluster.note("meets " + cue.moment() + " from " + from + " to " + to);
        return met(step, false);
    }

    private boolean isOf(Cue.Sent cue, NodeId from, NodeId to, byte[] message) {
        Moment moment = cue.moment();
        if (moment == null ? Moment.isHeartbeat(message) : !moment.isOf(message)) {
            return false;
        }
        if (roles.isEmpty()) {
            return partition < cluster.scenario().partitions()
                    || !Moment.isOfReplication(message)
                    || Moment.partitionOf(message) == partition;
        }
        boolean isOfPartition = !Moment.isOfReplication(message) || Moment.partitionOf(message) == partition;
        return isOfPartition && plays(cue.from(), from) && plays(cue.to(), to);
    }

    private boolean plays(int role, NodeId node) {
        return role == Manoeuvre.ANY || roles.get(role).equals(node);
    }

    private void changed(int number) {
        Step step = step();
        if (step != null && number == partition && step.cue() instanceof Cue.Leads(int role)) {
            PartitionRecord record = cluster.record(number);
            if (record != null
                    && record.epoch() > epoch
                    && !roles.isEmpty()
                    && plays(role, record.primary().node())) {
                epoch = record.epoch();
                soon(step);
            }
        }
    }

    private void reached(NodeId node, String path) {
        Step step = step();
        if (step != null
                && step.cue() instanceof Cue.Reaches(int role)
                && !roles.isEmpty()
                && plays(role, node)
                && cluster.probes().count(path) <= RARE) {
            if (role == Manoeuvre.ANY) {
                int place = roles.indexOf(node);
                NodeId before = roles.getFirst();
                roles.set(Manoeuvre.PRIMARY, node);
                roles.set(place, before);
            }
            cluster.note(node + " reaches " + path);
            soon(step);
        }
    }

    /** In an event of its own. */
    private void soon(Step step) {
        int mine = ++waits;
        cluster.world().schedule(0, "a manoeuvre goes on", () -> {
            if (mine == waits) {
                met(step, false);
            }
        });
    }

    private void later(Runnable deed) {
        int mine = injector.mendings();
        cluster.world().schedule(0, "a deed", () -> {
            if (mine == injector.mendings()) {
                deed.run();
            }
        });
    }

    private void perform(Deed deed) {
        SimulatedNetwork network = cluster.world().network();
        NodeId node = roles.get(deed.role());
        Set<NodeId> others = injector.others(node);
        if (deed.other() != Manoeuvre.ANY) {
            others.removeIf(other -> !other.equals(roles.get(deed.other())));
        }
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
            case KILL -> later(() -> injector.end(node, false, deed.nanos()));
            case CRASH -> later(() -> injector.end(node, true, deed.nanos()));
            case WIPE -> later(() -> injector.wipe(node, deed.nanos()));
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

    /** Ends everything that lasts; processes that are down begin when their time has come. */
    private void mend() {
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
