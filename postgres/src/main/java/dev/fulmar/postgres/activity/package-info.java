/**
 * The activity of a node's sessions, as pg_stat_activity shows it.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A session is listed from its log-in until its client is gone, under the number that a cancel request names.
 *   <li>Its own thread alone changes its activity; any other sees state, statement and times of one moment together.
 * </ul>
 */
@NullMarked
package dev.fulmar.postgres.activity;

import org.jspecify.annotations.NullMarked;
