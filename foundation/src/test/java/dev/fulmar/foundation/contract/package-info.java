/** Contracts that real and simulated twins both meet. Invariant: every suite here runs on both. */
@NullMarked
package dev.fulmar.foundation.contract;

import org.jspecify.annotations.NullMarked;
