package dev.fulmar.reconfig.move;

import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.table.BucketTransfer;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.ErrorCode.Category;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.reconfig.peer.MoveFigures;
import dev.fulmar.reconfig.peer.Outlook;
import dev.fulmar.reconfig.peer.RangeReport;
import dev.fulmar.reconfig.peer.RangeState;
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
    private final Consumer<RangeReport> reports;
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
     * @param reports told how far a move is
     * @param ended told whenever another move may begin
     */
    SourceMoves(
            MovePorts ports,
            RandomSource random,
            BiConsumer<PlanTarget, String> hindered,
            Consumer<RangeReport> reports,
            Runnable ended) {
        this.ports = ports;
        this.random = random;
        this.hindered = hindered;
        this.reports = reports;
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
            case BucketChoice.Separate separate -> divide(target, source, separate, progress);
            case BucketChoice.Move chosen -> {
                boolean isLarge = counts.rowsOf(chosen.bucket()) > target.pace().chunkBytes();
                if (isLarge && warmed.merge(chosen.to(), 1, Integer::sum) <= TIMES_FEW) {
                    takeFew(target, source, chosen, progress);
                } else {
                    moveInParts(target, source, chosen, progress);
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
                                            target,
                                            source,
                                            new BucketChoice.Separate(whole.bucket(), List.of(range)),
                                            progress),
                                    () -> moveInParts(target, source, whole, progress)));
                        },
                        ports.toldBy(progress::undone));
    }

    /**
     * Moves the bucket, or halves it if it is so large that it moves in parts, each by a hand-off of its own. The bound
     * comes from its rows, and halves are halved again. A bucket whose rows all have one key moves as a whole; so does
     * one for whose copies this node has no memory.
     */
    private void moveInParts(PlanTarget target, PartitionId source, BucketChoice.Move whole, Progress progress) {
        ports.log()
                .inspect(
                        source,
                        data -> {
                            BucketTransfer buckets = data.buckets();
                            long bytes = buckets.usedBytes(whole.bucket());
                            boolean isCut = target.pace().isTooLarge(bytes, buckets.memoryBytes())
                                    && bytes <= buckets.freeBytes(); // else clients would lack what the copy takes
                            List<KeyRange> upper =
                                    isCut ? buckets.upperHalf(whole.bucket(), whole.ranges()) : List.of();
                            ports.run(() -> halve(target, source, whole, upper, progress));
                        },
                        ports.toldBy(progress::undone));
    }

    private void halve(
            PlanTarget target, PartitionId source, BucketChoice.Move whole, List<KeyRange> upper, Progress progress) {
        if (upper.isEmpty()) {
            move(target, source, whole, progress);
            return;
        }
        divide(target, source, new BucketChoice.Separate(whole.bucket(), upper), true, failure -> {
            if (failure.code() == ErrorCode.MEMORY_LIMIT) {
                division = null;
                move(target, source, whole, progress);
            } else {
                progress.undone(failure);
            }
        });
    }

    private void move(PlanTarget target, PartitionId source, BucketChoice.Move chosen, Progress progress) {
        long number = random.nextLong();
        BucketMove begun = new BucketMove(ports, target, number, source, chosen, outcomes, progress);
        move = begun;
        progress.begins(number, chosen);
        figures = figures.at(begun.toString(), chosen.ranges().size());
        begun.begin();
    }

    private void divide(PlanTarget target, PartitionId source, BucketChoice.Separate choice, Progress progress) {
        divide(target, source, choice, false, progress::undone);
    }

    private void divide(
            PlanTarget target,
            PartitionId source,
            BucketChoice.Separate choice,
            boolean isOptional,
            Consumer<FulmarException> failed) {
        figures = figures.at("cutting bucket " + choice.bucket() + " of partition " + source, 0);
        BucketDivision begun = new BucketDivision(
                ports,
                target.pace(),
                source,
                choice,
                isOptional,
                failure -> failure.ifPresentOrElse(failed, this::end));
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

        /** Of a move; null before, and for a cut. */
        private @Nullable RangeReport report;

        Progress(PlanTarget target, PartitionId source) {
            this.target = target;
            this.source = source;
        }

        void begins(long number, BucketChoice.Move chosen) {
            destination = chosen.to();
            tell(RangeReport.begun(target.number(), number, source.number(), destination, chosen.ranges()));
        }

        private void tell(RangeReport next) {
            report = next;
            reports.accept(next);
        }

        private void becomes(RangeState state) {
            RangeReport known = report;
            if (known != null) {
                tell(known.in(state));
            }
        }

        @Override
        public void announced() {
            becomes(RangeState.HANDING_OVER);
        }

        @Override
        public void sent(int bytes, long rows) {
            stagedRows = rows;
            reasonToWait = "";
            figures = figures.sent(bytes);
            look();
            RangeReport known = report;
            if (known != null) {
                tell(known.sent(bytes, rows));
            }
        }

        @Override
        public void refused(int times) {
            figures = figures.refused(String.valueOf(move), times);
            becomes(RangeState.COPYING);
        }

        @Override
        public void handedOver(long rows, long pauseNanos) {
            figures = figures.handedOver(rows, pauseNanos);
            RangeReport known = report;
            if (known != null) {
                tell(known.done(rows, pauseNanos));
            }
            stagedRows = 0;
            aside.succeeded(destination);
            remaining.handedOver(source.number(), rows);
            look();
            end();
        }

        @Override
        public void undone(FulmarException cause) {
            becomes(RangeState.UNDONE);
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
