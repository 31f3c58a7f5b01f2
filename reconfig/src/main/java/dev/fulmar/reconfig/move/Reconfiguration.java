package dev.fulmar.reconfig.move;

import dev.fulmar.coordinator.routing.PartitionPlans;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.reconfig.peer.MoveFigures;
import dev.fulmar.reconfig.peer.Outlook;
import dev.fulmar.reconfig.peer.Peers;
import dev.fulmar.reconfig.peer.RangeReport;
import dev.fulmar.reconfig.plan.PlanDifference;
import dev.fulmar.reconfig.plan.RangeMove;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A node's part in reconfigurations. It changes their state in the catalog, and moves buckets away from partitions that
 * the node leads until the catalog's plan is its target. Thread-safe.
 */
public final class Reconfiguration {
    /** Between two looks at the catalog while a reconfiguration runs. */
    private static final long LOOK_NANOS = 50_000_000;

    private static final long IDLE_LOOK_NANOS = 200_000_000;

    /** Looks after which staged buckets are swept, and figures told, again. */
    private static final int LOOKS_A_SWEEP = 20;

    /** Time that nodes have to say that they can move keys. */
    private static final long FORMS_NANOS = 3_000_000_000L;

    /** Longer than nodes take to link again. */
    private static final long LINKED_AGAIN_NANOS = 2_000_000_000L;

    private static final long VISIBLE_NANOS = 5_000_000;
    private static final int MOST_VISIBLE_LOOKS = 1_000;

    /** Plans that the beginning is tried from. Each but the first has counted since the one before was read. */
    private static final int MOST_BASES = 100;

    private final MovePorts ports;
    private final PartitionPlans plans;
    private final IntPredicate leads;
    private final Peers peers;
    private final Stagings stagings;
    private final RandomSource random;
    private final Consumer<String> report;
    private final Pace pace;
    private final SourceMoves moves;
    private final Difference difference = new Difference();
    private final RangeReports reports = new RangeReports();

    /** Of the move under way here, which other nodes are told again and again; null before the first. */
    private @Nullable RangeReport latest;

    private long looks;
    private boolean isPausing;
    private volatile boolean isStopped;

    public Reconfiguration(ReconfigurationEnvironment environment) {
        plans = environment.plans();
        leads = environment.leads();
        random = environment.random();
        report = environment.report();
        Clock clock = environment.clock();
        pace = new Pace(environment.calls(), clock);
        stagings = new Stagings(environment.log(), clock, pace::staged, report);
        peers = new Peers(environment.links(), stagings, plans, clock, this::reported);
        ports = new MovePorts(
                environment.log(),
                environment.guards(),
                peers,
                environment.scheduler(),
                clock,
                pace,
                new SerialTasks());
        moves = new SourceMoves(ports, random.split("moves"), this::hindered, this::moved, this::followSoon);
        plans.prepareHandOffsWith(this::prepare);
    }

    private void prepare(HandOff handOff, Consumer<@Nullable FulmarException> ready) {
        ports.run(() -> moves.prepare(handOff, ready));
    }

    /** Begins to follow the catalog. Once, when the node leads partitions or is about to. */
    public void begin() {
        peers.begin();
        ports.run(this::look);
    }

    /** Follows the catalog no more. */
    public void stop() {
        isStopped = true;
    }

    /** Ranges that still change their partition, in the order of positions; none if no reconfiguration is under way. */
    public List<RangeMove> rangesLeft() {
        PlanTarget target = plans.target();
        return target == null || target.state() == PlanTarget.State.DONE
                ? List.of()
                : difference.between(plans.newest(), target);
    }

    /** All ranges of the newest reconfiguration: those that are left in the order of positions, and then the others. */
    public List<RangeProgress> ranges() {
        PlanTarget target = plans.target();
        return target == null
                ? List.of()
                : reports.all(target, rangesLeft(), ports.clock().monotonicNanos());
    }

    /** Another node tells how far a move is. */
    private void reported(RangeReport told) {
        ports.run(() -> reports.take(told, ports.clock().monotonicNanos()));
    }

