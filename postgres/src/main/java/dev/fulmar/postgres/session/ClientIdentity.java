package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.request.ConnectionSettings;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.postgres.setting.SessionSettings;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.session.SettingCommand.RowPlace;
import java.util.Locale;
import java.util.Optional;

/**
 * Identity of a session's client.
 *
 * @param user the name that it has given; empty for none
 * @param database the name of the database that it has given
 * @param clientId first half of the handles of its requests, never 0
 * @param origin its address, for people
 */
public record ClientIdentity(Caller caller, String user, String database, long clientId, String origin) {
    /**
     * The settings with which the client's session begins.
     *
     * @param usual place of the rows of new tables of which nothing is said
     * @param known to the database
     */
    SessionSettings settings(RowPlace usual, ConnectionSettings known, ClientOutput output) {
        SessionSettings settings = new SessionSettings(
                (name, value) -> output.send(new BackendMessage.ParameterStatus(name, value)),
                warning -> output.warn(ErrorCode.NO_ACTIVE_TRANSACTION, warning));
        settings.fix("default_placement", usual.name().toLowerCase(Locale.ROOT));
        settings.onPlacement(value -> known.set(
                Optional.of(RowPlace.valueOf(value.toUpperCase(Locale.ROOT))).filter(place -> place != usual)));
        settings.fix("session_authorization", user);
        settings.fix("is_superuser", caller.isTrusted() ? "on" : "off");
        return settings;
    }
}
