package dev.fulmar.postgres.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.spi.StatementStyle;
import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.IntervalStyle;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.type.OutputStyle;
import dev.fulmar.wire.session.Isolation;
import dev.fulmar.wire.session.SessionCommand;
import dev.fulmar.wire.session.TransactionMode;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings are obeyed or refused, and end with the transaction that sets them. */
class SessionSettingsTest {
    private final List<String> reported = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final SessionSettings settings =
            new SessionSettings((name, value) -> reported.add(name + "=" + value), warnings::add);

    @Test
    void tellsWhatTheClientMustKnow() {
        settings.reportAll();

        assertThat(reported)
                .contains("client_encoding=UTF8", "DateStyle=ISO, MDY", "TimeZone=UTC", "integer_datetimes=on");
    }

    @Test
    void localSettingsEndWithTheTransaction() {
        settings.transactionHas(TransactionMode.USUAL);
        settings.set("application_name", "a", true);
        settings.set("statement_timeout", "5s", false);
        settings.transactionEnds(true);

        assertThat(settings.value("application_name")).isEmpty();
        assertThat(settings.statementTimeoutNanos()).isEqualTo(5_000_000_000L);
        assertThat(reported).containsExactly("application_name=a", "application_name=");
    }

    @Test
    void settingsOfATransactionThatIsRolledBackAreTakenBack() {
        settings.set("application_name", "before", false);
        settings.transactionHas(TransactionMode.USUAL);
        settings.set("application_name", "a", false);
        settings.set("application_name", "b", true);
        settings.transactionEnds(false);

        assertThat(settings.value("application_name")).isEqualTo("before");
    }

    @Test
    void localOutsideOfATransactionDoesNothing() {
        settings.setByFunction("application_name", "a", true);
        assertThat(warnings).isEmpty();
        settings.set("application_name", "a", true);
        settings.reset("application_name", true);

        assertThat(settings.value("application_name")).isEmpty();
        assertThat(warnings).hasSize(2).containsOnly("SET LOCAL can only be used in transaction blocks");
    }

    @Test
    void aSavepointThatTheTransactionWentBackToLastsOn() {
        settings.transactionHas(TransactionMode.USUAL);
        settings.executed(new SessionCommand.Savepoint("S"));
        for (String name : List.of("a", "b")) {
            settings.set("application_name", name, false);
            settings.executed(new SessionCommand.RollbackTo("S"));
            assertThat(settings.value("application_name")).isEmpty();
        }
        assertThat(reported)
                .containsExactly("application_name=a", "application_name=", "application_name=b", "application_name=");
    }

    @Test
    void theModesOfATransactionStay() {
        settings.transactionHas(TransactionMode.USUAL);
        settings.executed(new SessionCommand.Savepoint("S"));
        settings.transactionHas(new TransactionMode(Optional.empty(), Optional.of(true), Optional.empty()));
        settings.executed(new SessionCommand.RollbackTo("S"));

        assertThat(settings.show("transaction_read_only").value()).isEqualTo("on");
    }

    @Test
    void showsTheTransactionsLevel() {
        settings.set("default_transaction_isolation", "read committed", false);
        assertThat(settings.show("transaction_isolation").value()).isEqualTo("read committed");
        settings.transactionHas(
                new TransactionMode(Optional.of(Isolation.SNAPSHOT), Optional.of(true), Optional.empty()));
        assertThat(settings.show("transaction_isolation").value()).isEqualTo("repeatable read");
        assertThat(settings.show("transaction_read_only").value()).isEqualTo("on");
        settings.transactionEnds(true);
        assertThat(settings.show("transaction_read_only").value()).isEqualTo("off");
    }

