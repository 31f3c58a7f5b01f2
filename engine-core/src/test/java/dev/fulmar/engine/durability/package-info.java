@NullMarked
package dev.fulmar.engine.durability;

import org.jspecify.annotations.NullMarked;
