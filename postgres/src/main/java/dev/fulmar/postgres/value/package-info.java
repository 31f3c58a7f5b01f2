/**
 * Parameters and results in PostgreSQL's forms. Invariant: a value that a client sends means the same in the database,
 * or is refused. One that it receives is that of the database.
 */
@NullMarked
package dev.fulmar.postgres.value;

import org.jspecify.annotations.NullMarked;
