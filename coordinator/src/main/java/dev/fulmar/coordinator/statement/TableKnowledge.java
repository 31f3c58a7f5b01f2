package dev.fulmar.coordinator.statement;

import dev.fulmar.engine.spi.Statistics;

/** What is known of the tables' contents. Thread-safe, and quick. */
public interface TableKnowledge {
    /** What is known now. */
    Statistics known();

    /** The same; if that is old, more will be known soon. */
    Statistics renewed();

    /** For what is planned without. */
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
