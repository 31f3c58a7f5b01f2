package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.routing.PartitionPlans;
import dev.fulmar.engine.execution.SequencePlaces;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedDisk;
import dev.fulmar.reconfig.move.Reconfiguration;
import dev.fulmar.reconfig.move.ReconfigurationStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The operator of a run who has keys moved while clients and faults are under way. One reconfiguration begins after
 * another, at any node, by a plan that is drawn. Some are paused, resumed and cancelled.
 */
final class PlanOperator {
    /** Probe: the status said how often a hand-off was refused. */
    static final String REFUSAL_SHOWN = "REFUSAL_SHOWN";

    private static final int MILLI = 1_000_000;
    private static final int MOST_PAUSE_NANOS = 400 * MILLI;
    private static final int MOST_STEERED_PAUSE_NANOS = 60 * MILLI;
    private static final int PAUSED_ONE_IN = 20;
    private static final int CANCELLED_ONE_IN = 30;
    private static final int MOST_CHUNK_BYTES = 1_000;
    private static final int MOST_DELAY_NANOS = 5 * MILLI;
    private static final int LIMITED_ONE_IN = 12;
    private static final int DIVIDED_ONE_IN = 3;

    /** Buckets are small here: many of those with several keys have more. */
    private static final int MOST_PART_BYTES = 60_000;

    /** A budget that is hardly ever used up, for chunks are small here. */
    private static final int WIDE_PERCENT = 10_000;

    /** After the mending of all faults. */
    private static final long END_NANOS = 30_000L * MILLI;

    private final SimulatedCluster cluster;
    private final RandomSource random;
    private final RandomSource parts;
    private final boolean isActive;
    private boolean isResting;

    /** The reconfigurations that were seen to have ended, by their numbers. */
    private final Set<Long> ended = new TreeSet<>();

    PlanOperator(SimulatedCluster cluster) {
        this.cluster = cluster;
        random = cluster.world().random("plan operator");
        parts = cluster.world().random("sizes of parts");
        isActive = cluster.scenario().movesKeys();
    }

    void begin() {
        if (isActive) {
            later();
        }
    }

    private void later() {
        int mostNanos = cluster.scenario().isSteered() ? MOST_STEERED_PAUSE_NANOS : MOST_PAUSE_NANOS;
        cluster.world().schedule(1 + random.nextInt(mostNanos), "the operator of plans acts", () -> {
            act();
            later();
        });
    }

    private void act() {
        List<SimulatedNode> there =
                cluster.nodes().stream().filter(SimulatedNode::hasBegun).toList();
        if (there.isEmpty()) {
            return;
        }
        SimulatedNode node = there.get(random.nextInt(there.size()));
        ReconfigurationStatus status = node.reconfiguration().status();
        if (status.moved().current().contains("refused")) {
            cluster.probes().reached(REFUSAL_SHOWN);
        }
        switch (status.state()) {
            case NONE, DONE, CANCELLED -> {
                note(node);
                if (!isResting) {
                    ask(
                            node,
                            reconfiguration -> reconfiguration.start(
                                    drawn(node.database().plans().newest()), settings()),
                            "start");
                }
            }
            case RUNNING -> {
                if (isResting) {
                    return; // a reconfiguration that is stuck must not end by a cancel
                }
                if (random.nextInt(PAUSED_ONE_IN) == 0) {
                    ask(node, Reconfiguration::pause, "pause");
                } else if (random.nextInt(CANCELLED_ONE_IN) == 0) {
                    ask(node, Reconfiguration::cancel, "cancel");
                }
            }
            case PAUSED -> {
                // A full disk pauses it, and an operator makes room and resumes it.
                if (!status.message().isEmpty() && !status.message().contains(SimulatedDisk.NO_SPACE)) {
                    cluster.violation("a reconfiguration waits: " + status.message());
                }
                if (!isResting && random.nextInt(4) == 0) {
                    ask(node, Reconfiguration::cancel, "cancel");
                } else {
                    ask(node, Reconfiguration::resume, "resume");
                }
            }
        }
    }

    private void note(SimulatedNode node) {
        long number = node.reconfiguration().status().moved().reconfiguration();
        if (number != 0) {
            ended.add(number);
        }
        PartitionPlans plans = node.database().plans();
        PlanTarget target = plans.target();
        if (target != null
                && target.state() == PlanTarget.State.DONE
                && !target.plan().hasSameOwners(plans.newest())) {
            cluster.violation(node.process() + " calls a reconfiguration done whose plan does not count");
        }
    }

    /** A command of an operator. */
    private interface Command {
        CompletableFuture<ReconfigurationStatus> at(Reconfiguration reconfiguration);
    }

