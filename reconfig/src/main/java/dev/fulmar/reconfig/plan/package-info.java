/**
 * Partition plans as an operator writes and reads them, and the difference between two plans (Squall §3, Figure 5).
 *
 * <p>Invariant: a plan that is read gives each position to exactly one partition. A text that gives a position to
 * two partitions or to none is refused, and the message names the range. A written plan, read again, is equal to the
 * first one.
 */
@NullMarked
package dev.fulmar.reconfig.plan;

import org.jspecify.annotations.NullMarked;
