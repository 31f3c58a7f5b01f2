/**
 * SQL types and the byte formats that engine, wire and clients share: result blocks and parameter lists. Invariant:
 * both formats are little-endian, carry no pointer, and a reader never trusts a length that it has not checked.
 *
 * <p><b>Result block</b>, version 1: {@code int totalBytes, int rowCount, short columnCount, short headerBytes}, then
 * per column
 * {@code byte type, byte scale, byte flags (1: nullable), byte 0, int precision, short nameBytes, name in UTF-8};
 * {@code headerBytes} counts from the start of the block to the first row; shorts are unsigned. A row is
 * {@code int rowBytes} (itself included), a null bitmap of {@code (columns + 7) / 8} bytes (bit set: null), one cell
 * per column, then the variable part. A cell has {@link dev.fulmar.foundation.data.ColumnType#cellBytes()} bytes.
 * Integers, booleans, dates, times, timestamps and decimals of up to 18 digits are a long. REAL and DOUBLE are a
 * double. Longer decimals, UUIDs and intervals are two longs, high first. CHAR, VARCHAR, VARBINARY, JSON, JSONB and
 * ARRAY are {@code int offset} from the row's start and {@code int length} in bytes, of an ARRAY in the form of
 * {@link dev.fulmar.foundation.data.ArrayBytes}. An ENUM is the code of its label, a long. Behind it are the offset and
 * length of the label's bytes; its id is the precision. The cell of a null is zero, so equal rows have equal bytes. A
 * row holds no position of its own and can be copied as it is into another block of the same columns.
 *
 * <p><b>Parameter list</b>, version 1: {@code short count} (unsigned), then per value a tag byte and the value, see
 * {@link dev.fulmar.foundation.data.ParameterTag}.
 *
 * <p>More than 40 files: each type has its values and its bytes beside the formats that hold them.
 */
@NullMarked
package dev.fulmar.foundation.data;

import org.jspecify.annotations.NullMarked;
