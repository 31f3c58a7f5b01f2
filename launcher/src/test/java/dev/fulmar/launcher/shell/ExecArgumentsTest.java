package dev.fulmar.launcher.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import org.junit.jupiter.api.Test;

class ExecArgumentsTest {
    @Test
    void argumentsAreLiterals() {
        assertThat(ExecArguments.parse(" 7, -1.50, 2.5E-3, 'it''s', TRUE, false, NULL;"))
                .containsExactly(7L, new BigDecimal("-1.50"), 2.5E-3, "it's", true, false, null);
        assertThat(ExecArguments.parse(
                        "X'0aFF', DATE '2024-02-29', time '12:30:00', TIMESTAMP '2024-02-29 12:30:00.5'"))
                .containsExactly(
                        new byte[] {10, -1},
                        LocalDate.of(2024, 2, 29),
                        LocalTime.of(12, 30),
                        LocalDateTime.of(2024, 2, 29, 12, 30, 0, 500_000_000));
        assertThat(ExecArguments.parse("DATE 'infinity', TIMESTAMP '-Infinity'"))
                .containsExactly(LocalDate.MAX, LocalDateTime.MIN);
        assertThat(ExecArguments.parse(";")).isEmpty();
    }

    @Test
    void whatIsNoLiteralIsToldWithWhatToWrite() {
        assertThatThrownBy(() -> ExecArguments.parse("DATE '2024-02-30'")).hasMessageContaining("DATE '2024-02-29'");
        assertThatThrownBy(() -> ExecArguments.parse("X'0af'")).hasMessageContaining("X'0aff'");
        assertThatThrownBy(() -> ExecArguments.parse("1 2")).hasMessageContaining("with commas between");
        assertThatThrownBy(() -> ExecArguments.parse("ann")).hasMessageContaining("text stands in quotes");
    }
}
