package dev.fulmar.coordinator.portal;

/** Figures of portals. Any thread. */
public interface PortalFigures {
    /** Portals that are open, with those that have failed and whose clients do not know it yet. */
    int openPortals();

    /** Bytes that open portals take, with results that they hold. */
    long takenBytes();

    /** Portals that were opened. */
    long opened();

    /** Portals that were ended since their clients did not fetch. */
    long timedOut();
}
