package dev.fulmar.benchmarks.reconfiguration;

import dev.fulmar.benchmarks.experiment.CodeFingerprint;
import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.ResultLedger;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Throughput, latency and pauses while keys move between partitions, as Squall §7 measures them. Four nodes with two
 * partitions each are processes of this machine. Each site has an emulated capacity, or a hot partition would cost
 * nothing. Cells that are done are kept in a directory, and a later run goes on.
 */
public final class LiveReconfiguration implements Experiment {
    static final String NAME = "reconfiguration";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String meaning() {
        return "throughput and pauses while hot keys, a node's keys or a tenth of all keys move; sites of emulated capacity";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        boolean quick = settings.quick();
        Scenario.Volume volume = quick ? Scenario.Volume.quick() : Scenario.Volume.full();
        CellRun.Lengths lengths = quick ? CellRun.Lengths.quick() : CellRun.Lengths.full();
        ResultLedger ledger =
                new ResultLedger(settings.directory(), NAME, fingerprint() + (quick ? "-quick" : "-full"), 2);
        Map<String, CellResult> done = new LinkedHashMap<>();
        for (List<String> line : ledger.lines()) {
            done.put(line.getFirst(), CellResult.ofJson(line.getLast()));
        }
        List<String> broken = new ArrayList<>();
        List<Cell> planned = planned(quick, settings.only());
        for (Cell cell : planned) {
            CellResult known = done.get(cell.text());
            if (known != null && !CellJudge.isVoid(cell, known)) {
                settings.output().accept(cell.text() + ": done before");
                continue;
            }
            CellRun run = new CellRun(cell, volume, lengths, settings.seed() + cell.repeat(), settings.output());
            try {
                CellResult result = run.run();
                done.put(cell.text(), result);
                ledger.add(List.of(cell.text(), result.json()));
                CellJudge.show(cell, result).forEach(settings.output());
            } catch (IllegalStateException | FulmarException e) { // the other cells are worth measuring all the same
                broken.add(cell.text() + " broke off: " + e.getMessage());
                settings.output().accept(broken.getLast());
            }
        }
        Findings findings = new Findings(NAME, quick, "sync");
        new CellJudge(planned, done, broken).report(findings);
        return findings;
    }

    /** All cells, or those whose name begins with one of the given ones. */
    private static List<Cell> planned(boolean quick, Set<String> only) {
        List<Cell> all = Cell.all(quick);
        if (only.isEmpty()) {
            return all;
        }
        List<Cell> some = all.stream()
                .filter(cell -> only.stream().anyMatch(cell.text()::startsWith))
                .toList();
        if (some.isEmpty()) {
            throw new IllegalArgumentException("there is no cell " + only + " among "
                    + all.stream().map(Cell::text).toList());
        }
        return some;
    }

    /** Of the code that a node consists of, and of what measures it. */
    private static String fingerprint() {
        return CodeFingerprint.ofNode(LiveReconfiguration.class);
    }
}
