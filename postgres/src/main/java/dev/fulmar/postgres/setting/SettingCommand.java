package dev.fulmar.postgres.setting;

/** A statement about settings. */
public sealed interface SettingCommand {
    /** {@code SET [SESSION | LOCAL] name TO value}; the value in quotes if it was, else as written. */
    record Assign(String name, String value, boolean isLocal) implements SettingCommand {}

    /** {@code SHOW name}. */
    record Show(String name) implements SettingCommand {}

    /** {@code SHOW ALL}. */
    record ShowAll() implements SettingCommand {}

    /** {@code RESET name}, or SET to DEFAULT. */
    record Reset(String name, boolean isLocal) implements SettingCommand {}

    /** {@code SET ROLE name}, or SET SESSION AUTHORIZATION; NONE and DEFAULT are the user that has logged in. */
    record Become(String user) implements SettingCommand {}

    /** {@code RESET ALL}. */
    record ResetAll() implements SettingCommand {}

    /**
     * {@code SET SESSION CHARACTERISTICS AS TRANSACTION}: what later transactions begin with.
     *
     * @param mode as BEGIN would say it
     */
    record Characteristics(String mode) implements SettingCommand {}
}
