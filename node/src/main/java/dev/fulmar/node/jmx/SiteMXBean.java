package dev.fulmar.node.jmx;

/** A thread that runs partitions. Rates are over the last seconds. */
public interface SiteMXBean {
    int getSite();

    /** Messages and transactions. */
    long getHandled();

    double getHandledPerSecond();

    long getBusyTurns();

    long getIdleTurns();

    /** Share of the time with work, from 0 to 1. */
    double getBusyShare();
}
