package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.advisory.AdvisoryKey;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.dialect.LockCall;
import dev.fulmar.postgres.dialect.PauseCall;
import dev.fulmar.postgres.dialect.SessionCall;
import dev.fulmar.postgres.dialect.SettingCall;
import dev.fulmar.postgres.setting.SessionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Executes functions of the session, one after another, when the database has computed their arguments. For the
 * session's thread.
 */
final class SessionCalls {
    private final SessionLocks locks;
    private final SessionPause pause;
    private final SessionSettings settings;

    SessionCalls(SessionLocks locks, SessionPause pause, SessionSettings settings) {
        this.locks = locks;
        this.pause = pause;
        this.settings = settings;
    }

    /**
     * Does what the functions of a statement say.
     *
     * @param query the result with their arguments
     * @param isTransaction whether the statement is a transaction by itself, with which locks end
     * @param then gets the row for the client
     */
    void execute(
            List<SessionCall> calls,
            Committed query,
            boolean isTransaction,
            Consumer<Committed> then,
            Consumer<FulmarException> refused) {
        List<@Nullable Object> arguments = CallRows.arguments(query);
        List<@Nullable Object> done = new ArrayList<>();
        Runnable all = () -> then.accept(CallRows.row(calls, query, done));
        Consumer<FulmarException> error =
                isTransaction ? cause -> locks.transactionEnds(() -> refused.accept(cause)) : refused;
        next(calls, arguments, done, isTransaction ? () -> locks.transactionEnds(all) : all, error);
    }

    private void next(
            List<SessionCall> calls,
            List<@Nullable Object> arguments,
            List<@Nullable Object> done,
            Runnable then,
            Consumer<FulmarException> refused) {
        int place = done.size();
        if (place == calls.size()) {
            then.run();
            return;
        }
        Consumer<@Nullable Object> told = outcome -> {
            done.add(outcome);
            next(calls, arguments, done, then, refused);
        };
        Object argument = arguments.get(place);
        if (argument == null) {
            told.accept(null);
            return;
        }
        switch (calls.get(place)) {
            case LockCall call ->
                locks.execute(call, new AdvisoryKey(call.isPair(), (Long) argument), told::accept, refused);
            case PauseCall _ -> pause.make((Double) argument, () -> told.accept(""), refused);
            case SettingCall(String name, boolean isLocal) -> {
                FulmarException error = set(name, (String) argument, isLocal);
                if (error == null) {
                    told.accept(settings.show(name).value());
                } else {
                    refused.accept(error);
                }
            }
        }
    }

    /** Why the value cannot be; null if it is. */
    private @Nullable FulmarException set(String name, String value, boolean isLocal) {
        try {
            settings.setByFunction(name, value, isLocal);
            return null;
        } catch (FulmarException e) {
            return e; // locks of the statement are given back before the client hears of it
        }
    }
}
