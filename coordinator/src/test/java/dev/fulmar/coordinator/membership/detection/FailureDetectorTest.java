package dev.fulmar.coordinator.membership.detection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FailureDetectorTest {
    private static final NodeId FIRST = new NodeId(1);
    private static final NodeId SECOND = new NodeId(2);
    private static final UUID CLUSTER = new UUID(1, 2);
    private static final long INTERVAL = 100;
    private static final long PATIENCE = 1_000;
    private static final long BROKEN_PATIENCE = 200;
    private static final DetectionSettings SETTINGS = new DetectionSettings(INTERVAL, PATIENCE, BROKEN_PATIENCE);

    private final FailureDetector first = new FailureDetector(SETTINGS, CLUSTER, 5);
    private final FailureDetector second = new FailureDetector(SETTINGS, CLUSTER, 8);
    private final List<FailureDetector.Change> firstSees = new ArrayList<>();
    private final List<FailureDetector.Change> secondSees = new ArrayList<>();
    private boolean firstReachesSecond = true;
    private boolean secondReachesFirst = true;
    private long nowNanos = -77;

    FailureDetectorTest() {
        first.watch(SECOND, 8);
        second.watch(FIRST, 5);
        note(first, firstSees);
        note(second, secondSees);
        assertThat(firstSees).containsExactly(new FailureDetector.Change(SECOND, 8, false));
        firstSees.clear();
        secondSees.clear();
    }

    private static void note(FailureDetector detector, List<FailureDetector.Change> changes) {
        FailureDetector.Change change = detector.nextChange();
        while (change != null) {
            changes.add(change);
            change = detector.nextChange();
        }
    }

    /** Both tick once per interval; heartbeats arrive at once. */
    private void pass(long nanos) {
        for (long end = nowNanos + nanos; nowNanos < end; ) {
            nowNanos += INTERVAL;
            List<FailureDetector.Outgoing> fromFirst = first.tick(nowNanos);
            List<FailureDetector.Outgoing> fromSecond = second.tick(nowNanos);
            if (firstReachesSecond) {
                fromFirst.forEach(outgoing -> second.received(FIRST, outgoing.heartbeat()));
            }
            if (secondReachesFirst) {
                fromSecond.forEach(outgoing -> first.received(SECOND, outgoing.heartbeat()));
            }
            note(first, firstSees);
            note(second, secondSees);
        }
    }

    @Test
    void whoAnswersIsTrusted() {
        pass(100 * PATIENCE);
        assertThat(firstSees).isEmpty();
        assertThat(secondSees).isEmpty();
        assertThat(first.isSuspected(SECOND)).isFalse();
    }

    @Test
    void whoIsSilentIsSuspectedAfterThePatienceAndTrustedWhenItAnswersAgain() {
        pass(PATIENCE);
        secondReachesFirst = false;
        pass(PATIENCE - INTERVAL);
        assertThat(firstSees).isEmpty();
        pass(3 * INTERVAL);
        assertThat(firstSees).containsExactly(new FailureDetector.Change(SECOND, 8, true));
        assertThat(first.isSuspected(SECOND)).isTrue();
        secondReachesFirst = true;
        pass(3 * INTERVAL);
        assertThat(firstSees).endsWith(new FailureDetector.Change(SECOND, 8, false));
        assertThat(first.isSuspected(SECOND)).isFalse();
    }

    @Test
    void aLinkThatWorksOneWayIsBrokenForBothEnds() {
        pass(PATIENCE);
        firstReachesSecond = false;
        pass(2 * PATIENCE);
        assertThat(secondSees).containsExactly(new FailureDetector.Change(FIRST, 5, true));
        assertThat(firstSees)
                .as("it hears heartbeats, but none that has heard it lately")
                .containsExactly(new FailureDetector.Change(SECOND, 8, true));
    }

    @Test
    void whoNeverAnsweredIsSuspectedToo() {
        secondReachesFirst = false;
        pass(PATIENCE + 3 * INTERVAL);
        assertThat(first.isSuspected(SECOND)).isTrue();
    }

    @Test
    void anOwnPauseSuspectsNobody() {
        pass(PATIENCE);
        nowNanos += 60 * PATIENCE;
        pass(3 * PATIENCE);
        assertThat(firstSees).isEmpty();
        assertThat(secondSees).isEmpty();
    }

    @Test
    void whoIsAboutToEndSaysSoAndIsTrustedAsLongAsItAnswers() {
        pass(PATIENCE);
        second.leave();
        pass(3 * INTERVAL);
        assertThat(firstSees).containsExactly(new FailureDetector.Change(SECOND, 8, false, true));
        secondReachesFirst = false;
        pass(2 * PATIENCE);
        secondReachesFirst = true;
        pass(3 * INTERVAL);
        assertThat(firstSees)
                .endsWith(
                        new FailureDetector.Change(SECOND, 8, true, true),
                        new FailureDetector.Change(SECOND, 8, false, true));
        first.watch(SECOND, 9);
        note(first, firstSees);
        assertThat(firstSees).as("the next process stays").endsWith(new FailureDetector.Change(SECOND, 9, false));
    }

    @Test
    void aBrokenConnectionShortensThePatience() {
        pass(PATIENCE);
        secondReachesFirst = false;
        first.connectionBroke(SECOND);
        pass(INTERVAL);
        assertThat(firstSees).isEmpty();
        pass(2 * INTERVAL);
        assertThat(firstSees).containsExactly(new FailureDetector.Change(SECOND, 8, true));
    }

    @Test
    void aBrokenConnectionIsForgivenIfTheNodeAnswersOnTheNext() {
        pass(PATIENCE);
        first.connectionBroke(SECOND);
        pass(2 * PATIENCE);
        assertThat(firstSees).isEmpty();
    }

    @Test
    void whatWasHeardBeforeTheConnectionBrokeIsNoProof() {
        pass(PATIENCE);
        Heartbeat before = second.tick(nowNanos).getFirst().heartbeat();
        secondReachesFirst = false;
        pass(INTERVAL);
        first.connectionBroke(SECOND);
        first.received(SECOND, before);
        pass(3 * INTERVAL);
        assertThat(firstSees).containsExactly(new FailureDetector.Change(SECOND, 8, true));
    }

    @Test
    void aYoungerProcessProvesTheEndOfTheOlder() {
        pass(PATIENCE);
        FailureDetector younger = new FailureDetector(SETTINGS, CLUSTER, 9);
        younger.watch(FIRST, 5);
        first.received(SECOND, younger.tick(nowNanos).getFirst().heartbeat());
        note(first, firstSees);
        assertThat(firstSees).containsExactly(new FailureDetector.Change(SECOND, 8, true));
        first.received(SECOND, second.tick(nowNanos).getFirst().heartbeat());
        note(first, firstSees);
        assertThat(firstSees).as("the older is not listened to any more").hasSize(1);
        first.watch(SECOND, 9);
        note(first, firstSees);
        assertThat(firstSees).endsWith(new FailureDetector.Change(SECOND, 9, false));
    }

    @Test
    void anEchoMeantForAnEarlierProcessIsNoProof() {
        secondReachesFirst = false;
        for (int i = 0; i < 15; i++) {
            pass(INTERVAL);
            first.received(SECOND, new Heartbeat(CLUSTER, 8, nowNanos, 4, 1 + i * INTERVAL, false));
        }
        note(first, firstSees);
        assertThat(firstSees).containsExactly(new FailureDetector.Change(SECOND, 8, true));
    }

    @Test
    void otherClustersAreNotListenedTo() {
        secondReachesFirst = false;
        for (int i = 0; i < 15; i++) {
            pass(INTERVAL);
            first.received(SECOND, new Heartbeat(new UUID(1, 3), 8, nowNanos, 5, 1 + i * INTERVAL, false));
        }
        assertThat(first.isSuspected(SECOND)).isTrue();
    }

    @Test
    void aForgottenNodeIsNeitherToldNorSuspected() {
        first.forget(SECOND);
        assertThat(first.tick(nowNanos)).isEmpty();
        pass(2 * PATIENCE);
        assertThat(first.isSuspected(SECOND)).isFalse();
        assertThat(firstSees).isEmpty();
    }

    @Test
    void heartbeatsAsBytes() {
        for (boolean leaves : new boolean[] {false, true}) {
            Heartbeat heartbeat = new Heartbeat(CLUSTER, 3, 4, 5, 6, leaves);
            ByteBuffer buffer = ByteBuffer.allocate(Heartbeat.BYTES);
            heartbeat.write(buffer);
            assertThat(buffer.get(0)).as("version").isEqualTo((byte) (leaves ? 2 : 1));
            assertThat(Heartbeat.read(buffer.flip())).isEqualTo(heartbeat);
        }
        assertThatThrownBy(() -> Heartbeat.read(ByteBuffer.allocate(Heartbeat.BYTES)))
                .isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> Heartbeat.read(ByteBuffer.allocate(3))).isInstanceOf(FulmarException.class);
    }
}
