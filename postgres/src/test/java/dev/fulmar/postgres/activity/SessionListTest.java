package dev.fulmar.postgres.activity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.time.Clock;
import dev.fulmar.postgres.activity.SessionActivity.Moment;
import dev.fulmar.postgres.activity.SessionActivity.State;
import org.junit.jupiter.api.Test;

class SessionListTest {
    private long micros = 100;

    private final Clock clock = new Clock() {
        @Override
        public long monotonicNanos() {
            return micros * 1_000;
        }

        @Override
        public long wallMicros() {
            return micros;
        }
    };

    private final SessionList sessions = new SessionList(clock, caller -> false);

    private Moment moment() {
        return sessions.shown().getFirst().moment();
    }

    @Test
    void timesAreThoseOfTheStatementAndOfItsTransaction() {
        SessionActivity session = sessions.open(7, "ann", "shop", "here:1");
        assertThat(moment()).isEqualTo(new Moment(State.IDLE, "", "", 0, 0, 100));
        micros = 200;
        session.executes("BEGIN");
        assertThat(moment()).isEqualTo(new Moment(State.ACTIVE, "", "BEGIN", 200, 200, 200));
        micros = 300;
        session.rests(State.IN_TRANSACTION, "tool");
        micros = 400;
        session.executes("SELECT 1");
        assertThat(moment()).isEqualTo(new Moment(State.ACTIVE, "tool", "SELECT 1", 400, 200, 400));
        micros = 500;
        session.rests(State.FAILED, "tool");
        assertThat(moment()).isEqualTo(new Moment(State.FAILED, "tool", "SELECT 1", 400, 200, 500));
        micros = 600;
        session.rests(State.IDLE, "tool");
        assertThat(moment()).isEqualTo(new Moment(State.IDLE, "tool", "SELECT 1", 400, 0, 600));
    }

    @Test
    void aLongStatementIsShownByItsBeginning() {
        sessions.open(7, "ann", "shop", "here:1").executes("x".repeat(5_000));
        assertThat(moment().query()).hasSize(1_023);
    }

    /** A number may belong to a new session before the end of the old one is known. */
    @Test
    void theEndOfASessionEndsNoOtherOfItsNumber() {
        SessionActivity before = sessions.open(7, "ann", "shop", "here:1");
        SessionActivity after = sessions.open(7, "bob", "shop", "here:2");
        sessions.close(before);
        assertThat(sessions.shown()).hasSize(1);
        sessions.close(after);
        assertThat(sessions.shown()).isEmpty();
    }
}
