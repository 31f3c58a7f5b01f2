/**
 * The node's own procedures, called like stored ones. Invariant: they read what others count and hand work to others;
 * they hold no logic of the database.
 */
@NullMarked
package dev.fulmar.node.admin;

import org.jspecify.annotations.NullMarked;
