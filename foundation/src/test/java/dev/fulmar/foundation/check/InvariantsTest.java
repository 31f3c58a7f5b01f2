package dev.fulmar.foundation.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.junit.jupiter.api.Test;

class InvariantsTest {
    @Test
    void aBreachIsAnInternalErrorThatNamesTheRule() {
        assertThatThrownBy(() -> Invariants.check(false, "a log never goes back"))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        breach -> assertThat(breach.code()).isEqualTo(ErrorCode.INTERNAL))
                .hasMessageContaining("a log never goes back")
                .satisfies(breach -> assertThat(Invariants.isBreach("it ends: " + breach.getMessage()))
                        .isTrue());
        assertThat(Invariants.isBreach("the disk is full")).isFalse();
        assertThatCode(() -> Invariants.check(true, "a log never goes back")).doesNotThrowAnyException();
    }

    @Test
    void testsRunWithExpensiveChecks() {
        assertThat(Invariants.EXPENSIVE).isTrue();
    }
}
