/** Tests of transfers that need no server. */
@NullMarked
package dev.fulmar.client.transfer;

import org.jspecify.annotations.NullMarked;
