package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SimulateCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine commandLine =
            Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

    @Test
    void aSeedIsRunTwiceAndTold(@TempDir Path directory) throws IOException {
        Path json = directory.resolve("seed.json");

        assertThat(commandLine.execute("simulate", "--one-node", "--seed", "3", "--json", json.toString()))
                .isZero();
        assertThat(out.toString()).contains("Scenario[", "1 seeds (1 of them twice)", "passed: true");
        assertThat(Files.readString(json)).contains("\"passed\" : true", "\"failures\" : [ ]");
    }

    @Test
    void aRangeIsRun() {
        assertThat(commandLine.execute("simulate", "--one-node", "--seeds", "4-5"))
                .isZero();
        assertThat(out.toString()).contains("2 seeds (1 of them twice)");
    }

    @Test
    void aClusterIsRunTwiceAndTold(@TempDir Path directory) throws IOException {
        Path ledger = directory.resolve("seeds.csv");

        assertThat(commandLine.execute("simulate", "--seed", "5", "--seconds", "3", "--ledger", ledger.toString()))
                .as(out.toString())
                .isZero();
        assertThat(out.toString())
                .contains("ClusterScenario[", "clients begin", "run twice)", "the ledger has 1 seeds", "passed: true");
        assertThat(Files.readString(ledger)).contains(",good");
    }

    @Test
    void theNumberOfThreadsChangesNothing(@TempDir Path directory) throws IOException {
        Path alone = directory.resolve("alone.csv");
        Path together = directory.resolve("together.csv");

        commandLine.execute("simulate", "--seeds", "4-7", "--seconds", "1", "--ledger", alone.toString());
        commandLine.execute(
                "simulate", "--seeds", "4-7", "--seconds", "1", "--threads", "2", "--ledger", together.toString());
        assertThat(Files.readAllLines(together)).hasSize(4).isEqualTo(Files.readAllLines(alone));
        assertThat(commandLine.execute("simulate", "--one-node", "--seeds", "1-2", "--threads", "2"))
                .isEqualTo(CommandLine.ExitCode.USAGE);
    }

    @Test
    void whatBelongsToOneSeedIsRefusedForMany() {
        assertThat(commandLine.execute("simulate", "--seeds", "1-2", "--minimise"))
                .isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("--seed");
    }

    @Test
    void oneWayToChooseSeedsIsWanted() {
        assertThat(commandLine.execute("simulate")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(commandLine.execute("simulate", "--seed", "1", "--minutes", "1"))
                .isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(commandLine.execute("simulate", "--seeds", "five")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("FROM-TO");
    }

    @Test
    void correctnessExperimentsAreListed() {
        assertThat(commandLine.execute("experiment", "--list")).isZero();
        assertThat(out.toString()).contains("serializability", "tpcc-consistency");
    }
}
