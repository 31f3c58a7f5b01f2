package dev.fulmar.benchmarks.portals;

/**
 * Observations of a node that has more rows than heap.
 *
 * @param rows that there are
 * @param base the node before anything is read
 * @param stream through a stream of the client
 * @param cursor through a cursor of a transaction that only reads
 * @param crowd the node while a hundred readers have stopped
 * @param crowdOpen portals that were open then
 * @param stalled the node when a portal had been left too long, beside writers
 * @param heard what its client heard then
 * @param written updates beside it
 * @param refused updates of those that failed
 * @param end the node when all clients were gone
 */
record PortalObservations(
        long rows,
        PortalNodeFigures base,
        LargeReading stream,
        LargeReading cursor,
        PortalNodeFigures crowd,
        long crowdOpen,
        PortalNodeFigures stalled,
        String heard,
        long written,
        long refused,
        PortalNodeFigures end) {}
