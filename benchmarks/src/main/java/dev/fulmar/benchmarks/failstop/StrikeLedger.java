package dev.fulmar.benchmarks.failstop;

import dev.fulmar.benchmarks.experiment.ResultLedger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ledger of the strikes on the same code, and of losses. Invariant: a good outcome is noted only once it is known that
 * nothing was lost up to then; a bad one, and a loss, at once, so that every later run fails on them too.
 */
final class StrikeLedger {
    private static final int COLUMNS = 6;
    private static final String LOSS = "LOSS";

    private final ResultLedger ledger;
    private final Map<Trial, Outcome> struck = new LinkedHashMap<>();
    private final List<String> losses = new ArrayList<>();

    /**
     * @param directory of the file; null to keep nothing
     * @param code its fingerprint
     */
    StrikeLedger(@Nullable Path directory, String code) throws IOException {
        ledger = new ResultLedger(directory, FailStop.NAME, code, COLUMNS);
        ledger.lines().forEach(this::read);
    }

    private void read(List<String> columns) {
        if (columns.getFirst().equals(LOSS)) {
            losses.add(columns.getLast());
            return;
        }
        struck.put(
                new Trial(Integer.parseInt(columns.get(1)), columns.get(2), Strike.valueOf(columns.get(3))),
                new Outcome(
                        Outcome.Kind.valueOf(columns.getFirst()), Long.parseLong(columns.get(4)), columns.getLast()));
    }

    /** A strike is done: it is not made again. */
    void note(Trial trial, Outcome outcome) throws IOException {
        struck.put(trial, outcome);
        ledger.add(List.of(
                outcome.kind().name(),
                Integer.toString(trial.nodes()),
                trial.thread(),
                trial.strike().name(),
                Long.toString(outcome.millis()),
                outcome.detail()));
    }

    /** Notes that an acknowledged change was lost, or was there twice. */
    void noteLoss(int nodes, String loss) throws IOException {
        losses.add(loss);
        ledger.add(List.of(LOSS, Integer.toString(nodes), "", "", "", loss));
    }

    boolean isDone(Trial trial) {
        return struck.containsKey(trial);
    }

    /** All strikes that are done, in the order in which they were. */
    Map<Trial, Outcome> struck() {
        return new LinkedHashMap<>(struck);
    }

    List<String> losses() {
        return List.copyOf(losses);
    }
}
