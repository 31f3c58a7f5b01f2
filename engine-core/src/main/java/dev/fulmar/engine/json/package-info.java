/**
 * JSON as SQL has it: reading, changing and comparing documents that are text.
 *
 * <p>A value of type JSON is the text as it was written. A value of type JSONB is canonical: its text is as PostgreSQL
 * prints it. It has no needless blanks and each key once, in order of their length and then of their bytes.
 *
 * <p>Invariants: no document is nested more deeply than {@link dev.fulmar.engine.json.JsonReader#MOST_LEVELS}, so no
 * text can overflow the stack. A part of a canonical document is canonical. Canonical documents are equal if, and only
 * if, {@link dev.fulmar.engine.json.JsonOrder} writes the same bytes of both. Their texts may differ in the scale of
 * numbers.
 */
@NullMarked
package dev.fulmar.engine.json;

import org.jspecify.annotations.NullMarked;
