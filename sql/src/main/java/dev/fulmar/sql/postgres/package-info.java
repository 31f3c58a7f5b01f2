/**
 * The catalog as PostgreSQL's clients query it: the tables of pg_catalog, and INFORMATION_SCHEMA in PostgreSQL's form.
 * Invariants:
 *
 * <ul>
 *   <li>A table says the truth: one that is empty has nothing to show, and what is not known is null.
 *   <li>Tables and indexes keep their OIDs as long as they exist, over restarts and on all nodes.
 * </ul>
 */
@NullMarked
package dev.fulmar.sql.postgres;

import org.jspecify.annotations.NullMarked;
