package dev.fulmar.procedure;

/**
 * Marks a stored procedure; see the package description for the {@code run} method. Every call gets an object of its
 * own, so instance fields cannot carry state from call to call; a class that has fields which look as if they could is
 * refused.
 */
public interface Procedure {}
