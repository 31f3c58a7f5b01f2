package dev.fulmar.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.partitioning.PlanTarget.State;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The states of a reconfiguration in the catalog, and which hand-offs each of them lets count. */
class CatalogPlanTest {
    private static final PartitionPlan PLAN = PartitionPlan.ranges(0, 100, 200);
    private static final KeyRange TENS = new KeyRange(KeySpace.INTEGER, 10, 19);
    private static final KeyRange FIFTIES = new KeyRange(KeySpace.INTEGER, 50, 59);
    private static final PartitionPlan TARGET = PLAN.with(TENS, 1).with(FIFTIES, 2);

    /** As logs of 2026-11-29 have it. */
    private static final long FINGERPRINT = 7_668_126_984_484_512_135L;

    private static TargetChange begin(long number, PartitionPlan plan) {
        return begin(number, plan, OptionalLong.empty());
    }

    private static TargetChange begin(long number, PartitionPlan plan, OptionalLong base) {
        return new TargetChange.Begin(
                new PlanTarget(number, State.RUNNING, plan, new MovePace(1_000, 0, MovePace.UNLIMITED), ""), base);
    }

    private static Catalog begun() {
        return Catalog.empty().withTarget(begin(1, TARGET), Optional.of(PLAN));
    }

    private static Catalog become(Catalog catalog, State state) {
        return catalog.withTarget(new TargetChange.Become(1, state, "why"), Optional.empty());
    }

    private static HandOff handOff(int from, int to, KeyRange range) {
        return new HandOff(9, from, to, 3, 1, 0, List.of(range));
    }

    private static State stateOf(Catalog catalog) {
        return Objects.requireNonNull(catalog.target()).state();
    }

    private static PartitionPlan planOf(Catalog catalog) {
        return Objects.requireNonNull(catalog.plan());
    }

