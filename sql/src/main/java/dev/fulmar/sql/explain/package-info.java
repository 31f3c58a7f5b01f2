/** Plans as text. Entry: {@link dev.fulmar.sql.explain.PlanPrinter}. Invariant: equal plans print equally. */
@NullMarked
package dev.fulmar.sql.explain;

import org.jspecify.annotations.NullMarked;
