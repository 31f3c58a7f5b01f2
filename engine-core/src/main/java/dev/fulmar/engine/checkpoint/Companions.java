package dev.fulmar.engine.checkpoint;

import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.List;

/** A companion made of several, which fill a checkpoint one after the other. */
public final class Companions implements CheckpointCompanion {
    private final List<CheckpointCompanion> all;
    private int next;

    public Companions(List<CheckpointCompanion> all) {
        this.all = List.copyOf(all);
    }

    @Override
    public void begin() {
        next = 0;
        all.forEach(CheckpointCompanion::begin);
    }

    @Override
    public boolean fill(RowBatch batch) {
        while (next < all.size() && !batch.isFull()) {
            if (!all.get(next).fill(batch)) {
                return false;
            }
            next++;
        }
        return next == all.size();
    }
}
