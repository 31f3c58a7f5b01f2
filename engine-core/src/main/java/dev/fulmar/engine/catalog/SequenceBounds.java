package dev.fulmar.engine.catalog;

import dev.fulmar.foundation.data.TypeKind;

/**
 * Bounds a dense sequence, and says where it begins anew.
 *
 * @param least number
 * @param greatest number
 * @param cycles whether numbers begin anew behind the last one
 * @param first number to which RESTART goes back
 * @param type that the sequence was declared with
 */
public record SequenceBounds(long least, long greatest, boolean cycles, long first, TypeKind type) {
    /** All numbers there are. */
    static SequenceBounds none(long first) {
        return new SequenceBounds(Long.MIN_VALUE, Long.MAX_VALUE, false, first, TypeKind.BIGINT);
    }

    /** The least number of a type of integers. */
    public static long least(TypeKind type) {
        return -greatest(type) - 1;
    }

    /** The greatest number of a type of integers. */
    public static long greatest(TypeKind type) {
        return switch (type) {
            case SMALLINT -> Short.MAX_VALUE;
            case INTEGER -> Integer.MAX_VALUE;
            default -> Long.MAX_VALUE;
        };
    }

    /** The last number in the direction of the increment. */
    long last(long increment) {
        return increment > 0 ? greatest : least;
    }

    /** The number with which a further round begins. */
    long again(long increment) {
        return increment > 0 ? least : greatest;
    }

    /** Whether no number is excluded, and none comes again. */
    public boolean areAll() {
        return least == Long.MIN_VALUE && greatest == Long.MAX_VALUE && !cycles;
    }

    /** Whether the number is one of them. */
    public boolean contains(long number) {
        return number >= least && number <= greatest;
    }
}
