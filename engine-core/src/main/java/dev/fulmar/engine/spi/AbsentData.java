package dev.fulmar.engine.spi;

import java.io.Serial;

/**
 * Signals that a statement needs data that is not here. Not an error: the partition undoes the transaction's changes,
 * and runs it again when the data is here. Carries no stack trace.
 */
public final class AbsentData extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient DataNeed need;

    public AbsentData(DataNeed need) {
        super("data is not here", null, false, false);
        this.need = need;
    }

    public DataNeed need() {
        return need;
    }
}
