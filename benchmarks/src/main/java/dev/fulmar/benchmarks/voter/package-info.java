/** Voter: a phone vote. Invariant: no phone number has more votes than allowed, and the two counts of votes agree. */
@NullMarked
package dev.fulmar.benchmarks.voter;

import org.jspecify.annotations.NullMarked;
