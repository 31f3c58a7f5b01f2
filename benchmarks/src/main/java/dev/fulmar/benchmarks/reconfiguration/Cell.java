package dev.fulmar.benchmarks.reconfiguration;

import java.util.ArrayList;
import java.util.List;

/**
 * One measurement of the experiment.
 *
 * @param copies of each partition: 1 for k=0, 2 for k=1
 * @param repeat counts from 1
 * @param isCapped whether sites have an emulated capacity
 */
record Cell(Scenario scenario, int copies, int repeat, boolean isCapped) {
    private static final int REPEATS = 3;
    private static final String UNCAPPED = "uncapped";

    /** Cells of the whole experiment: the cheap repeats of all before the next ones. */
    static List<Cell> all(boolean quick) {
        List<Cell> all = new ArrayList<>();
        for (int repeat = 1; repeat <= (quick ? 1 : REPEATS); repeat++) {
            for (Scenario scenario : Scenario.values()) {
                for (int copies = 1; copies <= 2; copies++) {
                    all.add(new Cell(scenario, copies, repeat, true));
                }
            }
        }
        all.add(new Cell(Scenario.YCSB_HOT_SPOT, 1, 1, false));
        return all;
    }

    /** Its kind, as checks name it. */
    String theCase() {
        return scenario.text() + ", k=" + (copies - 1) + (isCapped ? "" : ", " + UNCAPPED);
    }

    /** Its name, as {@code --only} gives it. */
    String text() {
        return scenario.text() + "-k" + (copies - 1) + "-" + (isCapped ? repeat : UNCAPPED);
    }
}
