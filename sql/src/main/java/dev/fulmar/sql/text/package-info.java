/**
 * SQL as text: tokens, statements of a script, limits, and errors that name a position. Invariant: whatever the text
 * is, nothing here recurses, and its work is linear in the text's length.
 */
@NullMarked
package dev.fulmar.sql.text;

import org.jspecify.annotations.NullMarked;
