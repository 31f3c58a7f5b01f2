package dev.fulmar.sql.planner;

/** An order that somebody would like: of an output column. */
record OrderKey(int column, boolean descending, boolean nullsFirst) {
    OrderKey onColumn(int otherColumn) {
        return new OrderKey(otherColumn, descending, nullsFirst);
    }
}
