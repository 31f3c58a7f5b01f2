package dev.fulmar.engine.execution.operator;

import dev.fulmar.foundation.time.Clock;

/**
 * The partition and the clock of a statement that measures how long its operators take.
 *
 * @param clock what tells the time there
 */
public record MeasuredPlace(int partition, Clock clock) {}
