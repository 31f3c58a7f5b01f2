/**
 * The TOC log: a commit is durable after one sequential write. Invariants:
 *
 * <ul>
 *   <li><b>Flush, fence, then publish.</b> The log publishes a record as durable only after the write that holds it has
 *       returned from the device.
 *   <li><b>Recovery replays to a prefix.</b> Of every stream (partition) it returns appended records, in the order in
 *       which they were appended and without a gap. At least the records that were published as durable are among them.
 *   <li><b>One fence per group.</b> Records of all streams that arrive while a write is under way form the next group;
 *       a group is one synchronous write.
 *   <li><b>A group attests what was durable before it.</b> A bad record under a later attestation is corruption, and
 *       the log refuses to start. An unattested last group that is not whole is a torn tail, which is cut and reported.
 *   <li><b>A failed fence is final.</b> It is never repeated: the log stops publishing at once and for good, for the
 *       content of the device is unknown. A restart reads the device and knows again.
 * </ul>
 *
 * <p>Each of these packages depends only on those before it: {@code record} (bytes of a record), {@code segment} (bytes
 * around the records), {@code recovery} (reading), {@code log} (writing).
 */
@NullMarked
package dev.fulmar.pmemlog;

import org.jspecify.annotations.NullMarked;
