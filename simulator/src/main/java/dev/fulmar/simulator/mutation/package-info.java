/**
 * Planted bugs: what the campaign is worth. Invariant: a bug counts as found only if the standard campaign, which knows
 * nothing of it, tells the seed that shows it.
 */
@NullMarked
package dev.fulmar.simulator.mutation;

import org.jspecify.annotations.NullMarked;
