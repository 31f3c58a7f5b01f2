package dev.fulmar.coordinator.statement;

import dev.fulmar.engine.spi.Statistics;

/**
 * Port by which {@link Statements} gets the newest statistics of the tables' rows to plan with. Thread-safe, and quick.
 */
public interface TableKnowledge {
    /** The newest statistics. */
    Statistics known();

    /** The newest statistics; if those are old, newer ones follow soon. */
    Statistics renewed();

    /** No statistics, for plans made without. */
    static TableKnowledge none() {
        return new TableKnowledge() {
            @Override
            public Statistics known() {
                return Statistics.NONE;
            }

            @Override
            public Statistics renewed() {
                return Statistics.NONE;
            }
        };
    }
}
