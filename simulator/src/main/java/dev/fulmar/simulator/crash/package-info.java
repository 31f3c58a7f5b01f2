/**
 * Databases that lose their process, or the power, at chosen points. Invariant: after a crash a database must show the
 * effect of every acknowledged transaction, and of the others all or nothing. The history over all lives is strictly
 * serializable.
 */
@NullMarked
package dev.fulmar.simulator.crash;

import org.jspecify.annotations.NullMarked;
