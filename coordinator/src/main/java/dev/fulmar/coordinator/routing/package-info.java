/**
 * Routing: finds the partition that runs a request. Invariant: routing reads one version of the catalog and blocks on
 * nothing.
 */
@NullMarked
package dev.fulmar.coordinator.routing;

import org.jspecify.annotations.NullMarked;
