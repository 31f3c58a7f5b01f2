/**
 * How many rows operators yield and what that costs, by what is known of the tables. Estimates choose between plans
 * that yield the same rows, and are shown; nothing else may depend on them.
 */
@NullMarked
package dev.fulmar.sql.estimate;

import org.jspecify.annotations.NullMarked;
