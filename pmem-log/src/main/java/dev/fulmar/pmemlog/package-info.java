/** The TOC log: a commit is durable after one sequential write. */
@NullMarked
package dev.fulmar.pmemlog;

import org.jspecify.annotations.NullMarked;
