package dev.fulmar.sql.ddl;

import java.util.Set;
import java.util.TreeSet;

/**
 * Names that a new constraint cannot have, as the catalog has them with their schemas.
 *
 * @param relations of tables, views and indexes
 * @param constraints of tables
 */
public record TakenNames(Set<String> relations, Set<String> constraints) {
    public TakenNames {
        relations = new TreeSet<>(relations);
        constraints = new TreeSet<>(constraints);
    }
}
