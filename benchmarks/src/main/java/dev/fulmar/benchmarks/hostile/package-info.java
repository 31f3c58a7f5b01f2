/**
 * What a careless or hostile client sends, and what it must get. Invariant: every case names the errors that are right
 * for it; anything else, and any failure of a bystander, is a surprise.
 */
@NullMarked
package dev.fulmar.benchmarks.hostile;

import org.jspecify.annotations.NullMarked;
