/**
 * Time. Invariant: no other module reads a clock of the operating system; real clocks live in {@code time.real}, the
 * simulated ones in {@code simulated}.
 */
@NullMarked
package dev.fulmar.foundation.time;

import org.jspecify.annotations.NullMarked;
