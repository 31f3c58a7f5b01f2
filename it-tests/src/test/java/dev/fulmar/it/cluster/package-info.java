/** Clusters of real processes. */
@NullMarked
package dev.fulmar.it.cluster;

import org.jspecify.annotations.NullMarked;
