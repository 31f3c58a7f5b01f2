package dev.fulmar.coordinator.draft;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.transaction.SeenParts;
import java.util.Optional;

/**
 * A part of a transaction's change as it is made.
 *
 * @param description for observers; empty for rows
 * @param number of the statement among those about rows that run; -1 for none of them
 */
public record DraftPart(CatalogEntry entry, Optional<String> description, int number) {
    /** The entry of an INSERT of values, which no partition need run before. */
    CatalogEntry unseen() {
        return entry instanceof CatalogEntry.Ran ran
                ? new CatalogEntry.Rows(ran.text(), ran.parameters(), ran.micros())
                : entry;
    }

    /** The entry with what partitions have seen of the statement, if it has run. */
    CatalogEntry seen(SeenParts parts) {
        return entry instanceof CatalogEntry.Ran ran ? ran.seen(parts.of(number)) : entry;
    }
}
