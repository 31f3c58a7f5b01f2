package dev.fulmar.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.SelectStrategy;
import org.junit.jupiter.api.Test;

class PatientSelectTest {
    private long nanos;
    private int events;
    private int looks;
    private final PatientSelect select = new PatientSelect(() -> nanos);

    private int next(boolean hasTasks) throws Exception {
        return select.calculateStrategy(
                () -> {
                    looks++;
                    return events;
                },
                hasTasks);
    }

    /** A wait in which nothing comes; how often it looked before it slept. */
    private int inVain() throws Exception {
        looks = 0;
        while (next(false) == SelectStrategy.CONTINUE) {
            nanos += PatientSelect.PATIENCE_NANOS / 4;
        }
        return looks;
    }

    private void somethingComesSoon() throws Exception {
        next(false);
        events = 1;
        assertThat(next(false)).isEqualTo(1);
        events = 0;
    }

    @Test
    void looksForEventsBeforeItSleeps() throws Exception {
        assertThat(next(false)).isEqualTo(SelectStrategy.CONTINUE);
        nanos += PatientSelect.PATIENCE_NANOS - 1;
        assertThat(next(false)).isEqualTo(SelectStrategy.CONTINUE);
        nanos += 1;
        assertThat(next(false)).isEqualTo(SelectStrategy.SELECT);
        assertThat(looks).isEqualTo(3);
    }

    @Test
    void whatItSeesIsHandledAtOnce() throws Exception {
        assertThat(next(false)).isEqualTo(SelectStrategy.CONTINUE);
        events = 3;
        assertThat(next(false)).isEqualTo(3);
        events = 0;
        assertThat(next(true)).isZero();
        events = 2;
        assertThat(next(true)).isEqualTo(2);
    }

    /** Each wait has the whole time, however long the one before was. */
    @Test
    void aWaitBeginsWithItsFirstLook() throws Exception {
        next(false);
        nanos += PatientSelect.PATIENCE_NANOS - 1;
        events = 1;
        next(false);
        events = 0;
        nanos += PatientSelect.PATIENCE_NANOS;
        assertThat(next(false)).isEqualTo(SelectStrategy.CONTINUE);
        nanos += PatientSelect.PATIENCE_NANOS / 2;
        assertThat(next(false)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void anIdleLoopSleepsAtOnceAndTriesNowAndThen() throws Exception {
        for (int i = 0; i < PatientSelect.MOST_IN_VAIN; i++) {
            assertThat(inVain()).isGreaterThan(1);
        }
        int patient = 0;
        for (int i = 0; i < 10 * PatientSelect.TRIES; i++) {
            patient += inVain() > 0 ? 1 : 0;
        }
        assertThat(patient).isEqualTo(10);
    }

    @Test
    void aTryThatIsNotInVainMakesItPatientAgain() throws Exception {
        for (int i = 0; i < PatientSelect.MOST_IN_VAIN; i++) {
            inVain();
        }
        int waits = 0;
        while (next(false) == SelectStrategy.SELECT) {
            waits++;
        }
        assertThat(waits).isLessThan(PatientSelect.TRIES);
        events = 1;
        assertThat(next(false)).isEqualTo(1);
        events = 0;
        somethingComesSoon();
        assertThat(inVain()).isGreaterThan(1);
    }
}
