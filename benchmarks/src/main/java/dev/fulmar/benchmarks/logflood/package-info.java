/**
 * Lines that nodes write because of strangers and outages. Invariant: every line counts, of every file that a node
 * writes for people, from its start to its end.
 */
@NullMarked
package dev.fulmar.benchmarks.logflood;

import org.jspecify.annotations.NullMarked;
