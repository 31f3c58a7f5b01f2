/**
 * The audit trail: log-ins, changes of the catalog and of rights, administration, and denied requests. Invariant: it
 * holds no password, no verifier and no value of a statement or a call.
 */
@NullMarked
package dev.fulmar.node.audit;

import org.jspecify.annotations.NullMarked;
