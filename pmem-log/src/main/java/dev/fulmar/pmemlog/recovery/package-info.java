/**
 * Reading a log back. Invariant: a stream's records come in the order of their sequence, without a gap, from the log's
 * first on; only appended records come. The reader names every breach with file and offset, and never skips it.
 *
 * <p>{@link dev.fulmar.pmemlog.recovery.LogReader} reads a log once, verifies it, and answers with a
 * {@link dev.fulmar.pmemlog.recovery.LogScan}, from which any number of threads replay streams.
 */
@NullMarked
package dev.fulmar.pmemlog.recovery;

import org.jspecify.annotations.NullMarked;
