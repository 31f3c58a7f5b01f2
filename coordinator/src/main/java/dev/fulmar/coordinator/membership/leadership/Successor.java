package dev.fulmar.coordinator.membership.leadership;

/**
 * Copy that takes the place of earlier ones on its node.
 *
 * @param process the youngest of its node that was known when that was said; the next one may come back with the
 *     earlier copy, if that was not given up
 */
record Successor(long life, long process) {}
