/**
 * Requests of careless or hostile clients, and the answers that they must get. Invariant: every case names the errors
 * that are right for it; anything else, and any failure of a bystander, is a surprise.
 */
@NullMarked
package dev.fulmar.benchmarks.hostile;

import org.jspecify.annotations.NullMarked;
