/** Log-in of PostgreSQL's clients. Invariant: the same happens for users that there are and for those that are not. */
@NullMarked
package dev.fulmar.wire.postgres.authentication;

import org.jspecify.annotations.NullMarked;
