package dev.fulmar.engine.partition;

import dev.fulmar.foundation.id.TransactionId;

/** Record of what a partition committed, from which it can be rebuilt. Called on the partition's thread, in commit order. */
public interface CommandLog {
    /** A single-partition transaction committed; returns the log position up to which its reply must wait. */
    long committed(Partition partition, SinglePartitionWork work, long commitTimestamp);

    /** The lock holder can commit; returns the log position up to which the vote must wait. */
    long prepared(Partition partition, TransactionId transaction, long proposedTimestamp);

    /** The outcome of a prepared transaction; returns the log position of the record. */
    long decided(Partition partition, TransactionId transaction, boolean commit, long commitTimestamp);

    /** Position of the last record: what a reply without a record of its own waits for. */
    long position(Partition partition);

    /** Keeps nothing: a restart begins with an empty database. */
    static CommandLog none() {
        return new CommandLog() {
            @Override
            public long committed(Partition partition, SinglePartitionWork work, long commitTimestamp) {
                return 0;
            }

            @Override
            public long prepared(Partition partition, TransactionId transaction, long proposedTimestamp) {
                return 0;
            }

            @Override
            public long decided(Partition partition, TransactionId transaction, boolean commit, long commitTimestamp) {
                return 0;
            }

            @Override
            public long position(Partition partition) {
                return 0;
            }
        };
    }
}
