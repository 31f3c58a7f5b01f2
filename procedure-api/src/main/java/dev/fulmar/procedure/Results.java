package dev.fulmar.procedure;

/** Results of a batch, in the order in which its statements were queued. */
public interface Results {
    int size();

    /** Rows of the statement at the position, the cursor before the first row. Every call returns the same cursor. */
    Rows rows(int position);

    /** Rows that the statement at the position changed; 0 for a query. */
    long changedRows(int position);
}
