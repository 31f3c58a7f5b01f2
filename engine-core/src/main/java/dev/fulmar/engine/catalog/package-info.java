/**
 * The objects of the database: tables, columns, keys, indexes, procedures. Invariant: a
 * {@link dev.fulmar.engine.catalog.Catalog} never changes; a change makes a new version, and a transaction sees one
 * version from begin to end.
 */
@NullMarked
package dev.fulmar.engine.catalog;

import org.jspecify.annotations.NullMarked;
