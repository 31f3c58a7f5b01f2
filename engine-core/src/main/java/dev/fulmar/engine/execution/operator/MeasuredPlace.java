package dev.fulmar.engine.execution.operator;

import dev.fulmar.foundation.time.Clock;

/**
 * Where a statement runs that tells how long its operators take.
 *
 * @param clock what tells the time there
 */
public record MeasuredPlace(int partition, Clock clock) {}
