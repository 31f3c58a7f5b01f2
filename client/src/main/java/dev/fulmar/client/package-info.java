/** The Java client, synchronous and asynchronous, and the JDBC driver. */
@NullMarked
package dev.fulmar.client;

import org.jspecify.annotations.NullMarked;
