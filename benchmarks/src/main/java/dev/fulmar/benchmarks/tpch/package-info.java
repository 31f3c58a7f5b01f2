/**
 * The queries of TPC-H over data of its form, which a generator of our own makes.
 *
 * <p>INVARIANT: the data depends on the scale alone. It follows the value ranges of the specification where a query
 * depends on them, and is no input for published TPC-H figures.
 */
@NullMarked
package dev.fulmar.benchmarks.tpch;

import org.jspecify.annotations.NullMarked;
