package dev.fulmar.coordinator.temporary;

/**
 * Port by which sessions get schemas for their temporary tables. A table in such a schema is one like any other, but
 * that no statement sees it which does not name the schema by its {@link dev.fulmar.engine.spi.TemporaryMark}.
 * Thread-safe.
 */
public interface TemporarySchemas {
    /** The name of a schema for a session that begins to have temporary tables. No other session ever has it. */
    String begin();

    /** The session is over: the tables are dropped soon, also those that its last statements still make. */
    void end(String schema);
}
