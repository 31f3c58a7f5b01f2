/**
 * Files in persistent memory. Invariant: the table of files is in two copies, each durable before the other is touched.
 * A copy names only bytes that were durable before, and no extent is used again while a copy names it.
 *
 * <table>
 * <caption>The memory, little-endian</caption>
 * <tr><td>0</td><td>first copy of the table</td></tr>
 * <tr><td>T</td><td>second copy; T follows from the size</td></tr>
 * <tr><td>2T</td><td>extents</td></tr>
 * </table>
 *
 * <table>
 * <caption>A copy of the table</caption>
 * <tr><td>0</td><td>8</td><td>{@code FFULPMEM}</td></tr>
 * <tr><td>8</td><td>4</td><td>CRC32C of bytes 12 to the end</td></tr>
 * <tr><td>12</td><td>4</td><td>format version, 1</td></tr>
 * <tr><td>16</td><td>8</td><td>generation; the greater one counts</td></tr>
 * <tr><td>24</td><td>8</td><td>bytes of the memory</td></tr>
 * <tr><td>32</td><td>4</td><td>bytes of an extent</td></tr>
 * <tr><td>36</td><td>4</td><td>bytes of the copy</td></tr>
 * <tr><td>40</td><td>4</td><td>number of files</td></tr>
 * <tr><td>44</td><td></td><td>files: bytes of the name (4), name, size (8), number of extents (4), extents (4
 * each)</td></tr>
 * </table>
 */
@NullMarked
package dev.fulmar.pmemlog.backend.memory;

import org.jspecify.annotations.NullMarked;
