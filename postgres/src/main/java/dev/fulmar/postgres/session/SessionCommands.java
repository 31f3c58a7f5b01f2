package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.LastNumbers;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.activity.OwnActivity;
import dev.fulmar.postgres.dialect.PreparedCommand;
import dev.fulmar.postgres.dialect.SessionFacts;
import dev.fulmar.postgres.dialect.SettingCommands;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.setting.SessionSettings;
import dev.fulmar.postgres.setting.SettingCommand;
import dev.fulmar.postgres.value.TextRows;
import dev.fulmar.wire.session.SessionCommand;
import dev.fulmar.wire.session.TransactionMode;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Statements that a session executes by itself: they are about the session, and no table has a part in them. */
final class SessionCommands {
    private final SessionSettings settings;
    private final PreparedTexts prepared;
    private final DeclaredCursors cursors;
    private final ClientOutput output;

    /** The last numbers of sequences that the client has drawn. */
    private final Supplier<LastNumbers> numbers;

    SessionCommands(
            SessionSettings settings,
            PreparedTexts prepared,
            DeclaredCursors cursors,
            ClientOutput output,
            Supplier<LastNumbers> numbers) {
        this.numbers = numbers;
        this.settings = settings;
        this.prepared = prepared;
        this.cursors = cursors;
        this.output = output;
    }

    /** Facts of the session that statements may ask for. */
    SessionFacts facts(ClientIdentity client, OwnActivity activity) {
        return new KnownFacts(client, settings, cursors, prepared, activity);
    }

    /** Whether the statement is one for the session. */
    static boolean isOne(Translation translation) {
        return switch (translation.firstWord()) {
            case "COPY",
                    "SET",
                    "SHOW",
                    "RESET",
                    "DISCARD",
                    "DEALLOCATE",
                    "LISTEN",
                    "UNLISTEN",
                    "NOTIFY",
                    "LOAD",
                    "VACUUM",
                    "ANALYZE",
                    "BEGIN",
                    "START",
                    "COMMIT",
                    "END",
                    "ROLLBACK",
                    "ABORT",
                    "SAVEPOINT",
                    "RELEASE",
                    "PREPARE",
                    "DECLARE",
                    "FETCH",
                    "MOVE",
                    "CLOSE" -> true;
            default -> false;
        };
    }

    /** Whether the statement changes tables: it yields nothing. */
    static boolean changesTables(Translation translation) {
        return switch (translation.firstWord()) {
            case "CREATE", "ALTER", "DROP", "COMMENT", "GRANT", "REVOKE", "PARTITION" -> true;
            default -> false;
        };
    }

    /** The columns that the statement yields. */
    static List<String> columns(Translation translation) {
        return switch (SettingCommands.of(translation)) {
            case SettingCommand.Show(String name) -> List.of(name);
            case SettingCommand.ShowAll _ -> List.of("name", "setting");
            case null, default -> List.of();
        };
    }

