/**
 * PostgreSQL's dialect as text: its statements become those of Fulmar, word for word. Invariants:
 *
 * <ul>
 *   <li>A name in the one dialect is exactly one name in the other, and back ({@link
 *       dev.fulmar.postgres.dialect.NameFolding}). Plain names mean the same object in both.
 *   <li>A statement is translated or refused. It is never passed on if the same words mean another value.
 *   <li>Every place in a translated text has a place in the text that the client sent, so errors point at that.
 * </ul>
 *
 * More than 40 files: each rewriting of words stands by itself, and {@link dev.fulmar.postgres.dialect.Translator}
 * applies them one after the other.
 */
@NullMarked
package dev.fulmar.postgres.dialect;

import org.jspecify.annotations.NullMarked;
