/**
 * SQL text to plans and catalog changes. Entry: {@link dev.fulmar.sql.SqlCompiler}. Invariant: no type of Apache
 * Calcite appears in what this module hands out, and every error names the place in the text.
 */
@NullMarked
package dev.fulmar.sql;

import org.jspecify.annotations.NullMarked;
