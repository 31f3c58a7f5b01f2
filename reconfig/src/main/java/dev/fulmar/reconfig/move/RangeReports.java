package dev.fulmar.reconfig.move;

import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.reconfig.peer.RangeReport;
import dev.fulmar.reconfig.peer.RangeState;
import dev.fulmar.reconfig.plan.RangeMove;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of the newest reconfiguration, by the catalog and by what the sources of moves have told. The catalog
 * decides which ones are done; reports say how far the others are. Tasks change it; any thread reads it.
 *
 * <p>A node that restarts forgets which ranges were done before. Reports of a source that is heard of no more end.
 */
final class RangeReports {
    /** Sources repeat the reports of moves under way each second. */
    private static final long SILENCE_NANOS = 5_000_000_000L;

    /** Of a node that has seen no reconfiguration, or has seen none since a report came. */
    private static final Begun NONE = new Begun(0, 0, List.of());

    private static final Comparator<KeyRange> BY_POSITION =
            Comparator.comparing(KeyRange::space).thenComparingLong(KeyRange::first);

    private final NavigableMap<Long, Held> byMove = new ConcurrentSkipListMap<>();
    private volatile Begun begun = NONE;

    /** @param nanos when it came */
    private record Held(RangeReport report, long nanos) {}

    /**
     * @param former number of the reconfiguration before, whose reports may still come
     * @param all ranges that changed their partition when this node saw the reconfiguration first
     */
    private record Begun(long number, long former, List<RangeMove> all) {}

    /** Whether the reconfiguration is the one that is followed. */
    boolean knows(long reconfiguration) {
        return begun.number == reconfiguration;
    }

    /** This node sees a reconfiguration with these ranges left. */
    void begin(long reconfiguration, List<RangeMove> left) {
        begun = new Begun(reconfiguration, begun.number, left);
        byMove.values().removeIf(held -> held.report.reconfiguration() != reconfiguration);
    }

    /** A source tells how far a move is; also for a reconfiguration that this node is about to see. */
    void take(RangeReport report, long nowNanos) {
        if (report.reconfiguration() == begun.former && !knows(report.reconfiguration())) {
            return;
        }
        if (byMove.put(report.move(), new Held(report, nowNanos)) == null) {
            byMove.values().removeIf(held -> isReplacedBy(held.report, report));
        }
    }

    /** Another attempt has begun. */
    private static boolean isReplacedBy(RangeReport before, RangeReport report) {
        return before.move() != report.move()
                && before.reconfiguration() == report.reconfiguration()
                && before.state() != RangeState.DONE
                && !KeyRange.common(before.ranges(), report.ranges()).isEmpty();
    }

    /**
     * The ranges that are left, in the order of positions, then those that are done.
     *
     * @param left by the catalog
     */
    List<RangeProgress> all(PlanTarget target, List<RangeMove> left, long nowNanos) {
        NavigableMap<KeyRange, RangeReport> reports = new TreeMap<>(BY_POSITION);
        for (Held held : byMove.values()) {
            boolean isFresh = !held.report.isUnderWay() || nowNanos - held.nanos < SILENCE_NANOS;
            if (held.report.reconfiguration() == target.number() && isFresh) {
                held.report.ranges().forEach(range -> reports.put(range, held.report));
            }
        }
        boolean isCancelled = target.state() == PlanTarget.State.CANCELLED;
        List<RangeProgress> all =
                new ArrayList<>(left(byRange(left), reports, isCancelled ? RangeState.UNDONE : RangeState.WAITING));
        all.addAll(done(rangesOf(left), knows(target.number()) ? begun.all : List.of(), reports));
        return List.copyOf(all);
    }

    private static NavigableMap<KeyRange, RangeMove> byRange(List<RangeMove> moves) {
        NavigableMap<KeyRange, RangeMove> byRange = new TreeMap<>(BY_POSITION);
        moves.forEach(move -> byRange.put(move.range(), move));
        return byRange;
    }

    private static List<KeyRange> rangesOf(List<RangeMove> moves) {
        return moves.stream().map(RangeMove::range).toList();
    }

    private static List<RangeProgress> left(
            NavigableMap<KeyRange, RangeMove> left, NavigableMap<KeyRange, RangeReport> reports, RangeState usual) {
        List<KeyRange> ranges = List.copyOf(left.keySet());
        List<KeyRange> reported = List.copyOf(reports.keySet());
        List<RangeProgress> all = new ArrayList<>();
        for (KeyRange part : KeyRange.common(ranges, reported)) {
            RangeMove move = of(part, left);
            RangeReport report = of(part, reports);
            boolean isOfMove = report.from() == move.source() && report.to() == move.destination();
            // A report of the end may come a little before the plan.
            RangeState told = report.state() == RangeState.DONE ? RangeState.HANDING_OVER : report.state();
            all.add(isOfMove ? progress(part, move, told, report) : progress(part, move, usual, null));
        }
        KeyRange.without(ranges, reported).forEach(part -> all.add(progress(part, of(part, left), usual, null)));
        all.sort(Comparator.comparing(one -> one.range().range(), BY_POSITION));
        return all;
    }

    private static List<RangeProgress> done(
            List<KeyRange> left, List<RangeMove> begun, NavigableMap<KeyRange, RangeReport> reports) {
        List<RangeProgress> all = new ArrayList<>();
        List<KeyRange> reported = reports.keySet().stream()
                .filter(range -> of(range, reports).state() == RangeState.DONE)
                .toList();
        for (KeyRange part : KeyRange.without(reported, left)) {
            RangeReport report = of(part, reports);
            RangeMove move = new RangeMove(part, report.from(), report.to());
            all.add(new RangeProgress(move, RangeState.DONE, report));
        }
        NavigableMap<KeyRange, RangeMove> moves = byRange(begun);
        KeyRange.without(KeyRange.without(rangesOf(begun), left), reported)
                .forEach(part -> all.add(progress(part, of(part, moves), RangeState.DONE, null)));
        all.sort(Comparator.comparing(one -> one.range().range(), BY_POSITION));
        return all;
    }

    /** The value of the range that has the part. */
    private static <T> T of(KeyRange part, NavigableMap<KeyRange, T> byRange) {
        return byRange.floorEntry(part).getValue();
    }

    private static RangeProgress progress(
            KeyRange part, RangeMove move, RangeState state, @Nullable RangeReport report) {
        return new RangeProgress(new RangeMove(part, move.source(), move.destination()), state, report);
    }
}
