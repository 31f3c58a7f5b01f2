package dev.fulmar.postgres.dialect;

/**
 * {@code set_config(name, value, is_local)} (PostgreSQL manual §9.27.1), which yields the value.
 *
 * @param name as it is written
 */
public record SettingCall(String name, boolean isLocal) implements SessionCall {
    /** The function, in upper case. */
    static final String FUNCTION = "SET_CONFIG";
}
