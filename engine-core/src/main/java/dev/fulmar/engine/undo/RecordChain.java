package dev.fulmar.engine.undo;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.version.VersionRecord;
import dev.fulmar.foundation.check.Invariants;

/** The chain of a transaction's undo records, as a check of invariants reads it: from the newest to the oldest. */
final class RecordChain {
    private RecordChain() {}

    /** Fails unless the chain has so many records of so many bytes; reads all of them. */
    static void check(long newest, long records, long recordBytes) {
        long count = 0;
        long bytes = 0;
        for (long record = newest; record != 0; record = OffHeap.getLong(record + VersionRecord.PREVIOUS)) {
            count++;
            bytes += VersionRecord.bytes(record);
        }
        Invariants.check(count == records, "an undo log's chain leads to each record of the transaction");
        Invariants.check(bytes == recordBytes, "an undo log counts the bytes of each record of the transaction");
    }
}
