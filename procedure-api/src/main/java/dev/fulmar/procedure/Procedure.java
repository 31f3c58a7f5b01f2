package dev.fulmar.procedure;

/**
 * Marks a stored procedure; see the package description for the {@code run} method. One object serves many calls of one
 * partition one after another, so instance fields must not carry state from call to call; a class that has such fields is
 * refused.
 */
public interface Procedure {}
