package dev.fulmar.launcher;

import dev.fulmar.simulator.chaos.Chaos;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Strikes a cluster of real processes. */
@Command(
        name = "chaos",
        description =
                "Runs clusters of real processes on this machine, kills and stops nodes, cuts them off from each other and from ZooKeeper, sets"
                        + " clocks wrong, makes disks slow and full, cuts the power of all, and judges what clients saw; the exit status is 0 only if nothing was lost or out of order.",
        mixinStandardHelpOptions = true)
final class ChaosCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "A few faults, for a minute or two.")
    private boolean quick;

    @Option(names = "--seed", defaultValue = "1", description = "Decides the faults; default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--ledger",
            paramLabel = "FILE",
            description =
                    "Notes each chapter in the file, and tells none again that is there: a campaign that was ended goes on.")
    private @Nullable Path ledger;

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes the findings as JSON.")
    private @Nullable Path json;

    @Override
    public Integer call() throws Exception {
        return ExperimentCommand.run(
                new Chaos(ledger), quick, seed, null, json, spec.commandLine().getOut());
    }
}
