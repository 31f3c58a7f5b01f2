@NullMarked
package dev.fulmar.node.data;

import org.jspecify.annotations.NullMarked;
