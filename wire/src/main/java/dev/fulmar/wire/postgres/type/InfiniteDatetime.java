package dev.fulmar.wire.postgres.type;

/** Values of PostgreSQL's date and timestamps that lie after or before all others, and that no type of Fulmar holds. */
public enum InfiniteDatetime {
    INFINITY(DatetimeForm.INFINITY),
    NEGATIVE_INFINITY(DatetimeForm.NEGATIVE_INFINITY);

    private final long number;

    InfiniteDatetime(long number) {
        this.number = number;
    }

    /** The day or microsecond that stands for it. */
    public long number() {
        return number;
    }
}
