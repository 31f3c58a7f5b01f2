package dev.fulmar.coordinator.advisory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.advisory.LockQueues.Next;
import org.junit.jupiter.api.Test;

class LockQueuesTest {
    private static final AdvisoryKey KEY = new AdvisoryKey(false, 7);
    private static final LockAnswer LATE = new LockAnswer.Busy();

    private final LockQueues queues = new LockQueues(10, 40);

    private static LockClaim claim(String holder, long patienceNanos) {
        return new LockClaim(new LockWish(holder, KEY, false, false, patienceNanos), answer -> {}, 1);
    }

    @Test
    void theFirstTriesAndTheNextOneFollowsIt() {
        LockClaim first = claim("1_A", 5);
        LockClaim second = claim("1_B", 5);
        assertThat(queues.enter(first)).isTrue();
        assertThat(queues.enter(second)).isFalse();

        assertThat(queues.beginTry(first)).isTrue();
        assertThat(queues.beginTry(first)).as("one try at a time").isFalse();
        assertThat(queues.leave(first)).isSameAs(second);
        assertThat(queues.leave(second)).isNull();
        assertThat(queues.awaited()).isEmpty();
    }

    @Test
    void oneThatDoesNotWaitTriesAtOnceAndStandsInNobodysWay() {
        LockClaim waiting = claim("1_A", 5);
        queues.enter(waiting);
        LockClaim trying = claim("1_B", 0);

        assertThat(queues.enter(trying)).isTrue();
        assertThat(queues.beginTry(trying)).isTrue();
        assertThat(queues.endTry(trying, LATE)).isEqualTo(new Next.End(LATE));
        assertThat(queues.leave(trying)).isNull();
        assertThat(queues.awaited()).containsExactly(KEY);
    }

    /** Those that wait may wait for the lock that it shares. */
    @Test
    void oneThatSharesTheLockGoesAheadOfThoseThatWait() {
        LockClaim waiting = claim("1_A", 5);
        queues.enter(waiting);
        queues.beginTry(waiting);
        LockClaim sharing = new LockClaim(new LockWish("1_B", KEY, false, true, 5), answer -> {}, 1);

        assertThat(queues.enter(sharing)).isTrue();
        assertThat(queues.beginTry(sharing)).isTrue();
        assertThat(queues.endTry(waiting, null)).isEqualTo(new Next.Pause(10));
        assertThat(queues.wake(KEY)).as("it is under way").isNull();
        assertThat(queues.leave(sharing)).isSameAs(waiting);
        assertThat(queues.leave(waiting)).isNull();
    }

    @Test
    void pausesGetLongerUpToALimit() {
        LockClaim claim = claim("1_A", 5);
        queues.enter(claim);
        for (long pauseNanos : new long[] {10, 20, 40, 40}) {
            assertThat(queues.beginTry(claim)).isTrue();
            assertThat(queues.endTry(claim, null)).isEqualTo(new Next.Pause(pauseNanos));
        }
    }

    /** Its statement may not have seen a lock that was given back meanwhile. */
    @Test
    void aClaimThatWasWokenInItsTryTriesAtOnce() {
        LockClaim claim = claim("1_A", 5);
        queues.enter(claim);
        assertThat(queues.wake(KEY)).isSameAs(claim);

        queues.beginTry(claim);
        assertThat(queues.wake(KEY)).isNull();
        assertThat(queues.endTry(claim, null)).isEqualTo(new Next.Pause(0));
        queues.beginTry(claim);
        assertThat(queues.endTry(claim, null)).isEqualTo(new Next.Pause(10));
    }

    @Test
    void aClaimThatGivesUpInItsTryEndsWithIt() {
        LockClaim claim = claim("1_A", 5);
        queues.enter(claim);
        queues.beginTry(claim);

        assertThat(queues.giveUp(claim, LATE)).isFalse();
        assertThat(queues.endTry(claim, null)).isEqualTo(new Next.End(LATE));
        queues.leave(claim);
        assertThat(queues.beginTry(claim)).isFalse();
        assertThat(queues.show(claim)).isFalse();
    }

    @Test
    void aClaimThatGivesUpBetweenItsTriesEndsAtOnceAndOnce() {
        LockClaim claim = claim("1_A", 5);
        queues.enter(claim);

        assertThat(queues.giveUp(claim, LATE)).isTrue();
        assertThat(queues.giveUp(claim, LATE)).isFalse();
        assertThat(queues.beginTry(claim)).as("a timer that runs meanwhile").isFalse();
    }

    @Test
    void oneThatLeavesFromTheMiddleLetsNobodyTry() {
        LockClaim first = claim("1_A", 5);
        LockClaim second = claim("1_B", 5);
        LockClaim third = claim("1_C", 5);
        queues.enter(first);
        queues.enter(second);
        queues.enter(third);

        assertThat(queues.leave(second)).isNull();
        assertThat(queues.leave(first)).isSameAs(third);
    }
}
