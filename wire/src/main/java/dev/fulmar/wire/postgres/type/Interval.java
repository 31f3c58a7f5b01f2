package dev.fulmar.wire.postgres.type;

/** Value of PostgreSQL's {@code interval}. Its three parts are not converted into each other. */
public record Interval(int months, int days, long micros) {}
