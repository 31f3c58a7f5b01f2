package dev.fulmar.engine.procedure;

import dev.fulmar.engine.spi.DataNeed;
import java.io.Serial;

/** Signals that the call reached for data that is not here; it is to be undone and run again when the data is here. */
public final class AbsentDataSignal extends ControlSignal {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient DataNeed need;

    public AbsentDataSignal(DataNeed need) {
        super("data is not here");
        this.need = need;
    }

    public DataNeed need() {
        return need;
    }
}