    /** A move of this node goes on. */
    private void moved(RangeReport now) {
        RangeReport before = latest;
        boolean isNews = before == null || before.move() != now.move() || before.state() != now.state();
        latest = now;
        reports.take(now, ports.clock().monotonicNanos());
        if (isNews) {
            tell(now);
        }
    }

    /** Nodes of earlier builds take part in a reconfiguration that one of them has begun. */
    private void tell(RangeReport now) {
        PlanTarget target = plans.target();
        if (target != null
                && target.number() == now.reconfiguration()
                && !target.pace().isEarly()) {
            peers.show(now);
        }
    }

    /** State of the newest reconfiguration, as the catalog has it on this node. */
    public ReconfigurationStatus status() {
        PlanTarget target = plans.target();
        MoveFigures figures = target == null ? MoveFigures.begun(0).with(Outlook.NOTHING) : figures(target);
        String message = target == null ? "" : target.message();
        String reason = figures.reasonToWait();
        if (target != null) {
            for (MoveFigures other : peers.figures(target.number())) {
                figures = figures.and(other);
                reason = reason.isEmpty() ? other.reasonToWait() : reason;
            }
        }
        return new ReconfigurationStatus(
                ReconfigurationStatus.State.of(target),
                rangesLeft().size(),
                figures,
                message.isEmpty() ? reason : message);
    }

    /** Figures of this node, with what calls on it need. */
    private MoveFigures figures(PlanTarget target) {
        MoveFigures figures = moves.figures(target.number());
        return target.state() == PlanTarget.State.RUNNING
                ? figures.with(figures.outlook().pausing(pace.delayNanos()))
                : figures.with(Outlook.NOTHING);
    }

    /**
     * Begins to move keys until the wanted plan is reached. That is made from the plan that counts at the beginning, so
     * keys that it does not name stay where they are then.
     *
     * @param wanted makes the plan from the present one. It is asked again if a hand-off has counted meanwhile; a
     *     {@link FulmarException} of it is the answer
     * @return the status after the beginning. Fails with {@link ErrorCode#SERVER_BUSY} while another reconfiguration is
     *     under way, and with {@link ErrorCode#INVALID_CONFIGURATION} for a plan that cannot follow the present one.
     *     The latter also where a node of an earlier build takes part
     */
    public CompletableFuture<ReconfigurationStatus> start(UnaryOperator<PartitionPlan> wanted, MovePace wantedPace) {
        CompletableFuture<ReconfigurationStatus> answer = new CompletableFuture<>();
        ports.run(() -> {
            try {
                made(wanted, plans.newest());
            } catch (FulmarException refused) {
                answer.completeExceptionally(refused);
                return;
            }
            askForms(refusal -> {
                if (refusal != null) {
                    answer.completeExceptionally(refusal);
                } else {
                    start(wanted, wantedPace, MOST_BASES, answer);
                }
            });
        });
        return answer;
    }

    /** The wanted plan; fails if it cannot follow the base. */
    private static PartitionPlan made(UnaryOperator<PartitionPlan> wanted, PartitionPlan base) {
        PartitionPlan made = wanted.apply(base);
        PlanDifference.between(base, made);
        return made;
    }

    private void start(
            UnaryOperator<PartitionPlan> wanted,
            MovePace wantedPace,
            int basesLeft,
            CompletableFuture<ReconfigurationStatus> answer) {
        PartitionPlan base = plans.newest();
        PlanTarget begun;
        try {
            begun = new PlanTarget(random.nextLong(), PlanTarget.State.RUNNING, made(wanted, base), wantedPace, "");
        } catch (FulmarException refused) {
            answer.completeExceptionally(refused);
            return;
        }
        retarget(
                new TargetChange.Begin(begun, OptionalLong.of(base.fingerprint())),
                target -> target.number() == begun.number(),
                answer,
                failure -> {
                    Runnable refuses = () -> answer.completeExceptionally(failure);
                    if (failure.code() == ErrorCode.TRANSACTION_RESTART && basesLeft > 1) {
                        Runnable again = () -> start(wanted, wantedPace, basesLeft - 1, answer);
                        awaitOther(base, MOST_VISIBLE_LOOKS, again, refuses);
                    } else {
                        refuses.run();
                    }
                });
    }

