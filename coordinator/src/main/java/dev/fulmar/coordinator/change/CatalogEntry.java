package dev.fulmar.coordinator.change;

/** A change of the catalog as it is written down: as its author gave it. */
public sealed interface CatalogEntry {
    /** A statement of DDL, or whatever else the SQL front end makes the change from. */
    record Statement(String text) implements CatalogEntry {}

    /** A statement about users, roles or rights, with verifiers instead of passwords. It is shown to nobody. */
    record Access(String text) implements CatalogEntry {
        @Override
        public String toString() {
            return "a change of users, roles or rights";
        }
    }

    /** A jar of procedures. */
    @SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
    record Jar(byte[] bytes) implements CatalogEntry {}

    /** A change that has no text. It cannot be written down. */
    record Untold() implements CatalogEntry {}
}
