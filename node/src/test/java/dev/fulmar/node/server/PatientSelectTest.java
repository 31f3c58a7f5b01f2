package dev.fulmar.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.agent.real.Patience;
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

    @Test
    void looksForEventsBeforeItSleeps() throws Exception {
        assertThat(next(false)).isEqualTo(SelectStrategy.CONTINUE);
        nanos += PatientSelect.PATIENCE_NANOS - 1;
        assertThat(next(false)).isEqualTo(SelectStrategy.CONTINUE);
        nanos += 1;
        assertThat(next(false)).isEqualTo(SelectStrategy.SELECT);
        assertThat(looks).isEqualTo(2);
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

    /** Else it would sleep at once after some time, though clients are quick. */
    @Test
    void eventsThatItSeesKeepItPatient() throws Exception {
        for (int i = 0; i < 100 * Patience.MOST_IN_VAIN; i++) {
            assertThat(next(false)).isEqualTo(SelectStrategy.CONTINUE);
            nanos += PatientSelect.PATIENCE_NANOS;
            if (i % 2 == 0) {
                assertThat(next(false)).isEqualTo(SelectStrategy.SELECT);
            } else {
                nanos -= 1;
                events = 1;
                assertThat(next(false)).isEqualTo(1);
                events = 0;
            }
        }
    }
}
