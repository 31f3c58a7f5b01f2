package dev.fulmar.coordinator.statement;

/**
 * Settings for statements that clients send as text.
 *
 * @param cached how many stay compiled at least
 * @param partitionsByKey whether tables of which nothing else is said are partitioned by their primary key
 */
public record StatementSettings(int cached, boolean partitionsByKey) {}
