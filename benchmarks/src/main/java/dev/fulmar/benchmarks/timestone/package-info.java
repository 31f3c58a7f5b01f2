/**
 * TimeStone's benchmarks on the stand-alone store and on its rivals. Invariant: every rival runs the same code of the
 * same structures over the same draws. Emulated and real persistent memory never share a chart.
 */
@NullMarked
package dev.fulmar.benchmarks.timestone;

import org.jspecify.annotations.NullMarked;
