package dev.fulmar.engine.procedure;

import java.util.ArrayList;
import java.util.List;

/**
 * The verdict whether a call of the procedure may be logged as a command, because running it again has the same
 * effects.
 *
 * @param reasons why not, one per finding with class, method and line; empty for a deterministic procedure
 */
public record Determinism(List<String> reasons) {
    public static final Determinism PROVEN = new Determinism(List.of());

    public Determinism {
        reasons = List.copyOf(reasons);
    }

    /** This and further reasons. */
    public Determinism and(List<String> furtherReasons) {
        if (furtherReasons.isEmpty()) {
            return this;
        }
        List<String> all = new ArrayList<>(reasons);
        all.addAll(furtherReasons);
        return new Determinism(all);
    }

    /** The call may be logged; otherwise its row images must be. */
    public boolean commandLogged() {
        return reasons.isEmpty();
    }
}
