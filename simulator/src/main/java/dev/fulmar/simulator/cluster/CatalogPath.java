package dev.fulmar.simulator.cluster;

/** Rare paths of runs whose clients change the catalog. */
enum CatalogPath {
    CATALOG_CHANGED,
    /** Rows of a table were placed by another column while others were put in. */
    PLACED_ANEW,
    /** A transaction has changed the catalog by several statements. */
    CHANGED_TOGETHER,
    /** A constraint was refused for rows that break it. */
    CONSTRAINT_REFUSED,
    /** A row was refused for a constraint that came while rows were put in. */
    ROW_REFUSED,
    /** A client does not know whether it has changed the catalog. */
    CHANGE_UNKNOWN,
    /** A request was refused because it would have gone elsewhere than at its first sending. */
    ROUTED_ANEW
}
