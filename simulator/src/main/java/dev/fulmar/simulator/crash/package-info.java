/**
 * Databases that lose their process, or the power, at chosen points. Invariant: after a crash a database must show what
 * every acknowledged transaction did, and of the others all or nothing; the history over all lives is strictly
 * serializable.
 */
@NullMarked
package dev.fulmar.simulator.crash;

import org.jspecify.annotations.NullMarked;
