package dev.fulmar.foundation.time;

/** Source of time. Thread-safe. */
public interface Clock {
    /** Nanoseconds that never go back; only differences mean anything. */
    long monotonicNanos();

    /** Microseconds since the Unix epoch; may jump either way. */
    long wallMicros();
}
