/** Messages of PostgreSQL's protocol as records. Invariant: a record is immutable if its arrays are left alone. */
@NullMarked
package dev.fulmar.wire.postgres.message;

import org.jspecify.annotations.NullMarked;
