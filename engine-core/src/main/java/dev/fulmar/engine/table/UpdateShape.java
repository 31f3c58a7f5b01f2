package dev.fulmar.engine.table;

/** A set of columns that a statement changes, with what follows from it. Made once per statement by {@link TableStore#updateShape}. */
public final class UpdateShape {}
