package dev.fulmar.foundation.data;

/** The order of the numbers of a date that does not tell it, as 1/2/2003: the letters are those of PostgreSQL. */
public enum DateOrder {
    /** Month, day, year. */
    MDY,
    /** Day, month, year. */
    DMY,
    /** Year, month, day. */
    YMD
}
