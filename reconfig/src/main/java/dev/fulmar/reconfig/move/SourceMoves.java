package dev.fulmar.reconfig.move;

import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.ErrorCode.Category;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.reconfig.peer.MoveFigures;
import dev.fulmar.reconfig.peer.Outlook;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The move that is under way from a partition of this node: a choice, then a cut or the move of a bucket. There is one
 * at a time. Its methods run as tasks, but for {@link #figures}.
 */
final class SourceMoves {
    private static final long RETRY_NANOS = 100_000_000;

    /** After a failure that no retry mends by itself. */
    private static final long LONG_RETRY_NANOS = 1_000_000_000;

    /**
     * How many times few rows go to a partition before the first large bucket does. A JVM compiles code well after some
     * thousand calls, and a pause is as long as the rows are many.
     */
    private static final int TIMES_FEW = 4;

    private final MovePorts ports;
    private final RandomSource random;
    private final BiConsumer<PlanTarget, String> hindered;
    private final Runnable ended;

    /** By partition: how many times few rows were chosen for it. */
    private final TreeMap<Integer, Integer> warmed = new TreeMap<>();

    private final SetAside aside = new SetAside();
    private final SentOutcomes outcomes = new SentOutcomes();
    private volatile MoveFigures figures = MoveFigures.begun(0);

    /** Why no move can succeed at the moment, or nothing. */
    private volatile String reasonToWait = "";

    private @Nullable BucketMove move;
    private @Nullable BucketDivision division;
    private boolean isBusy;
    private long begunFor;
    private long notBeforeNanos;
    private RemainingTime remaining = new RemainingTime(0);
    private long stagedRows;
    private long countedFor;

    /**
     * @param hindered told of a failure that no retry mends by itself
     * @param ended told whenever another move may begin
     */
    SourceMoves(MovePorts ports, RandomSource random, BiConsumer<PlanTarget, String> hindered, Runnable ended) {
        this.ports = ports;
        this.random = random;
        this.hindered = hindered;
        this.ended = ended;
        notBeforeNanos = ports.clock().monotonicNanos();
    }

    /** Figures of the reconfiguration with the number. For any thread. */
    MoveFigures figures(long reconfiguration) {
        MoveFigures known = figures;
        String reason = reasonToWait;
        if (known.reconfiguration() != reconfiguration) {
            return MoveFigures.begun(reconfiguration);
        }
        return reason.isEmpty() ? known : known.waiting(reason);
    }

    /** Whether nothing is under way, and no failure was met just now. */
    boolean mayBegin() {
        return !isBusy && ports.clock().monotonicNanos() - notBeforeNanos >= 0;
    }

    /** Undoes what is under way, unless it is being handed over. */
    void giveUp(FulmarException why) {
        countedFor = 0; // a pause is no part of the time that moves take
        aside.clear();
        reasonToWait = "";
        BucketMove moving = move;
        if (moving != null) {
            moving.giveUp(why);
        }
        BucketDivision cutting = division;
        if (cutting != null) {
            cutting.giveUp(why);
        }
    }

    /** Looks whether the move under way waits in vain; often. */
    void watch() {
        BucketMove moving = move;
        if (moving != null) {
            moving.watch();
        }
        BucketDivision cutting = division;
        if (cutting != null) {
            cutting.watch();
        }
    }

    /** The hand-off is about to lock partitions: its move sends what is left. */
    void prepare(HandOff handOff, Consumer<@Nullable FulmarException> ready) {
        BucketMove moving = move;
        if (moving == null) {
            ready.accept(new FulmarException(
                    ErrorCode.SERVER_BUSY,
                    "move " + handOff.move() + " is not under way at the node that leads its source; try again"));
        } else {
            moving.prepare(handOff, ready);
        }
    }

    /** Undoes what is under way for another reconfiguration than that of the target. */
    void giveUpOther(PlanTarget target) {
        if (isBusy && begunFor != target.number()) {
            giveUp(new FulmarException(ErrorCode.CANCELLED, "another reconfiguration has begun"));
        }
    }

    /** This node has nothing to move for the target. */
    void none(PlanTarget target) {
        countedFor = 0;
        reasonToWait = "";
        figures = figures(target.number()).with(Outlook.NOTHING);
    }

    /**
     * Moves a bucket that has keys which are to leave the first of the partitions, or cuts one.
     *
     * @param sources partitions of this node from which keys are to leave
     */
    void begin(PlanTarget target, List<Integer> sources) {
        isBusy = true;
        if (begunFor != target.number()) {
            begunFor = target.number();
            reasonToWait = "";
            aside.clear();
            figures = MoveFigures.begun(begunFor);
        }
        if (countedFor != target.number()) {
            remaining = new RemainingTime(ports.clock().monotonicNanos());
            countedFor = target.number();
        }
        remaining.keepOnly(sources);
        sources.stream().filter(source -> !remaining.knows(source)).forEach(source -> count(target, source));
        choose(target, sources);
    }

    /** Chooses at the first of the partitions, or, if all destinations of its keys are set aside, at the next one. */
    private void choose(PlanTarget target, List<Integer> sources) {
        PartitionId source = new PartitionId(sources.getFirst());
        List<Integer> others = sources.subList(1, sources.size());
        Progress progress = new Progress(target, source);
        ports.log()
                .inspect(
                        source,
                        data -> {
                            BucketCounts counts = BucketCounts.of(data, source.number());
                            ports.runLater(0, () -> choose(target, source, others, counts, progress));
                        },
                        ports.toldBy(progress::undone));
    }

    private void count(PlanTarget target, int source) {
        RemainingTime counting = remaining;
        ports.log()
                .inspect(
                        new PartitionId(source),
                        data -> {
                            BucketCounts counts = BucketCounts.of(data, source);
                            ports.runLater(0, () -> counting.counted(source, counts.leaving(target.plan(), source)));
                        },
                        elsewhere -> {});
    }

    /** Not on the thread of the partition, which may have many buckets. */
    private void choose(
            PlanTarget target, PartitionId source, List<Integer> others, BucketCounts counts, Progress progress) {
        BucketChoice choice = BucketChoice.of(
                        counts,
                        target.plan(),
                        source.number(),
                        aside.at(ports.clock().monotonicNanos()))
                .orElse(null);
        look();
        switch (choice) {
            case BucketChoice.Separate separate -> divide(source, separate, progress);
            case BucketChoice.Move chosen -> {
                boolean isLarge = counts.rowsOf(chosen.bucket()) > target.pace().chunkBytes();
                if (isLarge && warmed.merge(chosen.to(), 1, Integer::sum) <= TIMES_FEW) {
                    takeFew(target, source, chosen, progress);
                } else {
                    move(target, source, chosen, progress);
                }
            }
            case null -> { // its destinations are set aside, or the plan has changed since
                if (others.isEmpty()) {
                    notBeforeNanos = ports.clock().monotonicNanos() + RETRY_NANOS;
                    end();
                } else {
                    choose(target, others);
                }
            }
        }
    }

    /**
     * Few rows of the bucket are to move before it. A node that has executed no calls on such rows answers few a second
     * at first, for its code is not compiled yet; few rows have few calls.
     */
    private void takeFew(PlanTarget target, PartitionId source, BucketChoice.Move whole, Progress progress) {
        ports.log()
                .inspect(
                        source,
                        data -> {
                            Optional<KeyRange> few = data.buckets().few(whole.bucket(), whole.ranges());
                            ports.run(() -> few.ifPresentOrElse(
                                    range -> divide(
                                            source,
                                            new BucketChoice.Separate(whole.bucket(), List.of(range)),
                                            progress),
                                    () -> move(target, source, whole, progress)));
                        },
                        ports.toldBy(progress::undone));
    }

    private void move(PlanTarget target, PartitionId source, BucketChoice.Move chosen, Progress progress) {
        BucketMove begun = new BucketMove(ports, target, random.nextLong(), source, chosen, outcomes, progress);
        move = begun;
        progress.movesTo(chosen.to());
        figures = figures.at(begun.toString(), chosen.ranges().size());
        begun.begin();
    }

    private void divide(PartitionId source, BucketChoice.Separate choice, Progress progress) {
        figures = figures.at("cutting bucket " + choice.bucket() + " of partition " + source, 0);
        BucketDivision begun = new BucketDivision(
                ports, source, choice, failure -> failure.ifPresentOrElse(progress::undone, this::end));
        division = begun;
        begun.begin();
    }

    private void look() {
        figures = figures.with(remaining.outlook(stagedRows, ports.clock().monotonicNanos()));
    }

    private void end() {
        stagedRows = 0;
        move = null;
        division = null;
        isBusy = false;
        figures = figures.at("", 0);
        ended.run();
    }

    /** The results of a choice, a cut or a move. */
    private final class Progress implements MoveListener {
        private final PlanTarget target;
        private final PartitionId source;

        /** The destination of a move; negative before, and for a cut. */
        private int destination = -1;

        Progress(PlanTarget target, PartitionId source) {
            this.target = target;
            this.source = source;
        }

        void movesTo(int partition) {
            destination = partition;
        }

        @Override
        public void sent(int bytes, long rows) {
            stagedRows = rows;
            reasonToWait = "";
            figures = figures.sent(bytes);
            look();
        }

        @Override
        public void refused(int times) {
            figures = figures.refused(String.valueOf(move), times);
        }

        @Override
        public void handedOver(long rows, long pauseNanos) {
            figures = figures.handedOver(rows, pauseNanos);
            stagedRows = 0;
            aside.succeeded(destination);
            remaining.handedOver(source.number(), rows);
            look();
            end();
        }

        @Override
        public void undone(FulmarException cause) {
            Category category = cause.code().category();
            boolean isUnknown = switch (cause.code()) {
                case NODE_LOST, NODE_BROKEN, OUTCOME_UNKNOWN, TIMEOUT, STORAGE_FAILURE -> true;
                default -> false;
            };
            if (cause.code() != ErrorCode.CANCELLED) {
                boolean passes = category == Category.RETRYABLE || isUnknown;
                long now = ports.clock().monotonicNanos();
                if (destination >= 0) {
                    boolean isSilent = cause.code() == ErrorCode.TIMEOUT;
                    aside.failed(destination, isSilent ? BucketMove.ANSWER_NANOS : 0, now);
                }
                boolean isOther = passes && destination >= 0; // another destination may be well
                notBeforeNanos = now + (isOther ? 0 : passes ? RETRY_NANOS : LONG_RETRY_NANOS);
                if (!passes) {
                    BucketMove failed = move;
                    reasonToWait = (failed == null ? "" : failed + ": ") + cause.getMessage();
                    hindered.accept(target, reasonToWait);
                }
            }
            end();
        }
    }
}
