/**
 * PostgreSQL's types and the text and binary forms of their values. Invariant: a value that a type cannot have fails
 * with the SQLSTATE that PostgreSQL has for it, and takes memory in proportion to its bytes.
 */
@NullMarked
package dev.fulmar.wire.postgres.type;

import org.jspecify.annotations.NullMarked;
