/**
 * SmallBank: accounts and transfers. Invariant: money is neither made nor lost but by deposits and cheques that clients
 * saw committed.
 */
@NullMarked
package dev.fulmar.benchmarks.smallbank;

import org.jspecify.annotations.NullMarked;
