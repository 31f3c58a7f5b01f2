package dev.fulmar.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.proto.Welcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A connection tries its preferred node, then each other one at once, and all again after a pause that grows. */
class ReconnectScheduleTest {
    private static final HostAddress FIRST = new HostAddress("a", 1);
    private static final HostAddress SECOND = new HostAddress("b", 2);
    private static final HostAddress HOME = new HostAddress("c", 3);

    private final KnownCluster cluster = new KnownCluster(List.of(FIRST, SECOND, HOME));
    private final ReconnectSchedule schedule = new ReconnectSchedule(HOME, cluster);

    private void beOneCluster() {
        cluster.welcomed(
                Welcome.newBuilder().setCluster(ByteString.copyFromUtf8("one")).build());
    }

    @Test
    void aNodeWithoutClusterIsTriedAloneAfterEachPause() {
        assertThat(schedule.next()).isEqualTo(HOME);
        assertThat(schedule.hasNextInRound()).isFalse();
        assertThat(schedule.next()).isEqualTo(HOME);
    }

    @Test
    void allNodesOfAClusterAreTriedBeforeThePause() {
        beOneCluster();
        assertThat(schedule.next()).isEqualTo(HOME);
        assertThat(schedule.hasNextInRound()).isTrue();
        assertThat(List.of(schedule.next(), schedule.next())).containsExactlyInAnyOrder(FIRST, SECOND);
        assertThat(schedule.hasNextInRound()).isFalse();
        assertThat(schedule.next()).isEqualTo(HOME);
    }

    @Test
    void theNodeBehindTheLostOneIsNextButAReturningConnectionGoesHome() {
        beOneCluster();
        List<HostAddress> order = cluster.from(HOME);
        schedule.lost(order.get(1));
        assertThat(schedule.hasNextInRound()).isTrue();
        assertThat(schedule.next()).isEqualTo(order.get(2));
        schedule.returns();
        assertThat(schedule.next()).isEqualTo(HOME);
    }

    @Test
    void pausesGrowUpToABoundAndAreShortAgainOnceConnected() {
        long longest = 0;
        for (int round = 0; round < 20; round++) {
            longest = Math.max(longest, schedule.pauseMillis());
        }
        assertThat(longest).isBetween(1_000L, 2_000L);
        schedule.connectedAtHome();
        assertThat(schedule.pauseMillis()).isBetween(5L, 10L);
        schedule.slowDown();
        assertThat(schedule.pauseMillis()).isBetween(1_000L, 2_000L);
    }

    @Test
    void theWayHomeIsTriedLessOftenUntilItLedHome() {
        assertThat(List.of(schedule.connectedElsewhere(), schedule.connectedElsewhere()))
                .containsExactly(2_000L, 4_000L);
        for (int time = 0; time < 10; time++) {
            schedule.connectedElsewhere();
        }
        assertThat(schedule.connectedElsewhere()).isEqualTo(60_000L);
        schedule.connectedAtHome();
        assertThat(schedule.connectedElsewhere()).isEqualTo(2_000L);
    }
}
