/**
 * Tables as CSV files, and back. Invariant: a record of a file is a row, is among the rejected ones with the reason, or
 * has not been reached. A resumed load goes on behind the last record of which that is known.
 */
@NullMarked
package dev.fulmar.client.transfer;

import org.jspecify.annotations.NullMarked;
