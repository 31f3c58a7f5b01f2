package dev.fulmar.simulator.experiment;

import dev.fulmar.benchmarks.experiment.ResultLedger;
import dev.fulmar.simulator.mutation.MutatedCampaign.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ledger of planted bugs, so that an experiment that was ended goes on. A bug that was tried on the same code in the
 * same way is not tried again. Thread-safe.
 */
final class TriedBugs {
    private static final int COLUMNS = 5;

    private final ResultLedger ledger;
    private final Map<String, Outcome> tried = new HashMap<>();

    /**
     * @param directory of the file; null to keep nothing
     * @param way fingerprint of the code, and how much of it is run
     */
    TriedBugs(@Nullable Path directory, String experiment, String way) throws IOException {
        this.ledger = new ResultLedger(directory, experiment, way, COLUMNS);
        ledger.lines().forEach(this::read);
    }

    private void read(List<String> columns) {
        tried.put(
                columns.getFirst(),
                new Outcome(
                        Boolean.parseBoolean(columns.get(1)),
                        Long.parseLong(columns.get(2)),
                        Double.parseDouble(columns.get(3)),
                        columns.get(4)));
    }

    /** Outcome of the bug; null if it was not tried. */
    synchronized @Nullable Outcome of(String bug) {
        return tried.get(bug);
    }

    /** The bug was tried. */
    synchronized void add(String bug, Outcome outcome) throws IOException {
        tried.put(bug, outcome);
        ledger.add(List.of(
                bug,
                Boolean.toString(outcome.found()),
                Long.toString(outcome.seeds()),
                Double.toString(outcome.seconds()),
                outcome.evidence()));
    }
}