    /** Executes the statement, and sends its rows; the tag of the command, or null if it is not one for the session. */
    @Nullable String execute(Bound statement) {
        Translation translation = statement.translation();
        SettingCommand command = SettingCommands.of(translation);
        if (command != null) {
            return execute(command, statement);
        }
        return switch (translation.firstWord()) {
            case "DISCARD" -> discard(translation);
            case "DEALLOCATE" -> deallocate(translation);
            case "UNLISTEN" -> "UNLISTEN"; // nothing can be listened to
            case "VACUUM", "ANALYZE" -> translation.firstWord(); // memory and statistics need no command
            case "LISTEN", "NOTIFY", "LOAD" ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED, translation.firstWord() + " is not supported; poll a table instead");
            default -> null;
        };
    }

    /** Whether transactions that say nothing else only read; so do statements by themselves. */
    boolean readsOnly() {
        return settings.value("default_transaction_read_only").equals("on");
    }

    /** The text by which a transaction begins, with what the session has said of all of them. */
    String opening(String begin) {
        String level = settings.value("default_transaction_isolation");
        boolean isReadOnly = readsOnly();
        TransactionMode mode = SessionCommand.of(begin) instanceof SessionCommand.Begin(TransactionMode said)
                ? said
                : TransactionMode.USUAL;
        StringBuilder opening = new StringBuilder(begin);
        if (mode.isolation().isEmpty()) {
            opening.append(" ISOLATION LEVEL ").append(level);
        }
        if (isReadOnly && mode.readOnly().isEmpty()) {
            opening.append(" READ ONLY");
        }
        if (mode.deferrable().isEmpty()
                && settings.value("default_transaction_deferrable").equals("on")) {
            opening.append(" DEFERRABLE");
        }
        return opening.toString();
    }

    private String execute(SettingCommand command, Bound statement) {
        switch (command) {
            case SettingCommand.Assign(String name, String value, boolean isLocal) ->
                settings.set(name, value, isLocal);
            case SettingCommand.Reset(String name, boolean isLocal) -> settings.reset(name, isLocal);
            case SettingCommand.ResetAll _ -> settings.resetAll();
            case SettingCommand.Characteristics(String mode) -> characteristics(mode);
            case SettingCommand.Become(String user) -> checkSame(user);
            case SettingCommand.Show(String name) -> {
                SessionSettings.Value value = settings.show(name);
                rows(List.of(value.name()), List.of(List.of(value.value())), statement);
            }
            case SettingCommand.ShowAll _ ->
                rows(
                        List.of("name", "setting"),
                        settings.all().stream()
                                .map(value -> List.of(value.name(), value.value()))
                                .toList(),
                        statement);
        }
        return statement.translation().firstWord();
    }

    /** A session has the rights of the user that has logged in, for as long as it lasts. */
    private void checkSame(String user) {
        String own = settings.value("session_authorization");
        boolean isSame = user.equalsIgnoreCase("NONE")
                || user.equalsIgnoreCase("DEFAULT")
                || user.equalsIgnoreCase(own.isEmpty() ? KnownFacts.NOBODY : own); // names of users have no case
        if (!isSame) {
            throw new FulmarException(
                    ErrorCode.PERMISSION_DENIED,
                    "permission denied to set role \"" + user
                            + "\"; a session is that of the user who has logged in, so" + " connect as the other one");
        }
    }

    private void rows(List<String> columns, List<List<String>> rows, Bound statement) {
        TextRows.send(output::send, columns, rows, statement.portal() == null);
    }

    private void characteristics(String mode) {
        String text = mode.toLowerCase(Locale.ROOT);
        for (String level : List.of("serializable", "repeatable read", "read committed", "read uncommitted")) {
            if (text.contains("isolation level " + level)) {
                settings.set("default_transaction_isolation", level, false);
            }
        }
        if (text.contains("read only") || text.contains("read write")) {
            settings.set("default_transaction_read_only", text.contains("read only") ? "on" : "off", false);
        }
    }

    private String discard(Translation translation) {
        String what = translation.words().size() > 1 ? translation.words().get(1) : "";
        switch (what) {
            case "ALL" -> {
                numbers.get().forget();
                settings.resetAll();
                prepared.clear();
                cursors.discard();
            }
            case "SEQUENCES" -> numbers.get().forget();
            case "PLANS", "TEMP", "TEMPORARY" -> {} // plans are kept for all sessions, nothing else is kept
            default ->
                throw new FulmarException(
                        ErrorCode.SYNTAX, "syntax error; DISCARD takes ALL, PLANS, SEQUENCES or TEMP");
        }
        return CommandTag.of(translation.words());
    }

    private String deallocate(Translation translation) {
        String name = PreparedCommand.deallocated(translation);
        if (name == null) {
            prepared.clear();
            return "DEALLOCATE ALL";
        }
        prepared.get(name);
        prepared.remove(name);
        return "DEALLOCATE";
    }
}
