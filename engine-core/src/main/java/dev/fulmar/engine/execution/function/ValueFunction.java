package dev.fulmar.engine.execution.function;

import org.jspecify.annotations.Nullable;

/** A function of values none of which is null. It may keep what it has read of its last arguments; one thread. */
@FunctionalInterface
public interface ValueFunction {
    /**
     * The result, or null.
     *
     * @param arguments a String, a Boolean, a byte[], a Double or BigDecimal, an Interval, a Numeric, or a Long, also
     *     for days and microseconds
     */
    @Nullable Object of(Object[] arguments);
}
