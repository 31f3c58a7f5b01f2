/**
 * Apache Calcite set up for Fulmar: its types, functions, name resolution and error texts. Entry:
 * {@link dev.fulmar.sql.calcite.QueryParser}. Invariant: this package decides the dialect, and others the plan of a
 * valid statement.
 *
 * <p>More than 40 files: each extension point of Calcite that the dialect uses has a class.
 */
@NullMarked
package dev.fulmar.sql.calcite;

import org.jspecify.annotations.NullMarked;
