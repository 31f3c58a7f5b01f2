/**
 * The operation log's record, format version 1. Invariant: a record certifies itself (length, checksum). A reader of
 * arbitrary bytes answers with a verdict, never with an exception, and allocates nothing.
 *
 * <p>Little-endian; the length counts header and payload; records follow each other at multiples of 8 bytes.
 *
 * <table>
 * <caption>Record</caption>
 * <tr><td>0</td><td>int</td><td>CRC32C of all bytes after this field</td></tr>
 * <tr><td>4</td><td>int</td><td>length</td></tr>
 * <tr><td>8</td><td>byte</td><td>format version, 1</td></tr>
 * <tr><td>9</td><td>byte</td><td>kind</td></tr>
 * <tr><td>10</td><td>short</td><td>0</td></tr>
 * <tr><td>12</td><td>int</td><td>stream: the partition, or a negative number</td></tr>
 * <tr><td>16</td><td>long</td><td>sequence in the stream</td></tr>
 * <tr><td>24</td><td>int</td><td>epoch of the stream</td></tr>
 * <tr><td>28</td><td>int</td><td>catalog version</td></tr>
 * <tr><td>32</td><td>long</td><td>client id</td></tr>
 * <tr><td>40</td><td>long</td><td>request id; with the client id, the client handle</td></tr>
 * <tr><td>48</td><td>long</td><td>procedure time in microseconds</td></tr>
 * <tr><td>56</td><td>long</td><td>commit timestamp</td></tr>
 * <tr><td>64</td><td>long</td><td>digest of what the transaction wrote</td></tr>
 * <tr><td>72</td><td>bytes</td><td>payload, whose meaning depends on the kind and is the engine's</td></tr>
 * </table>
 */
@NullMarked
package dev.fulmar.pmemlog.record;

import org.jspecify.annotations.NullMarked;
