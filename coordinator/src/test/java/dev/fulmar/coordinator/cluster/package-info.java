/** Tests of a process among the others of its cluster. */
@NullMarked
package dev.fulmar.coordinator.cluster;

import org.jspecify.annotations.NullMarked;
