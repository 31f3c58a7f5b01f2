package dev.fulmar.postgres.dialect;

/** A call of a function that a session executes by itself, as an item of a SELECT without tables. */
public sealed interface SessionCall permits LockCall, PauseCall, SettingCall {}
