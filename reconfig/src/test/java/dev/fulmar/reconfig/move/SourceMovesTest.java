package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.reconfig.peer.DestinationStep;
import dev.fulmar.reconfig.peer.RangeReport;
import dev.fulmar.reconfig.peer.RangeState;
import dev.fulmar.reconfig.step.MoveStep;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One move or cut after another, what each end of one means for the next, and a cancel at each moment. */
class SourceMovesTest {
    private static final long RETRY_NANOS = 100_000_000;
    private static final long LONG_RETRY_NANOS = 1_000_000_000;

    private final MoveBench bench = new MoveBench();
    private final List<String> hindrances = new ArrayList<>();
    private final List<RangeReport> reports = new ArrayList<>();
    private int ends;
    private final SourceMoves moves = new SourceMoves(
            bench.ports, new SeededRandom(1), (target, reason) -> hindrances.add(reason), reports::add, () -> ends++);

    /** The first bucket goes to the other partition as a whole. */
    private final List<KeyRange> first = MoveBench.PLAN.bucketsOf(0, 2).bounds().rangesOf(0).stream()
            .flatMap(range -> KeyRange.common(List.of(range), MoveBench.PLAN.rangesOf(0)).stream())
            .toList();

    private final PlanTarget whole = MoveBench.target(MoveBench.PLAN.with(first, 1));

    @AfterEach
    void close() {
        bench.close();
    }

    private void begin(PlanTarget target) {
        moves.begin(target, List.of(0));
        bench.pass(0);
    }

    private MoveBench.Asked next(Class<? extends DestinationStep> step) {
        MoveBench.Asked next = bench.asked.remove();
        assertThat(next.step()).isInstanceOf(step);
        return next;
    }

    /** Until the hand-off is announced. */
    private MoveBench.Announced announced() {
        begin(whole);
        next(DestinationStep.Stage.class).answer().done(0);
        next(DestinationStep.Take.class).answer().done(2);
        return bench.announced.remove();
    }

    private void fail(ErrorCode code) {
        begin(whole);
        next(DestinationStep.Stage.class).answer().failed(MoveBench.failure(code));
        next(DestinationStep.Drop.class).answer().done(0);
    }

    @Test
    void oneMoveIsUnderWayAtATime() {
        assertThat(moves.mayBegin()).isTrue();
        MoveBench.Announced announced = announced();
        assertThat(moves.mayBegin()).isFalse();
        assertThat(announced.handOff().ranges()).isEqualTo(first);
        List<@Nullable Object> ready = new ArrayList<>();
        moves.prepare(announced.handOff(), ready::add);
        next(DestinationStep.Take.class).answer().done(3);
        assertThat(ready).containsOnlyNulls().hasSize(1);
        announced.ended().accept(null);
        assertThat(ends).isOne();
        assertThat(moves.mayBegin()).isTrue();
        assertThat(moves.figures(whole.number()).bucketsMoved()).isOne();
        assertThat(moves.figures(whole.number()).rowsMoved()).isEqualTo(3);
    }

    private List<RangeState> states() {
        return reports.stream().map(RangeReport::state).distinct().toList();
    }

    @Test
    void aMoveReportsItsStatesAndFigures() {
        bench.fill(20, 100, null);
        MoveBench.Announced announced = announced();
        assertThat(states()).containsExactly(RangeState.COPYING, RangeState.HANDING_OVER);
        moves.prepare(announced.handOff(), why -> assertThat(why).isNull());
        next(DestinationStep.Take.class).answer().done(3);
        bench.stall(RETRY_NANOS);
        announced.ended().accept(null);
        RangeReport last = reports.getLast();
        assertThat(last.state()).isEqualTo(RangeState.DONE);
        assertThat(last.reconfiguration()).isEqualTo(whole.number());
        assertThat(last.move()).isEqualTo(announced.handOff().move());
        assertThat(last.ranges()).isEqualTo(first);
        assertThat(last.rows()).isEqualTo(3);
        assertThat(last.bytes()).isPositive();
        assertThat(last.pauseNanos()).isGreaterThanOrEqualTo(RETRY_NANOS);
    }

    @Test
    void aHandOffThatCameTooEarlyAndAMoveThatIsUndoneAreReported() {
        MoveBench.Announced announced = announced();
        announced.ended().accept(MoveBench.failure(ErrorCode.SERVER_BUSY));
        assertThat(reports.getLast().state()).isEqualTo(RangeState.COPYING);
        moves.giveUp(MoveBench.failure(ErrorCode.CANCELLED));
        next(DestinationStep.Drop.class).answer().done(0);
        assertThat(reports.getLast().state()).isEqualTo(RangeState.UNDONE);
    }

    @Test
    void aBucketOfWhichAPartLeavesIsCutBefore() {
        KeyRange range = first.getFirst();
        KeyRange some = new KeyRange(range.space(), range.first() + 10, range.first() + 19);
        begin(MoveBench.target(MoveBench.PLAN.with(some, 1)));
        assertThat(bench.asked).isEmpty();
        assertThat(ends).isOne();
        assertThat(bench.logged)
                .singleElement()
                .isInstanceOfSatisfying(
                        MoveStep.Separate.class, cut -> assertThat(cut.ranges()).containsExactly(some));
        assertThat(moves.mayBegin()).isTrue();
        begin(MoveBench.target(MoveBench.PLAN.with(some, 1)));
        assertThat(next(DestinationStep.Stage.class)).isNotNull();
    }

