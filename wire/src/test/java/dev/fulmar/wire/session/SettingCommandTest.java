package dev.fulmar.wire.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.SettingCommand.RowPlace;
import dev.fulmar.wire.session.SettingCommand.SetRowPlace;
import dev.fulmar.wire.session.SettingCommand.ShowRowPlace;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingCommandTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET default_placement = PARTITIONED",
                "  set DEFAULT_PLACEMENT to partitioned ;",
                "SET SESSION \"default_placement\"=Partitioned -- for tests",
            })
    void setsThePlacement(String text) {
        assertThat(SettingCommand.of(text)).isEqualTo(new SetRowPlace(Optional.of(RowPlace.PARTITIONED)));
    }

    @Test
    void showsAndResets() {
        assertThat(SettingCommand.of("SHOW default_placement")).isEqualTo(new ShowRowPlace());
        assertThat(SettingCommand.of("SET default_placement = REPLICATED"))
                .isEqualTo(new SetRowPlace(Optional.of(RowPlace.REPLICATED)));
        assertThat(SettingCommand.of("RESET default_placement")).isEqualTo(new SetRowPlace(Optional.empty()));
        assertThat(SettingCommand.of("SET default_placement TO DEFAULT")).isEqualTo(new SetRowPlace(Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SET",
                "SHOW",
                "SHOW default_placement now",
                "RESET SESSION default_placement",
                "SET TRANSACTION READ ONLY",
                "SELECT default_placement FROM t",
                "UPDATE t SET default_placement = partitioned"
            })
    void otherStatementsAreNone(String text) {
        assertThat(SettingCommand.of(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET default_placement",
                "SET default_placement PARTITIONED",
                "SET default_placement = here",
                "SET default_placement = PARTITIONED REPLICATED"
            })
    void wrongValuesAreRefused(String text) {
        assertThatThrownBy(() -> SettingCommand.of(text))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SYNTAX));
    }
}
