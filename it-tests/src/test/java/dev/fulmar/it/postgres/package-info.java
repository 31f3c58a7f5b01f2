/** Clients of PostgreSQL against a node: their drivers and tools as they are. */
@NullMarked
package dev.fulmar.it.postgres;

import org.jspecify.annotations.NullMarked;
