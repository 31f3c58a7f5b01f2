/**
 * The commands of transactions that a client sends statement by statement. Invariant: clients and nodes take the same
 * texts for commands.
 */
@NullMarked
package dev.fulmar.wire.session;

import org.jspecify.annotations.NullMarked;
