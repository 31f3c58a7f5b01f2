package dev.fulmar.coordinator.change;

/** A change of the catalog as it is written down: as its author gave it. */
public sealed interface CatalogEntry {
    /** A statement of DDL, or whatever else the SQL front end makes the change from. */
    record Statement(String text) implements CatalogEntry {}

    /** A jar of procedures. */
    @SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
    record Jar(byte[] bytes) implements CatalogEntry {}

    /** A change that has no text. It cannot be written down. */
    record Untold() implements CatalogEntry {}
}
