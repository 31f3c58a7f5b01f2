package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.reconfig.move.MoveBench.Announced;
import dev.fulmar.reconfig.peer.DestinationStep;
import dev.fulmar.reconfig.step.MoveStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each row of the table of a move's states, late and repeated words, and a cancel in each state. */
class BucketMoveTest {
    private static final long MOVE = 77;
    private static final long RETRY_NANOS = 20_000_000;
    private static final long FREEZE_NANOS = 100_000_000;
    private static final long PREPARATION_NANOS = 2_000_000_000;

    /** States that a test brings a move into. */
    private enum State {
        STAGING,
        COPYING,
        ANNOUNCED,
        FROZEN,
        HANDING_OVER
    }

    private final MoveBench bench = new MoveBench();
    private final List<String> told = new ArrayList<>();
    private final List<@Nullable ErrorCode> ready = new ArrayList<>();
    private final BucketMove move = new BucketMove(
            bench.ports,
            MoveBench.target(MoveBench.PLAN),
            MOVE,
            MoveBench.SOURCE,
            new BucketChoice.Move(0, 1, MoveBench.PLAN.bucketsOf(0, 2).bounds().rangesOf(0)),
            new SentOutcomes(),
            new Listener());

    @AfterEach
    void close() {
        bench.close();
    }

    private final class Listener implements MoveListener {
        @Override
        public void sent(int bytes, long stagedRows) {
            assertThat(told).as("nothing is sent after the end").isEmpty();
        }

        @Override
        public void announced() {}

        @Override
        public void refused(int times) {}

        @Override
        public void handedOver(long rows, long pauseNanos) {
            told.add("handed over " + rows);
        }

        @Override
        public void undone(FulmarException cause) {
            told.add("undone " + cause.code());
        }
    }

    private <T extends DestinationStep> void done(Class<T> step, long rows) {
        MoveBench.Asked next = bench.asked.remove();
        assertThat(next.step()).isInstanceOf(step);
        next.answer().done(rows);
    }

    private void fails(Class<? extends DestinationStep> step, ErrorCode code) {
        MoveBench.Asked next = bench.asked.remove();
        assertThat(next.step()).isInstanceOf(step);
        next.answer().failed(MoveBench.failure(code));
    }

    private void prepare(HandOff handOff) {
        move.prepare(handOff, why -> ready.add(why == null ? null : why.code()));
    }

    /** Brings the move into the state; the hand-off that was announced, if it was. */
    private @Nullable Announced reach(State state) {
        move.begin();
        if (state == State.STAGING) {
            return null;
        }
        done(DestinationStep.Stage.class, 0);
        if (state == State.COPYING) {
            return null;
        }
        done(DestinationStep.Take.class, 3);
        Announced announced = bench.announced.remove();
        if (state == State.ANNOUNCED) {
            return announced;
        }
        prepare(announced.handOff());
        if (state == State.HANDING_OVER) {
            done(DestinationStep.Take.class, 4);
        }
        return announced;
    }

    private void end(Announced announced, @Nullable ErrorCode code) {
        announced.ended().accept(code == null ? null : MoveBench.failure(code));
    }

    private void assertUndone(ErrorCode code) {
        assertThat(bench.guard).as("no call waits").isNull();
        assertThat(told).isEmpty();
        done(DestinationStep.Drop.class, 0);
        assertThat(told).containsExactly("undone " + code);
        assertThat(bench.storage.moves().extraction(MOVE)).isNull();
        bench.pass(10 * PREPARATION_NANOS);
        assertThat(bench.asked).isEmpty();
        assertThat(bench.announced).isEmpty();
        assertThat(told).hasSize(1);
    }

