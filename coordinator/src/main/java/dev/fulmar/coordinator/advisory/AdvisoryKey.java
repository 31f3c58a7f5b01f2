package dev.fulmar.coordinator.advisory;

import java.util.Comparator;

/**
 * The subject of a lock: one number, or a pair of numbers, which is never the same as a single one.
 *
 * @param number of a pair the first one in the upper half
 */
public record AdvisoryKey(boolean isPair, long number) implements Comparable<AdvisoryKey> {
    private static final Comparator<AdvisoryKey> ORDER =
            Comparator.comparing(AdvisoryKey::isPair).thenComparingLong(AdvisoryKey::number);

    @Override
    public int compareTo(AdvisoryKey other) {
        return ORDER.compare(this, other);
    }
}
