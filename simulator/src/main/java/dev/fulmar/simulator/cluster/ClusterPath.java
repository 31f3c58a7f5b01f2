package dev.fulmar.simulator.cluster;

import java.util.Arrays;
import java.util.List;

/** Paths that a campaign of clusters must have reached to be believed. */
enum ClusterPath {
    /** A copy was promoted because the primary was gone. */
    PROMOTION,
    COPY_REBUILT,
    /** A node started again on what its disk had. */
    RESTART,
    /** All nodes lost power at once. */
    POWER_CUT,
    /** A node lost all that it had. */
    DISK_LOST,
    /** A request went to a node that had to pass it on. */
    FORWARDED,
    /** A client heard that an outcome is unknown. */
    OUTCOME_UNKNOWN,
    /** A client's connection broke under a call. */
    CONNECTION_LOST,
    /** A request was sent again under its handle and had been executed before. */
    RETRY_RECOGNISED,
    /** A request that had long been answered was asked again under its handle. */
    ECHO,
    /** All nodes ended at once when all was quiet, and began again. */
    FINALE,
    /** A client was told that its node does not serve. */
    TURNED_AWAY,
    /** A node's log failed and it stopped. */
    LOG_FAILED,
    /** A reconfiguration ended, in a run that moves keys. */
    RECONFIGURED;

    /** Names of those that runs of all kinds reach. */
    static List<String> names() {
        return Arrays.stream(values())
                .filter(path -> path != RECONFIGURED)
                .map(Enum::name)
                .toList();
    }
}
