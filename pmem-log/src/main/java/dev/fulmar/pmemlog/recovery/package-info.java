/**
 * Reading a log back. Invariant: a stream's records come in the order of their sequence and without a gap, from the
 * log's first on, and none comes that was not appended; what cannot be so is named with file and offset, never skipped.
 *
 * <p>{@link dev.fulmar.pmemlog.recovery.LogReader} reads a log once, verifies it, and answers with a
 * {@link dev.fulmar.pmemlog.recovery.LogScan}, from which any number of threads replay streams.
 */
@NullMarked
package dev.fulmar.pmemlog.recovery;

import org.jspecify.annotations.NullMarked;
