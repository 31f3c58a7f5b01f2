/**
 * Judges of a run. Invariant: a verifier trusts only what clients were told, and reports an anomaly only if no strictly
 * serializable execution could have given these answers.
 */
@NullMarked
package dev.fulmar.simulator.verify;

import org.jspecify.annotations.NullMarked;
