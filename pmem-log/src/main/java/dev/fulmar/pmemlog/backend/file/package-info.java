/** The default: files of the operating system. Invariant: nothing but the JDK is needed. */
@NullMarked
package dev.fulmar.pmemlog.backend.file;

import org.jspecify.annotations.NullMarked;
