package dev.fulmar.coordinator.change;

import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.ErrorCode.Category;
import dev.fulmar.foundation.time.Clock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of what keeps a change of the catalog that counts from being made here, unless it passes by itself. Rows may
 * break a change that counts where they are of a partition that another node leads by now. This node hears of that
 * soon, and gives those rows up. One thread at a time.
 */
final class Hindrances {
    /** Time in which a node that does not lead a partition any more hears of it. */
    static final long PASSING_NANOS = 10_000_000_000L;

    private static final Logger LOG = LoggerFactory.getLogger(Hindrances.class);

    private final Clock clock;
    private final Consumer<ErrorCode> defects;

    /** The last change that was told of. */
    private volatile @Nullable Object told;

    /** @param defects hears of what lasts, and is of neither the machine nor other nodes */
    Hindrances(Clock clock, Consumer<ErrorCode> defects) {
        this.clock = clock;
        this.defects = defects;
    }

    /**
     * The change was tried in vain.
     *
     * @param sinceNanos when it was to be made first
     */
    void met(Object change, long sinceNanos, Failed failed) {
        Category category = failed.code().category();
        boolean mayPass = category == Category.RETRYABLE
                || (isOfRows(failed.code()) && clock.monotonicNanos() - sinceNanos < PASSING_NANOS);
        if (mayPass || change.equals(told)) {
            return;
        }
        told = change;
        LOG.warn(
                "a change of the catalog that counts cannot be made here, and is tried again until it is: {} {}",
                failed.code(),
                failed.message());
        if (category != Category.RESOURCE) {
            defects.accept(failed.code());
        }
    }

    /** Whether rows or their values are the reason, and not what the node's software knows. */
    private static boolean isOfRows(ErrorCode code) {
        return switch (code) {
            case CHECK_VIOLATION,
                    NOT_NULL_VIOLATION,
                    UNIQUE_VIOLATION,
                    FOREIGN_KEY_VIOLATION,
                    VALUE_OUT_OF_RANGE,
                    STRING_TOO_LONG,
                    DIVISION_BY_ZERO,
                    INVALID_TEXT,
                    INVALID_DATETIME,
                    DATETIME_OUT_OF_RANGE -> true;
            default -> false;
        };
    }
}
