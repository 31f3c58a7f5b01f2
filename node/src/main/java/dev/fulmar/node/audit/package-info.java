/**
 * What must not be forgotten about who did what. Invariant: it holds no password, no verifier and no value of a
 * statement or a call.
 */
@NullMarked
package dev.fulmar.node.audit;

import org.jspecify.annotations.NullMarked;
