package dev.fulmar.coordinator.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.ManualScheduler;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HindrancesTest {
    private final ManualScheduler time = new ManualScheduler();
    private final List<ErrorCode> told = new ArrayList<>();
    private final Hindrances hindrances = new Hindrances(time, told::add);

    private void met(String change, long sinceNanos, ErrorCode code) {
        hindrances.met(change, sinceNanos, new Failed(code, "it cannot be made; wait"));
    }

    /** A node that was paused applies a constraint to rows that it wrote as a primary, before it hears of the next. */
    @Test
    void rowsThatBreakAChangeForAMomentAreNotToldOf() {
        long since = time.monotonicNanos();
        met("a", since, ErrorCode.CHECK_VIOLATION);
        time.advance(Hindrances.PASSING_NANOS - 1);
        met("a", since, ErrorCode.CHECK_VIOLATION);
        assertThat(told).isEmpty();
    }

    @Test
    void rowsThatBreakAChangeForLongAreToldOfOnce() {
        long since = time.monotonicNanos();
        time.advance(Hindrances.PASSING_NANOS);
        met("a", since, ErrorCode.CHECK_VIOLATION);
        met("a", since, ErrorCode.CHECK_VIOLATION);
        met("b", since, ErrorCode.UNIQUE_VIOLATION);
        assertThat(told).containsExactly(ErrorCode.CHECK_VIOLATION, ErrorCode.UNIQUE_VIOLATION);
    }

    @Test
    void aDefectIsToldOfAtOnce() {
        met("a", time.monotonicNanos(), ErrorCode.INTERNAL);
        met("b", time.monotonicNanos(), ErrorCode.UNKNOWN_OBJECT);
        assertThat(told).containsExactly(ErrorCode.INTERNAL, ErrorCode.UNKNOWN_OBJECT);
    }

    @Test
    void neitherOtherNodesNorTheMachineAreDefects() {
        long since = time.monotonicNanos();
        time.advance(Hindrances.PASSING_NANOS);
        met("a", since, ErrorCode.NOT_CONNECTED);
        met("b", since, ErrorCode.MEMORY_LIMIT);
        assertThat(told).isEmpty();
    }
}
