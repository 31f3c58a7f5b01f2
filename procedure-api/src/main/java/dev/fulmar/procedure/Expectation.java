package dev.fulmar.procedure;

/** What the result of a statement must look like; a breach rolls the transaction back. */
public enum Expectation {
    ANY,
    EMPTY,
    NON_EMPTY,
    ONE_ROW,
    ZERO_OR_ONE_ROW,
    /** One row of one column. */
    SCALAR
}
