package dev.fulmar.postgres.dialect;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A call of a function of advisory locks (PostgreSQL manual §9.27.10).
 *
 * @param isOfTransaction whether the lock ends with the transaction
 */
public record LockCall(Action action, boolean isShared, boolean isOfTransaction, boolean isPair)
        implements SessionCall {
    private static final Pattern NAME = Pattern.compile(
            "PG_(?:(?<tries>TRY_)?ADVISORY_(?<transaction>XACT_)?LOCK|ADVISORY_(?<unlocks>UNLOCK))(?<shared>_SHARED)?");
    private static final String UNLOCK_ALL = "PG_ADVISORY_UNLOCK_ALL";

    /** The effect of the function. */
    public enum Action {
        /** Waits for the lock. */
        LOCK,
        /** Takes the lock, or tells that others have it. */
        TRY,
        UNLOCK,
        UNLOCK_ALL
    }

    /** Whether the function tells whether it has done so; others yield nothing. */
    public boolean isQuestion() {
        return action == Action.TRY || action == Action.UNLOCK;
    }

    /** Whether the name, in upper case, is that of such a function. */
    static boolean isName(String name) {
        return name.startsWith("PG_")
                && (name.equals(UNLOCK_ALL) || NAME.matcher(name).matches());
    }

    /**
     * The call; null if it takes no so many arguments.
     *
     * @param name of the function, in upper case
     * @param arguments how many
     */
    static @Nullable LockCall of(String name, int arguments) {
        if (name.equals(UNLOCK_ALL)) {
            return arguments == 0 ? new LockCall(Action.UNLOCK_ALL, false, false, false) : null;
        }
        Matcher parts = NAME.matcher(name);
        if (!parts.matches() || arguments < 1 || arguments > 2) {
            return null;
        }
        Action taking = parts.group("tries") == null ? Action.LOCK : Action.TRY;
        return new LockCall(
                parts.group("unlocks") == null ? taking : Action.UNLOCK,
                parts.group("shared") != null,
                parts.group("transaction") != null,
                arguments == 2);
    }
}
