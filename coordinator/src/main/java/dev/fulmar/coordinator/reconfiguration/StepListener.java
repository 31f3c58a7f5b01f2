package dev.fulmar.coordinator.reconfiguration;

import dev.fulmar.foundation.error.FulmarException;

/** Listener for the fate of a step. Told on the partition's thread; throws nothing. */
public interface StepListener {
    /** The step's record is durable on all copies in sync. */
    void safe();

    /** The step was not taken, for the reason, and nothing has changed. */
    void refused(FulmarException cause);

    /** The step was taken, and it is unknown whether the next primary has its record. */
    void lost(FulmarException cause);

    /** For a step whose fate is of no interest. */
    static StepListener none() {
        return new StepListener() {
            @Override
            public void safe() {}

            @Override
            public void refused(FulmarException cause) {}

            @Override
            public void lost(FulmarException cause) {}
        };
    }
}
