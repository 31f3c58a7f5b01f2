package dev.fulmar.node.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedTrailTest {
    private static final int FLOOD = 5_000;

    private final List<AuditEvent> noted = new ArrayList<>();
    private long nowNanos;
    private final BoundedTrail trail = new BoundedTrail(noted::add, () -> nowNanos);

    private static AuditEvent login(String user, String address, String outcome) {
        return new AuditEvent(AuditEvent.Kind.LOGIN, user, address, "", outcome);
    }

    private void flood(int addresses) {
        for (int i = 0; i < FLOOD; i++) {
            trail.note(login("admin", "10.0.0." + i % addresses + ":" + i, "AUTHENTICATION_FAILED"));
        }
    }

    @Test
    void ofFailedLogInsTheFirstAreNotedAndTheOthersCounted() {
        flood(7);
        trail.noteOthers();
        assertThat(noted).as("the minute is not over").hasSize(BoundedTrail.EACH_MINUTE);
        nowNanos += BoundedTrail.MINUTE_NANOS;
        trail.noteOthers();
        trail.noteOthers();
        assertThat(noted).hasSize(BoundedTrail.EACH_MINUTE + 1);
        AuditEvent others = noted.getLast();
        assertThat(others.what()).isEqualTo(FLOOD - BoundedTrail.EACH_MINUTE + " more log-ins within a minute");
        assertThat(others.address()).isEqualTo("7 addresses");
        assertThat(others.outcome()).isEqualTo("AUTHENTICATION_FAILED");
        flood(1);
        assertThat(noted).as("another minute").hasSize(2 * BoundedTrail.EACH_MINUTE + 1);
    }

    @Test
    void theCountIsNotedBeforeTheTrailEnds() {
        flood(1);
        trail.end();
        assertThat(noted.getLast().address()).isEqualTo("10.0.0.0");
        trail.end();
        assertThat(noted).hasSize(BoundedTrail.EACH_MINUTE + 1);
    }

    @Test
    void nothingElseIsLeftOut() {
        flood(1);
        noted.clear();
        for (int i = 0; i < 100; i++) {
            trail.note(login("ada", "10.0.0.1:1", AuditEvent.DONE));
            trail.note(new AuditEvent(AuditEvent.Kind.CHANGE, "ada", "10.0.0.1:1", "CREATE TABLE T", "DONE"));
            trail.note(new AuditEvent(AuditEvent.Kind.DENIED, "ada", "10.0.0.1:1", "@Shutdown", "PERMISSION_DENIED"));
        }
        assertThat(noted).hasSize(300);
    }
}
