/** What real and simulated twins must both do. Invariant: every suite here runs on both. */
@NullMarked
package dev.fulmar.foundation.contract;

import org.jspecify.annotations.NullMarked;
