@org.jspecify.annotations.NullMarked
package dev.fulmar.postgres.value;
