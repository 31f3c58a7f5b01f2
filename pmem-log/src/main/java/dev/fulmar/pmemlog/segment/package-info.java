/**
 * The bytes around the records: control file, segments, groups, seals. Invariant: a group is bound to its log, its
 * segment and its place there, so that what an earlier use of the same bytes left behind is never taken for a part of
 * the log.
 *
 * <p>All little-endian; {@code docs/OPERATION-LOG.md} has the tables.
 */
@NullMarked
package dev.fulmar.pmemlog.segment;

import org.jspecify.annotations.NullMarked;
