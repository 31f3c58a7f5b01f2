package dev.fulmar.pmemlog.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which timestamps are visible, and which may still be asked for. */
class TimelineTest {
    private final Timeline timeline = new Timeline();

    @Test
    void nothingIsVisibleBeforeWhatIsUnderWayBelowIt() {
        Timeline.Place slow = timeline.newPlace();
        Timeline.Place quick = timeline.newPlace();
        long first = timeline.draw(slow);
        long second = timeline.draw(quick);
        timeline.endCommit(quick);
        assertThat(timeline.advance()).isLessThan(first);
        timeline.endCommit(slow);
        assertThat(timeline.advance()).isEqualTo(second);
        assertThat(timeline.watermark()).isEqualTo(second);
    }

    @Test
    void theHorizonStaysBelowEverySnapshotUntilItExpires() {
        Timeline.Place reader = timeline.newPlace();
        Timeline.Place writer = timeline.newPlace();
        timeline.beginAt(10);
        assertThat(timeline.beginSnapshot(reader)).isEqualTo(10);
        assertThat(timeline.beginCheckpoint()).isEqualTo(10);
        timeline.draw(writer);
        timeline.endCommit(writer);
        assertThat(timeline.advance()).isEqualTo(11);
        assertThat(timeline.horizon()).isEqualTo(10);
        timeline.expireSnapshots();
        assertThat(timeline.isTooOld(10)).isTrue();
        assertThat(timeline.horizon()).as("a checkpoint never expires").isEqualTo(10);
        timeline.endCheckpoint();
        assertThat(timeline.horizon()).isEqualTo(11);
    }
}
