package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.reconfig.peer.Outlook;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemainingTimeTest {
    private static final long SECOND = 1_000_000_000;

    private final RemainingTime remaining = new RemainingTime(10 * SECOND);

    @Test
    void theTimeIsUnknownBeforeRowsHaveMoved() {
        assertThat(remaining.outlook(0, 11 * SECOND)).isEqualTo(new Outlook(0, Outlook.UNKNOWN, 0));
        remaining.counted(1, 100);
        Outlook outlook = remaining.outlook(0, 11 * SECOND);
        assertThat(outlook.pausing(5)).isEqualTo(new Outlook(100, Outlook.UNKNOWN, 5));
        assertThat(outlook.secondsLeft()).isEqualTo(-1);
    }

    @Test
    void stagedRowsCountAsMoved() {
        remaining.counted(1, 60);
        remaining.counted(2, 40);
        assertThat(remaining.outlook(20, 12 * SECOND)).isEqualTo(new Outlook(80, 8 * SECOND, 0));
        remaining.handedOver(1, 50);
        assertThat(remaining.outlook(0, 15 * SECOND)).isEqualTo(new Outlook(50, 5 * SECOND, 0));
        assertThat(remaining.knows(2)).isTrue();
        remaining.keepOnly(List.of());
        assertThat(remaining.knows(2)).isFalse();
        assertThat(remaining.outlook(0, 20 * SECOND)).isEqualTo(Outlook.NOTHING);
    }

    @Test
    void theSlowestOfAllNodesEndsLast() {
        Outlook both = new Outlook(10, 3 * SECOND, 1).and(new Outlook(5, 7 * SECOND, 2));
        assertThat(both).isEqualTo(new Outlook(15, 7 * SECOND, 2));
        assertThat(both.secondsLeft()).isEqualTo(7);
        assertThat(new Outlook(1, Long.MAX_VALUE, 0).secondsLeft()).isPositive();
        assertThat(both.and(new Outlook(1, Outlook.UNKNOWN, 0)).nanosLeft()).isEqualTo(Outlook.UNKNOWN);
    }
}
