/**
 * From a request to the partition that runs it. Invariant: routing reads one version of the catalog and blocks on
 * nothing.
 */
@NullMarked
package dev.fulmar.coordinator.routing;

import org.jspecify.annotations.NullMarked;
