/**
 * Apache Calcite set up for Fulmar: its types, functions, name resolution and error texts. Entry:
 * {@link dev.fulmar.sql.calcite.QueryParser}. Invariant: what is Fulmar's dialect is decided here, and what becomes of
 * a valid statement elsewhere.
 */
@NullMarked
package dev.fulmar.sql.calcite;

import org.jspecify.annotations.NullMarked;
