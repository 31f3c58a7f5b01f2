package dev.fulmar.node.jmx;

/** A thread that runs partitions. Rates are over the last seconds. */
public interface SiteMXBean {
    @Gauge("Number of the site.")
    int getSite();

    @Counter("Messages and transactions that the site has handled.")
    long getHandled();

    @Gauge("Messages and transactions handled per second, over the last seconds.")
    double getHandledPerSecond();

    @Counter("Turns of the site that found work.")
    long getBusyTurns();

    @Counter("Turns of the site that found none.")
    long getIdleTurns();

    @Gauge("Share of the time with work, from 0 to 1, over the last seconds.")
    double getBusyShare();
}
