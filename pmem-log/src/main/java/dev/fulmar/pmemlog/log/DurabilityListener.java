package dev.fulmar.pmemlog.log;

import dev.fulmar.foundation.error.FulmarException;

/**
 * Listens to durable positions. Called on the log's thread, so it only passes the word on, for example by waking a
 * site.
 */
public interface DurabilityListener {
    /** The lane's durable position moved. */
    void durable(PartitionLogBuffer lane);

    /** The log stopped for good: nothing becomes durable any more. */
    void failed(FulmarException failure);

    /** A listener that ignores all positions. */
    static DurabilityListener none() {
        return new DurabilityListener() {
            @Override
            public void durable(PartitionLogBuffer lane) {}

            @Override
            public void failed(FulmarException failure) {}
        };
    }
}
