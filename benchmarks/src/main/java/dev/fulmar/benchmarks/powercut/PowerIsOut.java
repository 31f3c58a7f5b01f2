package dev.fulmar.benchmarks.powercut;

import java.io.IOException;

/** The power was cut: a caller gets no answer any more. */
final class PowerIsOut extends IOException {
    private static final long serialVersionUID = 1;

    PowerIsOut() {
        super("the power was cut");
    }
}
