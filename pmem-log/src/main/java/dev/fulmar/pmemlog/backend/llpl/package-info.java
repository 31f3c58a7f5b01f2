/**
 * Intel's LLPL on persistent memory. Invariant: only here is LLPL named, and only what
 * {@link dev.fulmar.pmemlog.backend.llpl.LlplBackendProvider} opens touches it, so everything else runs without its
 * library. The pool holds bytes of Fulmar's own formats with checksums. No handle and no metadata that is read from it
 * is trusted.
 */
@NullMarked
package dev.fulmar.pmemlog.backend.llpl;

import org.jspecify.annotations.NullMarked;
