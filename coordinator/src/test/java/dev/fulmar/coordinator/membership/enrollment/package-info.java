@NullMarked
package dev.fulmar.coordinator.membership.enrollment;

import org.jspecify.annotations.NullMarked;