    private void ask(SimulatedNode node, Command command, String name) {
        node.process().execute(0, name + " of a reconfiguration", () -> {
            var unused =
                    command.at(node.reconfiguration()).whenComplete((status, failure) -> answered(node, name, failure));
        });
    }

    private void answered(SimulatedNode node, String name, @Nullable Throwable failure) {
        cluster.note(node.process() + ": " + name + " of a reconfiguration: "
                + (failure == null ? "done" : failure.getMessage()));
        boolean isExpected = failure == null
                || (failure instanceof FulmarException refused
                        && (refused.code().category() == ErrorCode.Category.RETRYABLE
                                || refused.code() == ErrorCode.INVALID_CONFIGURATION
                                || refused.code() == ErrorCode.NODE_LOST
                                || refused.code() == ErrorCode.TIMEOUT
                                || (refused.code() == ErrorCode.DISK_FULL && cluster.hasDisturbedDisk())));
        if (!isExpected) {
            cluster.violation(name + " of a reconfiguration: " + failure);
        }
    }

    private MovePace settings() {
        boolean isHurried = cluster.scenario().changers() > 0; // a change of tables has the move begin again
        return new MovePace(
                (isHurried ? MOST_CHUNK_BYTES : 1) + random.nextInt(MOST_CHUNK_BYTES),
                random.nextInt(isHurried ? MILLI : MOST_DELAY_NANOS),
                random.nextInt(LIMITED_ONE_IN) == 0 ? WIDE_PERCENT : MovePace.UNLIMITED,
                MovePace.DEFAULT.mostSharePercent(),
                parts.nextInt(DIVIDED_ONE_IN) == 0 ? 1 + parts.nextInt(MOST_PART_BYTES) : MovePace.WHOLE);
    }

    /** Changes to the plan that counts once they do; drawn at once, so that a second try draws no others. */
    private UnaryOperator<PartitionPlan> drawn(PartitionPlan plan) {
        List<UnaryOperator<PartitionPlan>> changes = new ArrayList<>();
        for (int change = 1 + random.nextInt(3); change > 0; change--) {
            KeyRange range = range(plan);
            int partition = random.nextInt(plan.partitionCount());
            changes.add(changed -> changed.with(range, partition));
        }
        return present -> {
            PartitionPlan target = present;
            for (UnaryOperator<PartitionPlan> change : changes) {
                target = change.apply(target);
            }
            return SequencePlaces.keep(present, target);
        };
    }

    /** A single key, or an eighth of all hashes; so buckets are cut at few places. */
    private KeyRange range(PartitionPlan plan) {
        if (random.nextInt(2) == 0) {
            long position = plan.positionOf(
                    (long) random.nextInt(cluster.scenario().mix().keys() + 2));
            return new KeyRange(KeySpace.HASH, position, position);
        }
        long eighth = 1L << (Long.SIZE - 3);
        long first = random.nextInt(8) * eighth;
        return new KeyRange(KeySpace.HASH, first, first + (eighth - 1));
    }

    /** Reconfigurations that have ended so far, as far as the operator has seen. */
    long ended() {
        return ended.size();
    }

    /** Nothing goes wrong any more: has the reconfiguration under way end in time, and goes on. */
    void settles() {
        if (!isActive) {
            return;
        }
        isResting = true;
        if (!cluster.world().runUntil(this::isSettled, END_NANOS)) {
            cluster.violation("a reconfiguration does not end within 30 s of the mending: " + states() + "\n"
                    + cluster.describe());
        }
        isResting = false;
    }

    /** Begins nothing more, and has what is under way end. */
    void calm() {
        settles();
        isResting = true;
    }

    private String states() {
        StringBuilder states = new StringBuilder();
        for (SimulatedNode node : cluster.nodes()) {
            states.append(node.process())
                    .append(node.hasBegun() ? " " + node.reconfiguration().status() : " is down")
                    .append("; ");
        }
        return states.toString();
    }

    private boolean isSettled() {
        for (SimulatedNode node : cluster.nodes()) {
            if (!node.hasBegun()) {
                return false;
            }
            ReconfigurationStatus status = node.reconfiguration().status();
            boolean isOver = switch (status.state()) {
                case NONE, DONE, CANCELLED -> true;
                case RUNNING, PAUSED -> false;
            };
            if (!isOver || !status.moved().current().isEmpty() || hasStaged(node)) {
                return false;
            }
            note(node);
        }
        return true;
    }

    private boolean hasStaged(SimulatedNode node) {
        for (int partition = 0; partition < cluster.scenario().partitions(); partition++) {
            PartitionReplica replica = node.database().copies().of(new PartitionId(partition));
            if (replica.leads()
                    && !replica.runtime().storage().moves().stagings().isEmpty()) {
                return true;
            }
        }
        return false;
    }
}
