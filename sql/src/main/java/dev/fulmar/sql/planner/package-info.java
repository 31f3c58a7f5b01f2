/**
 * Turns relational trees into plans. Entry: {@link dev.fulmar.sql.planner.StatementPlanner}. Invariant: a relation that
 * is built runs either wholly inside each partition of a fragment or wholly in the merge. A fragment's rows on its
 * partitions together are exactly the relation's rows, none missing and none twice.
 *
 * <p>More than 40 files: each relational operation and each rewrite has a class, and all share one planner.
 */
@NullMarked
package dev.fulmar.sql.planner;

import org.jspecify.annotations.NullMarked;