    /** The plan has changed since keys were to leave. */
    @Test
    void aPartitionWithNothingToMoveIsLookedAtLater() {
        begin(MoveBench.target(MoveBench.PLAN));
        assertThat(ends).isOne();
        assertThat(moves.mayBegin()).isFalse();
        bench.pass(RETRY_NANOS);
        assertThat(moves.mayBegin()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"TRANSACTION_RESTART", "SERVER_BUSY", "WRONG_NODE", "NOT_CONNECTED", "NODE_LOST", "TIMEOUT"})
    void aFailureThatPassesSetsItsDestinationAside(ErrorCode code) {
        fail(code);
        assertThat(ends).isOne();
        assertThat(hindrances).isEmpty();
        assertThat(moves.mayBegin()).isTrue();
        begin(whole);
        assertThat(bench.asked).isEmpty();
        assertThat(ends).isEqualTo(2);
        bench.pass(code == ErrorCode.TIMEOUT ? BucketMove.ANSWER_NANOS : RETRY_NANOS);
        begin(whole);
        next(DestinationStep.Stage.class);
    }

    /** An operator may have mended what was wrong. */
    @Test
    void aPauseGivesADestinationItsTurnAgain() {
        fail(ErrorCode.TIMEOUT);
        moves.giveUp(MoveBench.failure(ErrorCode.CANCELLED));
        begin(whole);
        next(DestinationStep.Stage.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"MEMORY_LIMIT", "CORRUPTION"})
    void aFailureThatDoesNotPassHindersTheReconfiguration(ErrorCode code) {
        fail(code);
        assertThat(hindrances).singleElement().asString().contains("why");
        bench.pass(RETRY_NANOS);
        assertThat(moves.mayBegin()).isFalse();
        bench.pass(LONG_RETRY_NANOS);
        assertThat(moves.mayBegin()).isTrue();
    }

    @Test
    void aSourceThatLeadsNoMoreEndsTheChoice() {
        bench.refusal = MoveBench.failure(ErrorCode.WRONG_NODE);
        begin(whole);
        assertThat(ends).isOne();
        assertThat(moves.mayBegin()).isFalse();
        bench.pass(RETRY_NANOS);
        assertThat(moves.mayBegin()).isTrue();
    }

    @Test
    void aMoveThatIsGivenUpDelaysNothing() {
        begin(whole);
        moves.giveUp(MoveBench.failure(ErrorCode.CANCELLED));
        next(DestinationStep.Stage.class).answer().done(0);
        next(DestinationStep.Drop.class).answer().done(0);
        assertThat(ends).isOne();
        assertThat(hindrances).isEmpty();
        assertThat(moves.mayBegin()).isTrue();
    }

    @Test
    void nothingUnderWayIsGivenUpWithoutEffect() {
        moves.giveUp(MoveBench.failure(ErrorCode.CANCELLED));
        assertThat(moves.mayBegin()).isTrue();
        assertThat(ends).isZero();
        begin(whole);
        assertThat(next(DestinationStep.Stage.class))
                .as("the next one is not given up")
                .isNotNull();
    }

    @Test
    void aMoveForAnotherReconfigurationIsGivenUp() {
        begin(whole);
        moves.giveUpOther(whole);
        next(DestinationStep.Stage.class).answer().done(0);
        MoveBench.Asked chunk = next(DestinationStep.Take.class);
        PartitionPlan plan = whole.plan();
        moves.giveUpOther(new PlanTarget(whole.number() + 1, PlanTarget.State.RUNNING, plan, whole.pace(), ""));
        chunk.answer().done(2);
        assertThat(next(DestinationStep.Drop.class)).isNotNull();
    }

    /** It was announced, undone, and prepared late; or by a node that led the source before. */
    @Test
    void aHandOffWithoutAMoveIsRefused() {
        HandOff handOff = new HandOff(3, 0, 1, 0, 1, HandOff.NOTED, first);
        List<ErrorCode> refused = new ArrayList<>();
        moves.prepare(handOff, why -> refused.add(why == null ? ErrorCode.INTERNAL : why.code()));
        MoveBench.Announced announced = announced();
        moves.prepare(handOff, why -> refused.add(why == null ? ErrorCode.INTERNAL : why.code()));
        announced.ended().accept(MoveBench.failure(ErrorCode.CANCELLED));
        next(DestinationStep.Drop.class).answer().done(0);
        moves.prepare(announced.handOff(), why -> refused.add(why == null ? ErrorCode.INTERNAL : why.code()));
        assertThat(refused).containsExactly(ErrorCode.SERVER_BUSY, ErrorCode.SERVER_BUSY, ErrorCode.SERVER_BUSY);
    }

    /** The next move has another number, and answers of the one before do not touch it. */
    @Test
    void answersOfAnEndedMoveDoNotTouchTheNext() {
        MoveBench.Announced former = announced();
        former.ended().accept(MoveBench.failure(ErrorCode.CANCELLED));
        next(DestinationStep.Drop.class).answer().done(0);
        MoveBench.Announced present = announced();
        assertThat(present.handOff().move()).isNotEqualTo(former.handOff().move());
        former.ended().accept(MoveBench.failure(ErrorCode.SERVER_BUSY));
        assertThat(ends).isOne();
        assertThat(bench.asked).isEmpty();
        moves.prepare(present.handOff(), why -> assertThat(why).isNull());
        next(DestinationStep.Take.class).answer().done(2);
        present.ended().accept(null);
        assertThat(ends).isEqualTo(2);
    }
}