    /** The plan that counts at the node that changes the catalog is here a little later. */
    private void awaitOther(PartitionPlan base, int looksLeft, Runnable there, Runnable never) {
        if (!plans.newest().equals(base)) {
            there.run();
        } else if (looksLeft == 0 || isStopped) {
            never.run();
        } else {
            ports.runLater(VISIBLE_NANOS, () -> awaitOther(base, looksLeft - 1, there, never));
        }
    }

    /**
     * A node of an earlier build would end its links at the first message of a move, in the midst of it. A node that
     * just stops breaks its link as well. It is not there a little later, and one of an earlier build does it again.
     */
    private void askForms(Consumer<@Nullable FulmarException> told) {
        askFormsOnce(refusal -> {
            if (refusal != null
                    && refusal.getCause() instanceof FulmarException broken
                    && broken.code() == ErrorCode.NODE_LOST) {
                ports.runLater(LINKED_AGAIN_NANOS, () -> askFormsOnce(told));
            } else {
                told.accept(refusal);
            }
        });
    }

    private void askFormsOnce(Consumer<@Nullable FulmarException> told) {
        AtomicBoolean isTold = new AtomicBoolean();
        Consumer<@Nullable FulmarException> once = refusal -> {
            if (!isTold.getAndSet(true)) {
                told.accept(refusal);
            }
        };
        peers.askForms(refusal -> ports.run(() -> once.accept(refusal)));
        ports.runLater(
                FORMS_NANOS,
                () -> once.accept(new FulmarException(
                        ErrorCode.NOT_CONNECTED,
                        "not all nodes have said that they can move keys; nothing was changed, start again")));
    }

    /** Undoes the buckets that move, and moves no other before {@link #resume}. */
    public CompletableFuture<ReconfigurationStatus> pause() {
        return become(PlanTarget.State.PAUSED);
    }

    /** Goes on after a pause. */
    public CompletableFuture<ReconfigurationStatus> resume() {
        return become(PlanTarget.State.RUNNING);
    }

    /** Undoes the buckets that move, and ends. Buckets that were handed over stay where they are. */
    public CompletableFuture<ReconfigurationStatus> cancel() {
        return become(PlanTarget.State.CANCELLED);
    }

