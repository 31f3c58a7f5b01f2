/**
 * The TOC log: a commit is durable after one sequential write. What must always hold:
 *
 * <ul>
 *   <li><b>Flush, fence, then publish.</b> Nobody learns that a record is durable before the write that holds it
 *       returned from the device.
 *   <li><b>Recovery replays to a prefix.</b> Of every stream (partition) it returns the records that were appended, in
 *       the order in which they were appended, without a gap, and at least those that were published as durable.
 *   <li><b>One fence per group.</b> Records of all streams that arrive while a write is under way form the next group;
 *       a group is one synchronous write.
 *   <li><b>A group attests what was durable before it.</b> A bad record under a later attestation is corruption, and
 *       the log refuses to start; an unattested last group that is not whole is a torn tail, which is cut and reported.
 *   <li><b>A failed fence is final.</b> It is never repeated: the log stops publishing at once and for good, for nobody
 *       knows what the device holds. A restart reads the device and knows again.
 * </ul>
 *
 * <p>Packages, each depending on those before it only: {@code record} (the bytes of a record), {@code segment} (the
 * bytes around the records), {@code recovery} (reading a log), {@code log} (writing it).
 */
@NullMarked
package dev.fulmar.pmemlog;

import org.jspecify.annotations.NullMarked;
