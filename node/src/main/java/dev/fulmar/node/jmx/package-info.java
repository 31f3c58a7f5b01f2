/**
 * Figures for operators as MXBeans {@code fulmar:type=Node|Site|Partition|Procedure|Table|Client}. Invariant: reading a
 * figure disturbs nobody who does work; whoever does the work counts, and this package only reads.
 */
@NullMarked
package dev.fulmar.node.jmx;

import org.jspecify.annotations.NullMarked;
