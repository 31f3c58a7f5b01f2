package dev.fulmar.node.config;

import java.time.Duration;

/**
 * Limits of requests in time and number.
 *
 * @param strict {@code procedures.strict}: whether a single-partition procedure that reaches elsewhere fails instead of
 *     being run again
 * @param timeBudget {@code procedures.time-budget}: how long one call of a procedure may run
 * @param timeout {@code requests.timeout}: how long a request may wait if the client does not say
 * @param queuePerPartition {@code requests.queue-per-partition}: requests that may wait for one partition
 */
public record RequestConfiguration(boolean strict, Duration timeBudget, Duration timeout, int queuePerPartition) {
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int USUAL_QUEUE = 16_384;
    private static final int MAX_QUEUE = 1 << 24;

    static RequestConfiguration of(Settings settings) {
        return new RequestConfiguration(
                settings.truth("procedures.strict", false),
                settings.duration("procedures.time-budget", Duration.ofSeconds(5), MILLISECOND, HOUR),
                settings.duration("requests.timeout", Duration.ofSeconds(30), MILLISECOND, HOUR),
                settings.number("requests.queue-per-partition", USUAL_QUEUE, 1, MAX_QUEUE));
    }
}
