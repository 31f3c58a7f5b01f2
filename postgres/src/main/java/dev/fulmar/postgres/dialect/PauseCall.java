package dev.fulmar.postgres.dialect;

/** {@code pg_sleep(seconds)} (PostgreSQL manual §9.9.5). */
public record PauseCall() implements SessionCall {
    /** The function, in upper case. */
    static final String FUNCTION = "PG_SLEEP";
}
