/**
 * Ad hoc SQL, which does not come from a procedure. Invariant: a statement is compiled for one version of the catalog
 * and never runs under another.
 */
@NullMarked
package dev.fulmar.coordinator.statement;

import org.jspecify.annotations.NullMarked;