    @ParameterizedTest
    @CsvSource({
        "client_encoding, LATIN1",
        "standard_conforming_strings, off",
        "DateStyle, 'German'",
        "DateStyle, 'ISO, XYZ'",
        "bytea_output, base64",
        "IntervalStyle, german",
        "extra_float_digits, 0",
        "TimeZone, Nowhere/Land",
        "server_version, 16",
        "search_path, '$user, pg_catalog'",
        "search_path, 'public, fulmar_locks'",
        "search_path, 'public, information_schema'",
        "search_path, 'a\"b'",
        "search_path, '\"a'",
        "search_path, '\"a\" b'",
        "search_path, 'a.b'",
        "search_path, 'pg_temp, public'",
        "statement_timeout, soon",
        "nothing, 1"
    })
    void refusesWhatItCannotObey(String name, String value) {
        assertThatThrownBy(() -> settings.set(name, value, false)).isInstanceOf(FulmarException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"public", "\"$user\", public", "$user,PUBLIC", "pg_catalog, \"public\"", "", "\"\""})
    void withoutOtherSchemasNamesAreOfPublic(String path) {
        settings.set("search_path", path, false);

        assertThat(settings.value("search_path")).isEqualTo(path);
        assertThat(settings.statementStyle()).isEqualTo(StatementStyle.USUAL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "app|[APP]",
                "App, public|[APP, PUBLIC]",
                "\"App\",public|[App, PUBLIC]",
                "public, app, APP|[PUBLIC, APP]",
                "\"a, \"\"b\" , $user|[A, \"B]",
                "\"APP\", pg_temp, pg_catalog|[app]"
            })
    void aPathHasTheSchemasOfTheCatalog(String path, String schemas) {
        settings.set("TimeZone", "Europe/Oslo", false);
        settings.set("search_path", path, false);
        settings.set("DateStyle", "DMY", false);

        assertThat(settings.statementStyle().path()).hasToString(schemas);
        settings.reset("search_path", false);
        assertThat(settings.statementStyle().path()).isEmpty();
        assertThat(settings.statementStyle().order()).isEqualTo(DateOrder.DMY);
    }

    @ParameterizedTest
    @CsvSource({"250, 250", "250ms, 250", "2s, 2000", "1min, 60000", "1 h, 3600000", "0, 0", "1500us, 1"})
    void readsTimes(String text, long millis) {
        settings.set("statement_timeout", text, false);

        assertThat(settings.statementTimeoutNanos()).isEqualTo(millis * 1_000_000);
    }

    @Test
    void dateStylesChangeTheOrderAlone() {
        for (String[] change : new String[][] {
            {"ymd", "ISO, YMD"}, {"iso", "ISO, YMD"}, {"DMY, ISO", "ISO, DMY"}, {"euro", "ISO, DMY"}, {"US", "ISO, MDY"}
        }) {
            settings.set("DateStyle", change[0], false);

            assertThat(settings.value("DateStyle")).isEqualTo(change[1]);
        }
        settings.set("DateStyle", "dmy", false);

        assertThat(settings.statementStyle().order()).isEqualTo(DateOrder.DMY);
    }

    @Test
    void intervalsAndBytesHaveStyles() {
        settings.set("IntervalStyle", "ISO_8601", false);
        settings.set("bytea_output", "escape", false);

        assertThat(settings.value("IntervalStyle")).isEqualTo("iso_8601");
        assertThat(settings.statementStyle().intervals()).isEqualTo(IntervalStyle.ISO_8601);
        assertThat(settings.outputStyle()).isEqualTo(new OutputStyle(ZoneOffset.UTC, IntervalStyle.ISO_8601, true));
    }

    @Test
    void timeZonesAreNamesOrHoursEast() {
        assertThat(zone("europe/oslo")).isEqualTo(ZoneId.of("Europe/Oslo"));
        assertThat(zone("UTC")).isEqualTo(ZoneOffset.UTC);
        assertThat(zone("-3")).isEqualTo(ZoneOffset.ofHours(-3));
        assertThat(zone("GMT-05:30")).isEqualTo(ZoneOffset.ofHoursMinutes(5, 30));
        assertThat(zone("+05:00")).isEqualTo(ZoneOffset.ofHours(-5));
        assertThat(zone("-04:30")).isEqualTo(ZoneOffset.ofHoursMinutes(4, 30));
        assertThatThrownBy(() -> zone("Mars/Base")).isInstanceOf(FulmarException.class);
    }

    private static ZoneId zone(String value) {
        SessionSettings settings = new SessionSettings((name, told) -> {}, warning -> {});
        settings.set("TimeZone", value, false);
        return settings.zone();
    }
}
