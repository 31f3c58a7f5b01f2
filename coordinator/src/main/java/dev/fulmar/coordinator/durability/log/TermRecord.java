package dev.fulmar.coordinator.durability.log;

import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.engine.durability.ImageBuffer;
import dev.fulmar.engine.durability.ImageReader;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes and decodes a log's terms, for EPOCH records and the {@link CopyRow} of a checkpoint: of each term its epoch
 * and start.
 */
public final class TermRecord {
    private TermRecord() {}

    /** Appends the terms to a payload that was begun. */
    static void write(EpochHistory history, ImageBuffer out) {
        out.putInt(history.terms().size());
        for (EpochHistory.Term term : history.terms()) {
            out.putLong(term.epoch());
            out.putLong(term.start());
        }
    }

    /** Reads the terms from where the rest of a payload begins. */
    public static EpochHistory read(byte[] array, int begin, int end) {
        ImageReader in = new ImageReader(array, begin, end);
        int count = in.getInt();
        List<EpochHistory.Term> terms = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            terms.add(new EpochHistory.Term(in.getLong(), in.getLong()));
        }
        return new EpochHistory(terms);
    }
}