    private CompletableFuture<ReconfigurationStatus> become(PlanTarget.State state) {
        CompletableFuture<ReconfigurationStatus> answer = new CompletableFuture<>();
        ports.run(() -> {
            PlanTarget target = plans.target();
            if (target == null) {
                answer.completeExceptionally(new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION, "there has been no reconfiguration; start one with a plan"));
            } else {
                retarget(
                        new TargetChange.Become(target.number(), state, ""),
                        next -> next.number() != target.number() || next.state() != target.state(),
                        answer,
                        answer::completeExceptionally);
            }
        });
        return answer;
    }

    private void retarget(
            TargetChange change,
            Predicate<PlanTarget> isVisible,
            CompletableFuture<ReconfigurationStatus> answer,
            Consumer<FulmarException> refused) {
        peers.retarget(
                change,
                failure -> ports.run(() -> {
                    if (failure == null) {
                        awaitVisible(isVisible, MOST_VISIBLE_LOOKS, answer);
                    } else {
                        refused.accept(failure);
                    }
                }));
    }

    /** The node that changes the catalog uses its next version a little earlier than the others. */
    private void awaitVisible(
            Predicate<PlanTarget> isVisible, int looksLeft, CompletableFuture<ReconfigurationStatus> answer) {
        PlanTarget target = plans.target();
        if (target != null && isVisible.test(target)) {
            ReconfigurationStatus status = status();
            report.accept("the reconfiguration is " + status.state());
            answer.complete(status);
            follow();
        } else if (looksLeft == 0 || isStopped) { // the status here would be that of before
            answer.completeExceptionally(new FulmarException(
                    ErrorCode.TIMEOUT,
                    "the change of the reconfiguration is made, but this node does not have it yet; look at the"
                            + " status"));
        } else {
            ports.runLater(VISIBLE_NANOS, () -> awaitVisible(isVisible, looksLeft - 1, answer));
        }
    }

    private void look() {
        if (isStopped) {
            return;
        }
        PlanTarget target = plans.target();
        stagings.refuseWithoutSpace();
        long wantedNanos = pace.delayNanos();
        follow();
        if (target != null && pace.delayNanos() != wantedNanos) {
            peers.show(figures(target)); // sources elsewhere should know at once
        }
        if (target != null && looks++ % LOOKS_A_SWEEP == 0) {
            for (int partition = 0; partition < target.plan().partitionCount(); partition++) {
                if (leads.test(partition)) {
                    stagings.sweep(new PartitionId(partition));
                }
            }
            stagings.forgetOld();
            peers.endOld();
            peers.show(figures(target));
            RangeReport now = latest;
            if (now != null && now.isUnderWay()) {
                moved(now);
                tell(now);
            }
        }
        boolean isRunning = target != null && target.state() == PlanTarget.State.RUNNING;
        ports.runLater(isRunning ? LOOK_NANOS : IDLE_LOOK_NANOS, this::look);
    }

    private void followSoon() {
        ports.run(this::follow);
    }

    /** Begins the next move if there is one to begin, and gives up the one under way if it must not go on. */
    private void follow() {
        PlanTarget target = plans.target();
        if (target != null) {
            pace.follow(target);
            if (!reports.knows(target.number())) {
                reports.begin(target.number(), rangesLeft());
            }
        }
        if (target == null || target.state() != PlanTarget.State.RUNNING) {
            moves.giveUp(new FulmarException(
                    ErrorCode.CANCELLED, "the reconfiguration is " + ReconfigurationStatus.State.of(target)));
            return;
        }
        moves.giveUpOther(target);
        moves.watch();
        if (moves.mayBegin() && pace.mayMove() && !isStopped) {
            List<Integer> sources = difference.between(plans.newest(), target).stream()
                    .map(RangeMove::source)
                    .distinct()
                    .filter(leads::test)
                    .toList();
            if (sources.isEmpty()) {
                moves.none(target);
            } else {
                moves.begin(target, sources);
            }
        }
    }

    /**
     * A move cannot succeed as it is: the reconfiguration waits until an operator resumes it. The pause is a change of
     * the catalog, which cannot be made where the catalog's disk is full. Until it is made, figures tell the reason.
     */
    private void hindered(PlanTarget target, String reason) {
        if (isPausing) {
            return; // the answer may take long, and one pause is enough
        }
        isPausing = true;
        report.accept("the reconfiguration cannot go on: " + reason);
        peers.show(figures(target));
        peers.retarget(
                new TargetChange.Become(target.number(), PlanTarget.State.PAUSED, reason),
                failure -> ports.run(() -> {
                    isPausing = false;
                    if (failure != null) {
                        report.accept("the reconfiguration is not paused yet: " + failure.getMessage());
                    }
                }));
    }

    /** The ranges that change their partition from the newest plan to the target; counted once for each pair. */
    private static final class Difference {
        private volatile Counted counted = new Counted(null, 0, List.of());

        /** @param plan compared as an object, for a version that comes to nothing may be given again */
        private record Counted(@Nullable PartitionPlan plan, long target, List<RangeMove> moves) {}

        List<RangeMove> between(PartitionPlan plan, PlanTarget target) {
            Counted known = counted;
            if (!plan.equals(known.plan) || known.target != target.number()) {
                known = new Counted(plan, target.number(), PlanDifference.between(plan, target.plan()));
                counted = known;
            }
            return known.moves;
        }
    }
}
