/**
 * Rows in bulk through PostgreSQL's protocol: files into tables, and results that no heap holds. Invariant: all ways
 * get the same file, each row is counted afterwards, and nobody acknowledges what is not on the disk.
 */
@NullMarked
package dev.fulmar.benchmarks.bulk;

import org.jspecify.annotations.NullMarked;