    @Test
    void aMoveGoesFromStateToState() {
        move.begin();
        assertThat(bench.asked).singleElement().matches(asked -> asked.step() instanceof DestinationStep.Stage);
        done(DestinationStep.Stage.class, 0);
        assertThat(bench.announced).as("rows come first").isEmpty();
        bench.outcomes.add(new byte[] {1});
        done(DestinationStep.Take.class, 3);
        assertThat(bench.announced).as("outcomes come first").isEmpty();
        done(DestinationStep.Remember.class, 0);
        Announced announced = bench.announced.remove();
        assertThat(announced.handOff().chunks()).isEqualTo(2);
        assertThat(announced.handOff().commits()).isEqualTo(HandOff.NOTED);
        assertThat(bench.guard).as("no call waits yet").isNull();

        bench.outcomes.add(new byte[] {2});
        prepare(announced.handOff());
        assertThat(bench.guard).isNotNull();
        assertThat(ready).isEmpty();
        done(DestinationStep.Take.class, 4);
        assertThat(ready).as("the last outcomes are not there").isEmpty();
        done(DestinationStep.Remember.class, 0);
        assertThat(ready).containsOnlyNulls().hasSize(1);
        assertThat(bench.guard).as("calls wait until the end").isNotNull();

        end(announced, null);
        assertThat(bench.guard).isNull();
        assertThat(told).containsExactly("handed over 4");
        assertThat(bench.logged)
                .as("a record brings the copies on")
                .singleElement()
                .isInstanceOf(MoveStep.Drop.class);
        bench.pass(10 * PREPARATION_NANOS);
        assertThat(bench.asked).isEmpty();
        assertThat(ready).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"ANNOUNCED", "FROZEN"})
    void aHandOffThatCameTooEarlyIsTriedAgainAfterCopying(State state) {
        Announced announced = Objects.requireNonNull(reach(state));
        end(announced, ErrorCode.SERVER_BUSY);
        if (state == State.FROZEN) {
            assertThat(bench.guard).as("the last rows are on their way").isNotNull();
            done(DestinationStep.Take.class, 4);
            assertThat(ready).containsExactly(ErrorCode.SERVER_BUSY);
        }
        assertThat(bench.guard).isNull();
        assertThat(bench.asked).isEmpty();
        bench.pass(RETRY_NANOS);
        done(DestinationStep.Take.class, 5);
        Announced again = bench.announced.remove();
        assertThat(again.handOff().chunks())
                .isEqualTo(announced.handOff().chunks() + (state == State.FROZEN ? 1 : 0) + 1);
        prepare(again.handOff());
        done(DestinationStep.Take.class, 6);
        end(again, null);
        assertThat(told).containsExactly("handed over 6");
    }

    /** Transactions that were under way have ended meanwhile: it is announced again at once. */
    @Test
    void aHandOffThatCameTooEarlyIsAnnouncedAgainWhileCallsWait() {
        Announced announced = Objects.requireNonNull(reach(State.HANDING_OVER));
        Object guard = Objects.requireNonNull(bench.guard);
        end(announced, ErrorCode.SERVER_BUSY);
        Announced again = bench.announced.remove();
        assertThat(bench.guard).isSameAs(guard);
        prepare(announced.handOff());
        assertThat(ready).as("the former one is refused").containsExactly(null, ErrorCode.SERVER_BUSY);
        prepare(again.handOff());
        assertThat(bench.guard).isSameAs(guard);
        done(DestinationStep.Take.class, 5);
        end(again, null);
        assertThat(told).containsExactly("handed over 5");
    }

    @Test
    void callsWaitForAShortTimeOnlyAndLongerTheNextTime() {
        Announced announced = Objects.requireNonNull(reach(State.HANDING_OVER));
        bench.pass(FREEZE_NANOS);
        assertThat(bench.guard).isNull();
        end(announced, ErrorCode.SERVER_BUSY);
        assertThat(bench.announced).as("it copies before").isEmpty();
        bench.pass(RETRY_NANOS);
        done(DestinationStep.Take.class, 5);
        prepare(bench.announced.remove().handOff());
        bench.pass(FREEZE_NANOS + 1);
        assertThat(bench.guard).isNotNull();
        bench.pass(FREEZE_NANOS);
        assertThat(bench.guard).isNull();
        assertThat(told).isEmpty();
    }

    @Test
    void aFailureBeforeAnythingIsStagedEndsTheMove() {
        reach(State.STAGING);
        fails(DestinationStep.Stage.class, ErrorCode.MEMORY_LIMIT);
        assertUndone(ErrorCode.MEMORY_LIMIT);
    }

    @Test
    void aFailedChunkEndsTheMove() {
        reach(State.COPYING);
        fails(DestinationStep.Take.class, ErrorCode.TRANSACTION_RESTART);
        assertUndone(ErrorCode.TRANSACTION_RESTART);
    }

    @ParameterizedTest
    @EnumSource(names = {"ANNOUNCED", "FROZEN", "HANDING_OVER"})
    void aHandOffThatFailsForGoodEndsTheMove(State state) {
        Announced announced = Objects.requireNonNull(reach(state));
        end(announced, ErrorCode.CANCELLED);
        if (state == State.FROZEN) {
            done(DestinationStep.Take.class, 4);
            assertThat(ready).containsExactly(ErrorCode.CANCELLED);
        }
        assertUndone(ErrorCode.CANCELLED);
    }

    @Test
    void aSourceThatLeadsNoMoreEndsTheMove() {
        reach(State.STAGING);
        bench.refusal = MoveBench.failure(ErrorCode.WRONG_NODE);
        done(DestinationStep.Stage.class, 0);
        bench.refusal = null;
        assertUndone(ErrorCode.WRONG_NODE);
    }

    /** The staged bucket is dropped later, by its partition. */
    @Test
    void aDestinationThatIsNotReachedEndsTheMoveAllTheSame() {
        reach(State.COPYING);
        fails(DestinationStep.Take.class, ErrorCode.NODE_LOST);
        fails(DestinationStep.Drop.class, ErrorCode.NOT_CONNECTED);
        assertThat(told).containsExactly("undone NODE_LOST");
    }

    /** A cancel in each state; only one that comes after the source's word lets the hand-off count. */
    @ParameterizedTest
    @EnumSource
    void aMoveIsGivenUpUnlessItIsHandedOver(State state) {
        Announced announced = reach(state);
        move.giveUp(MoveBench.failure(ErrorCode.CANCELLED));
        switch (state) {
            case STAGING -> {
                done(DestinationStep.Stage.class, 0);
                assertUndone(ErrorCode.CANCELLED);
            }
            case COPYING -> {
                done(DestinationStep.Take.class, 3);
                assertUndone(ErrorCode.CANCELLED);
            }
            case ANNOUNCED -> {
                prepare(Objects.requireNonNull(announced).handOff());
                assertThat(ready).containsExactly(ErrorCode.CANCELLED);
                end(announced, ErrorCode.CANCELLED);
                assertUndone(ErrorCode.CANCELLED);
            }
            case FROZEN -> {
                done(DestinationStep.Take.class, 4);
                assertThat(ready).containsExactly(ErrorCode.CANCELLED);
                end(Objects.requireNonNull(announced), ErrorCode.CANCELLED);
                assertUndone(ErrorCode.CANCELLED);
            }
            case HANDING_OVER -> {
                assertThat(bench.asked).isEmpty();
                end(Objects.requireNonNull(announced), null);
                assertThat(told).containsExactly("handed over 4");
            }
        }
    }

    @Test
    void aBusyDestinationGetsTheChunkAgain() {
        reach(State.COPYING);
        DestinationStep.Take first =
                (DestinationStep.Take) bench.asked.getFirst().step();
        fails(DestinationStep.Take.class, ErrorCode.SERVER_BUSY);
        assertThat(bench.asked).isEmpty();
        bench.pass(RETRY_NANOS);
        assertThat(((DestinationStep.Take) bench.asked.getFirst().step()).rows())
                .isSameAs(first.rows());
        done(DestinationStep.Take.class, 3);
        assertThat(bench.announced.remove().handOff().chunks()).isEqualTo(2);
    }

    @Test
    void aMoveThatIsGivenUpSendsABusyDestinationNothingMore() {
        reach(State.COPYING);
        fails(DestinationStep.Take.class, ErrorCode.SERVER_BUSY);
        move.giveUp(MoveBench.failure(ErrorCode.CANCELLED));
        bench.pass(RETRY_NANOS);
        assertUndone(ErrorCode.CANCELLED);
    }

    /** The outcomes failed, and the move is undone; the last chunk's answer changes nothing. */
    @Test
    void aLateAnswerChangesNothing() {
        Announced announced = Objects.requireNonNull(reach(State.ANNOUNCED));
        bench.outcomes.add(new byte[] {1});
        prepare(announced.handOff());
        MoveBench.Asked late = bench.asked.remove();
        assertThat(late.step()).isInstanceOf(DestinationStep.Take.class);
        fails(DestinationStep.Remember.class, ErrorCode.NODE_LOST);
        assertThat(ready).containsExactly(ErrorCode.NODE_LOST);
        late.answer().done(9);
        end(announced, ErrorCode.NODE_LOST);
        assertUndone(ErrorCode.NODE_LOST);
        assertThat(ready).hasSize(1);
    }

    @Test
    void aHandOffThatIsPreparedAgainIsRefused() {
        Announced announced = Objects.requireNonNull(reach(State.FROZEN));
        prepare(announced.handOff());
        assertThat(ready).containsExactly(ErrorCode.SERVER_BUSY);
        assertThat(bench.asked).as("one last chunk").hasSize(1);
        done(DestinationStep.Take.class, 4);
        assertThat(ready).containsExactly(ErrorCode.SERVER_BUSY, null);
    }

    @Test
    void aHandOffOfAnotherMoveIsRefused() {
        HandOff handOff = Objects.requireNonNull(reach(State.ANNOUNCED)).handOff();
        prepare(new HandOff(MOVE + 1, 0, 1, 0, handOff.chunks(), HandOff.NOTED, handOff.ranges()));
        prepare(new HandOff(MOVE, 0, 1, 0, handOff.chunks() + 1, HandOff.NOTED, handOff.ranges()));
        assertThat(ready).containsExactly(ErrorCode.SERVER_BUSY, ErrorCode.SERVER_BUSY);
        assertThat(bench.guard).isNull();
        assertThat(bench.asked).isEmpty();
    }

    /** All changes of the catalog wait for the hand-off, but not for a destination that says nothing. */
    @Test
    void aDestinationThatTakesTooLongEndsTheHandOffAndNotTheMove() {
        Announced announced = Objects.requireNonNull(reach(State.FROZEN));
        bench.pass(PREPARATION_NANOS);
        assertThat(ready).containsExactly(ErrorCode.SERVER_BUSY);
        end(announced, ErrorCode.SERVER_BUSY);
        done(DestinationStep.Take.class, 4);
        assertThat(ready).hasSize(1);
        bench.pass(RETRY_NANOS);
        done(DestinationStep.Take.class, 5);
        assertThat(bench.announced).hasSize(1);
    }

    /** Many rows may have changed while outcomes were sent for long. */
    @Test
    void rowsAreCopiedAgainAfterOutcomesThatTookLong() {
        reach(State.COPYING);
        bench.outcomes.add(new byte[] {1});
        done(DestinationStep.Take.class, 3);
        bench.stall(RETRY_NANOS + 1);
        done(DestinationStep.Remember.class, 0);
        assertThat(bench.announced).isEmpty();
        done(DestinationStep.Take.class, 4);
        assertThat(bench.announced).hasSize(1);
    }

    @Test
    void aMoveIsNotTriedForEver() {
        Announced announced = Objects.requireNonNull(reach(State.ANNOUNCED));
        int attempts = 1;
        for (end(announced, ErrorCode.SERVER_BUSY); told.isEmpty() && attempts < 1_000; attempts++) {
            bench.pass(RETRY_NANOS);
            if (bench.asked.getFirst().step() instanceof DestinationStep.Drop) {
                break;
            }
            done(DestinationStep.Take.class, 3);
            end(bench.announced.remove(), ErrorCode.SERVER_BUSY);
        }
        assertThat(attempts).isEqualTo(100);
        assertUndone(ErrorCode.SERVER_BUSY);
    }

    /** The source has said that it must not count. */
    @Test
    void aHandOffThatCountsThoughItWasRefusedIsADefect() {
        Announced announced = Objects.requireNonNull(reach(State.FROZEN));
        move.giveUp(MoveBench.failure(ErrorCode.CANCELLED));
        done(DestinationStep.Take.class, 4);
        assertThatThrownBy(() -> end(announced, null)).hasMessageContaining("does not count");
    }
}
