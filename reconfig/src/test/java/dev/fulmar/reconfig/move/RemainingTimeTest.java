package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.reconfig.peer.Outlook;
import org.junit.jupiter.api.Test;

class RemainingTimeTest {
    private static final long SECOND = 1_000_000_000;

    private final RemainingTime remaining = new RemainingTime(10 * SECOND);

    @Test
    void theTimeIsUnknownBeforeRowsHaveMoved() {
        remaining.chosen(100);
        Outlook outlook = remaining.outlook(0, 11 * SECOND, 5);
        assertThat(outlook).isEqualTo(new Outlook(100, Outlook.UNKNOWN, 5));
        assertThat(outlook.secondsLeft()).isEqualTo(-1);
    }

    @Test
    void stagedRowsCountAsMoved() {
        remaining.chosen(100);
        assertThat(remaining.outlook(20, 12 * SECOND, 0)).isEqualTo(new Outlook(80, 8 * SECOND, 0));
        remaining.handedOver(50);
        assertThat(remaining.outlook(0, 15 * SECOND, 0)).isEqualTo(new Outlook(50, 5 * SECOND, 0));
        remaining.chosen(0);
        assertThat(remaining.outlook(0, 20 * SECOND, 0)).isEqualTo(Outlook.NOTHING);
    }

    @Test
    void theSlowestOfAllNodesEndsLast() {
        Outlook both = new Outlook(10, 3 * SECOND, 1).and(new Outlook(5, 7 * SECOND, 2));
        assertThat(both).isEqualTo(new Outlook(15, 7 * SECOND, 2));
        assertThat(both.secondsLeft()).isEqualTo(7);
        assertThat(both.and(new Outlook(1, Outlook.UNKNOWN, 0)).nanosLeft()).isEqualTo(Outlook.UNKNOWN);
    }
}
