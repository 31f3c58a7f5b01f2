/**
 * The bytes around the records: control file, segments, groups, seals. Invariant: a group is bound to its log, its
 * segment and its place there. So bytes that an earlier use left behind never count as a part of the log.
 *
 * <p>All little-endian; {@code docs/OPERATION-LOG.md} has the tables.
 */
@NullMarked
package dev.fulmar.pmemlog.segment;

import org.jspecify.annotations.NullMarked;
