package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.data.ColumnType;

/** The order of values of 128 bits. */
public enum WideOrder {
    /** Of decimals. */
    SIGNED {
        @Override
        public int compare(long high, long low, long otherHigh, long otherLow) {
            return WideValue.compare(high, low, otherHigh, otherLow);
        }
    },
    /** Of UUIDs. */
    UNSIGNED {
        @Override
        public int compare(long high, long low, long otherHigh, long otherLow) {
            return WideValue.compare(high ^ Long.MIN_VALUE, low, otherHigh ^ Long.MIN_VALUE, otherLow);
        }
    },
    /** Of intervals. Those that are equal have the order of their bits, so that one of several is always the least. */
    OF_INTERVALS {
        @Override
        public int compare(long high, long low, long otherHigh, long otherLow) {
            int order = IntervalArithmetic.compare(high, low, otherHigh, otherLow);
            return order != 0 ? order : WideValue.compare(high, low, otherHigh, otherLow);
        }
    };

    public abstract int compare(long high, long low, long otherHigh, long otherLow);

    /** The order of values of the type. */
    public static WideOrder of(ColumnType type) {
        return switch (type.kind()) {
            case UUID -> UNSIGNED;
            case INTERVAL -> OF_INTERVALS;
            default -> SIGNED;
        };
    }
}
