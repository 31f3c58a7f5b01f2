package dev.fulmar.client;

/**
 * Figures of a client so far.
 *
 * @param completed calls that committed
 * @param failed calls with an error, those of unknown outcome included
 * @param outcomesUnknown calls whose outcome the client could not learn
 * @param repeated calls sent again after their connection broke
 * @param connectionsLost connections that broke
 * @param outstanding calls without outcome at the moment
 */
public record ClientStatistics(
        long completed, long failed, long outcomesUnknown, long repeated, long connectionsLost, int outstanding) {}
