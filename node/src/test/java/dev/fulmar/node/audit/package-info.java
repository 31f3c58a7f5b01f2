@NullMarked
package dev.fulmar.node.audit;

import org.jspecify.annotations.NullMarked;