    private static void refused(ErrorCode code, ThrowingCallable change) {
        assertThatThrownBy(change)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void itIsDoneWithTheLastHandOff() {
        Catalog first = begun().withHandOffs(List.of(handOff(0, 1, TENS)));
        assertThat(stateOf(first)).isEqualTo(State.RUNNING);
        assertThat(planOf(first).partitionOf(12)).isEqualTo(1);
        assertThat(planOf(first).version()).isEqualTo(first.version());
        Catalog last = first.withHandOffs(List.of(handOff(0, 2, FIFTIES)));
        assertThat(stateOf(last)).isEqualTo(State.DONE);
        assertThat(last.outcomesMoveSince()).isEqualTo(PartitionPlan.CONFIGURED);
    }

    @Test
    void onlyOneIsUnderWay() {
        Catalog begun = begun();
        refused(ErrorCode.SERVER_BUSY, () -> begun.withTarget(begin(2, TARGET), Optional.empty()));
        refused(
                ErrorCode.SERVER_BUSY,
                () -> become(begun, State.PAUSED).withTarget(begin(2, TARGET), Optional.empty()));
        Catalog next = become(begun, State.CANCELLED).withTarget(begin(2, PLAN), Optional.empty());
        assertThat(stateOf(next)).isEqualTo(State.DONE); // nothing differs
        refused(ErrorCode.INVALID_CONFIGURATION, () -> become(next, State.PAUSED));
    }

    /** A plan from before the last hand-off has its keys at the source still. */
    @Test
    void aTargetIsMadeFromThePresentPlan() {
        OptionalLong base = OptionalLong.of(PLAN.fingerprint());
        Catalog first = Catalog.empty().withTarget(begin(1, PLAN.with(TENS, 1), base), Optional.of(PLAN));
        Catalog done = first.withHandOffs(List.of(handOff(0, 1, TENS)));
        assertThat(stateOf(done)).isEqualTo(State.DONE);
        refused(
                ErrorCode.TRANSACTION_RESTART,
                () -> done.withTarget(begin(2, PLAN.with(FIFTIES, 2), base), Optional.empty()));
        PartitionPlan present = planOf(done);
        Catalog next = done.withTarget(
                begin(2, present.with(FIFTIES, 2), OptionalLong.of(present.fingerprint())), Optional.empty());
        assertThat(stateOf(next)).isEqualTo(State.RUNNING);
    }

    @Test
    void plansWithTheSameOwnersHaveOneFingerprint() {
        assertThat(PLAN.countingFrom(7).fingerprint()).isEqualTo(PLAN.fingerprint());
        assertThat(PLAN.with(TENS, 1).with(TENS, 0).fingerprint()).isEqualTo(PLAN.fingerprint());
        assertThat(PLAN.with(TENS, 1).fingerprint()).isNotEqualTo(PLAN.fingerprint());
        assertThat(PLAN.with(TENS, 2).fingerprint())
                .isNotEqualTo(PLAN.with(TENS, 1).fingerprint());
        assertThat(PartitionPlan.ranges(0, 1_000).fingerprint()).isEqualTo(FINGERPRINT);
    }

    @Test
    void aPlaceForSequencesIsNoKey() {
        PartitionPlan plan = PartitionPlan.hash(2, 2);
        assertThat(plan.partitionsWithKeys()).isEqualTo(2);
        PartitionPlan placed = plan.withHash(7, 2).withHash(9, 3);
        assertThat(placed.partitionsWithKeys()).isEqualTo(2);
        assertThat(placed.withHash(11, 3).partitionsWithKeys()).as("a hot key").isEqualTo(3);
        assertThat(PartitionPlan.ranges(0, 100).partitionsWithKeys()).isEqualTo(2);
    }

    @Test
    void statesFollowEachOtherAsTheirTableSays() {
        Catalog running = begun();
        Catalog paused = become(running, State.PAUSED);
        Catalog cancelled = become(paused, State.CANCELLED);
        assertThat(Objects.requireNonNull(paused.target()).message()).isEqualTo("why");
        assertThat(stateOf(become(paused, State.RUNNING))).isEqualTo(State.RUNNING);
        for (State state : State.values()) {
            refused(ErrorCode.INVALID_CONFIGURATION, () -> become(cancelled, state));
        }
        refused(ErrorCode.INVALID_CONFIGURATION, () -> become(running, State.RUNNING));
        refused(ErrorCode.INVALID_CONFIGURATION, () -> become(running, State.DONE));
        refused(ErrorCode.INVALID_CONFIGURATION, () -> become(paused, State.PAUSED));
    }

    @Test
    void noHandOffCountsWhileItDoesNotRun() {
        List<HandOff> handOffs = List.of(handOff(0, 1, TENS));
        refused(ErrorCode.CANCELLED, () -> become(begun(), State.PAUSED).withHandOffs(handOffs));
        refused(ErrorCode.CANCELLED, () -> become(begun(), State.CANCELLED).withHandOffs(handOffs));
        refused(ErrorCode.INVALID_CONFIGURATION, () -> Catalog.empty().withHandOffs(handOffs));
    }

    @Test
    void aHandOffIsOfKeysThatTheSourceHas() {
        Catalog begun = begun();
        refused(ErrorCode.TRANSACTION_RESTART, () -> begun.withHandOffs(List.of(handOff(1, 0, TENS))));
        refused(ErrorCode.TRANSACTION_RESTART, () -> begun.withHandOffs(List.of(handOff(9, 0, TENS))));
        KeyRange both = new KeyRange(KeySpace.INTEGER, 90, 110);
        refused(ErrorCode.TRANSACTION_RESTART, () -> begun.withHandOffs(List.of(handOff(0, 2, both))));
        refused(ErrorCode.INVALID_CONFIGURATION, () -> begun.withHandOffs(List.of(handOff(0, 3, TENS))));
        refused(ErrorCode.INVALID_CONFIGURATION, () -> begun.withHandOffs(List.of(handOff(0, -1, TENS))));
        refused(ErrorCode.INVALID_CONFIGURATION, () -> begun.withHandOffs(List.of(handOff(0, 0, TENS))));
        HandOff ofNothing = new HandOff(9, 7, 1, 3, 1, 0, List.of());
        refused(ErrorCode.INVALID_CONFIGURATION, () -> begun.withHandOffs(List.of(ofNothing)));
    }

    @Test
    void aPlanThatFitsOtherPartitionsIsRefused() {
        Optional<PartitionPlan> configured = Optional.of(PLAN);
        refused(
                ErrorCode.INVALID_CONFIGURATION,
                () -> Catalog.empty().withTarget(begin(1, PartitionPlan.ranges(0, 100)), configured));
        refused(
                ErrorCode.INVALID_CONFIGURATION,
                () -> Catalog.empty().withTarget(begin(1, PartitionPlan.hash(3)), configured));
        refused(ErrorCode.TRANSACTION_RESTART, () -> Catalog.empty().withTarget(begin(1, TARGET), Optional.empty()));
    }

    /** A restoration for other partitions deals all rows out anew. */
    @Test
    void aTargetForOtherPartitionsGoesWithTheirPlan() {
        assertThat(begun().withPlan(PartitionPlan.ranges(0, 50)).target()).isNull();
        assertThat(begun().withPlan(PartitionPlan.hash(3)).target()).isNull();
        assertThat(stateOf(begun().withPlan(PLAN))).isEqualTo(State.RUNNING);
        Catalog replaced = begun().withPlan(TARGET);
        assertThat(stateOf(replaced)).isEqualTo(State.DONE);
        assertThat(replaced.outcomesMoveSince()).isEqualTo(replaced.version());
    }
}
