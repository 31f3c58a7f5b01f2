package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.cluster.Manoeuvre.Cue;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed;
import dev.fulmar.simulator.cluster.Manoeuvre.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Performs one {@link Manoeuvre} at a time: waits for the cue of each step, then applies its deeds by
 * {@link ManoeuvreDeeds}. It draws the next one from its choice when {@link Manoeuvres} says so.
 */
final class ManoeuvreTrack {
    /** A path is rare while it was not reached more often in the run. */
    private static final int RARE = 12;

    private final SimulatedCluster cluster;
    private final FaultInjector injector;
    private final ManoeuvreDeeds deeds;
    private final List<Manoeuvre> choice;
    private final RandomSource random;
    private final Runnable whenOver;
    private final List<NodeId> roles = new ArrayList<>();
    private @Nullable Manoeuvre current;
    private int next;
    private int partition;

    /** Of the partition, when it was last looked at. */
    private long epoch;

    private int passing;

    /** Counts what the manoeuvres wait for, so that a limit of time belongs to one wait. */
    private int waits;

    /** @param whenOver is run when a manoeuvre is over, or could not begin */
    ManoeuvreTrack(
            SimulatedCluster cluster,
            FaultInjector injector,
            ManoeuvreDeeds deeds,
            List<Manoeuvre> choice,
            RandomSource random,
            Runnable whenOver) {
        this.cluster = cluster;
        this.injector = injector;
        this.deeds = deeds;
        this.choice = List.copyOf(choice);
        this.random = random;
        this.whenOver = whenOver;
    }

    /** Begins with one of the choice. */
    void begin() {
        begin(choice.get(random.nextInt(choice.size())));
    }

    /** Does no further step. What the manoeuvre has done is not undone. */
    void stop() {
        current = null;
        waits++;
    }

    boolean isUnderWay() {
        return current != null;
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
            cluster.note("manoeuvre " + (current == null ? "" : current.shape()) + " is over");
            stop();
            whenOver.run();
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
            stop();
            whenOver.run();
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
            deeds.perform(deed, roles);
        }
        injector.manoeuvred();
        await();
        return isLost;
    }

    /** Notices a message between nodes; returns whether it is lost. */
    boolean sent(NodeId from, NodeId to, byte[] message) {
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
            } else if (Moment.isOfDestination(message)) {
                partition = Moment.destinationOf(message);
            }
            PartitionRecord record = cluster.record(partition);
            epoch = record == null ? 0 : record.epoch();
        }
        cluster.note("meets " + cue.moment() + " from " + from + " to " + to);
        Set<NodeId> moving = injector.struckMoves().moving();
        boolean isLost = met(step, false);
        if (isLost) {
            injector.struckMoves().met(moving, List.of(from, to));
        }
        return isLost;
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

    /** Notices that a partition's record has changed. */
    void changed(int number) {
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

    /** Notices that a node's process has reached a path of the code. */
    void reached(NodeId node, String path) {
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
}
