package dev.fulmar.wire.postgres.message;

/** Severity of an error or notice; its name is its text in messages. */
public enum Severity {
    ERROR,
    /** The session ends. */
    FATAL,
    /** All sessions of the server end. */
    PANIC,
    WARNING,
    NOTICE,
    DEBUG,
    INFO,
    LOG
}
