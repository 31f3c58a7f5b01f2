package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.reconfig.peer.RangeReport;
import dev.fulmar.reconfig.peer.RangeState;
import dev.fulmar.reconfig.plan.RangeMove;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** States of ranges: the catalog says which ones are done, and sources how far the others are. */
class RangeReportsTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long NUMBER = 5;
    private static final PlanTarget TARGET = target(PlanTarget.State.RUNNING);

    /** Two ranges, and a hash, change their partition. */
    private static final List<RangeMove> BEGUN =
            List.of(move(10, 19, 0, 1), move(20, 29, 0, 2), new RangeMove(new KeyRange(KeySpace.HASH, 7, 7), 1, 0));

    private final RangeReports reports = new RangeReports();

    private static PlanTarget target(PlanTarget.State state) {
        return new PlanTarget(NUMBER, state, PartitionPlan.ranges(0, 100, 200), MovePace.DEFAULT, "");
    }

    private static KeyRange range(long first, long last) {
        return new KeyRange(KeySpace.INTEGER, first, last);
    }

    private static RangeMove move(long first, long last, int from, int to) {
        return new RangeMove(range(first, last), from, to);
    }

    private static RangeReport begun(long move, int from, int to, KeyRange... ranges) {
        return RangeReport.begun(NUMBER, move, from, to, List.of(ranges));
    }

    private List<String> shown(List<RangeMove> left) {
        return shown(TARGET, left, 0);
    }

    private List<String> shown(PlanTarget target, List<RangeMove> left, long nanos) {
        return reports.all(target, left, nanos).stream()
                .map(one -> {
                    RangeReport report = one.report();
                    return one.range() + " " + one.state() + (report == null ? "" : " " + report.rows());
                })
                .toList();
    }

    @Test
    void allRangesWaitAtFirst() {
        reports.begin(NUMBER, BEGUN);
        assertThat(shown(BEGUN))
                .containsExactly("[10-20) 0 -> 1 WAITING", "[20-30) 0 -> 2 WAITING", BEGUN.get(2) + " WAITING");
    }

    /** A large range moves in parts. */
    @Test
    void aPartOfARangeHasAStateOfItsOwn() {
        reports.begin(NUMBER, BEGUN);
        RangeReport part = begun(1, 0, 1, range(13, 15)).sent(100, 4);
        reports.take(part, 0);
        assertThat(shown(BEGUN))
                .startsWith(
                        "[10-13) 0 -> 1 WAITING",
                        "[13-16) 0 -> 1 COPYING 4",
                        "[16-20) 0 -> 1 WAITING",
                        "[20-30) 0 -> 2 WAITING");
        reports.take(part.in(RangeState.HANDING_OVER), 0);
        assertThat(shown(BEGUN)).contains("[13-16) 0 -> 1 HANDING_OVER 4");
        reports.take(part.done(5, 1_000), 0);
        assertThat(shown(BEGUN)).as("the plan is about to come").contains("[13-16) 0 -> 1 HANDING_OVER 5");
        List<RangeMove> left = List.of(move(10, 12, 0, 1), move(16, 19, 0, 1), BEGUN.get(1), BEGUN.get(2));
        assertThat(shown(left))
                .containsExactly(
                        "[10-13) 0 -> 1 WAITING",
                        "[16-20) 0 -> 1 WAITING",
                        "[20-30) 0 -> 2 WAITING",
                        BEGUN.get(2) + " WAITING",
                        "[13-16) 0 -> 1 DONE 5");
    }

    /** Its source ended before it told. */
    @Test
    void aRangeIsDoneThoughNoOneHasSaidSo() {
        reports.begin(NUMBER, BEGUN);
        assertThat(shown(BEGUN.subList(1, 3)))
                .containsExactly("[20-30) 0 -> 2 WAITING", BEGUN.get(2) + " WAITING", "[10-20) 0 -> 1 DONE");
        assertThat(shown(target(PlanTarget.State.DONE), List.of(), 0))
                .hasSize(3)
                .allMatch(one -> one.contains("DONE"));
    }

    @Test
    void anUndoneRangeIsTriedAgain() {
        reports.begin(NUMBER, BEGUN);
        reports.take(begun(1, 0, 1, range(10, 19)).in(RangeState.UNDONE), 0);
        assertThat(shown(BEGUN)).contains("[10-20) 0 -> 1 UNDONE 0", "[20-30) 0 -> 2 WAITING");
        reports.take(begun(2, 0, 1, range(10, 14)), 0);
        assertThat(shown(BEGUN)).contains("[10-15) 0 -> 1 COPYING 0", "[15-20) 0 -> 1 WAITING");
        assertThat(shown(target(PlanTarget.State.CANCELLED), BEGUN, 6 * SECOND_NANOS))
                .containsExactly("[10-20) 0 -> 1 UNDONE", "[20-30) 0 -> 2 UNDONE", BEGUN.get(2) + " UNDONE");
    }

    /** Its node has ended. */
    @Test
    void aSourceThatIsHeardOfNoMoreMovesNothing() {
        reports.begin(NUMBER, BEGUN);
        reports.take(begun(1, 0, 1, range(10, 19)), 0);
        assertThat(shown(TARGET, BEGUN, 4 * SECOND_NANOS)).contains("[10-20) 0 -> 1 COPYING 0");
        assertThat(shown(TARGET, BEGUN, 5 * SECOND_NANOS)).contains("[10-20) 0 -> 1 WAITING");
    }

    /** Other nodes may see a reconfiguration first; and what they told of the one before may be late. */
    @Test
    void eachReconfigurationHasReportsOfItsOwn() {
        reports.begin(4, List.of());
        reports.take(begun(1, 0, 1, range(10, 19)).done(3, 1), 0);
        reports.begin(NUMBER, BEGUN.subList(1, 3));
        assertThat(shown(BEGUN.subList(1, 3))).contains("[10-20) 0 -> 1 DONE 3");
        reports.take(RangeReport.begun(4, 9, 0, 2, List.of(range(20, 29))), 0);
        assertThat(shown(BEGUN.subList(1, 3))).contains("[20-30) 0 -> 2 WAITING");
    }

    @Test
    void rangesThatMoveTogetherShareTheirFigures() {
        KeyRange[] keys = LongStream.range(0, 500)
                .mapToObj(key -> range(2 * key, 2 * key))
                .toArray(KeyRange[]::new);
        List<RangeMove> all =
                List.of(keys).stream().map(key -> new RangeMove(key, 0, 1)).toList();
        reports.begin(NUMBER, all);
        reports.take(begun(1, 0, 1, keys).sent(10, 600), 0);
        assertThat(shown(all)).hasSize(500).allMatch(one -> one.endsWith(" 0 -> 1 COPYING 600"));
    }
}
