package dev.fulmar.procedure;

/** Expected shape of a statement's result; a breach rolls the transaction back. */
public enum Expectation {
    ANY,
    EMPTY,
    NON_EMPTY,
    ONE_ROW,
    ZERO_OR_ONE_ROW,
    /** One row of one column. */
    SCALAR
}
