/**
 * Statements that begin with WITH and change rows, as several statements of one transaction. Invariants:
 *
 * <ul>
 *   <li>A part sees the tables as they were before the statement, or the statement is refused before a part runs.
 *   <li>Rows pass from part to part as the parts yielded them, with their types. Rows that do not fit are refused.
 *   <li>Each change runs once, whether or not its rows are read. A part that fails undoes all of them.
 * </ul>
 *
 * <p>Start reading at {@link dev.fulmar.postgres.with.WithPlanner}.
 */
@NullMarked
package dev.fulmar.postgres.with;

import org.jspecify.annotations.NullMarked;
