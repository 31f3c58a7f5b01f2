/**
 * Estimates of the rows that operators yield and of their cost, by the statistics of the tables. Estimates choose
 * between plans that yield the same rows, and are shown; nothing else may depend on them.
 */
@NullMarked
package dev.fulmar.sql.estimate;

import org.jspecify.annotations.NullMarked;
