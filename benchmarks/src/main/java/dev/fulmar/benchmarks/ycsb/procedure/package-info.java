/**
 * YCSB's operations. Invariant: the classes of this package see only the procedure API and each other. So they are
 * packed into a jar and loaded as a user's are.
 */
@NullMarked
package dev.fulmar.benchmarks.ycsb.procedure;

import org.jspecify.annotations.NullMarked;
