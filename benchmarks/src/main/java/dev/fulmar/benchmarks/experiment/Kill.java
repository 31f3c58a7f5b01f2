package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.survival.Survival;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Kills nodes under load with SIGKILL again and again, some while they recover; everything acknowledged must be there
 * after each restart. The load has appends logged by command and by value, multi-partition ones, and changes of the
 * catalog; checkpoints are frequent.
 */
public final class Kill implements Experiment {
    private static final int KILLS = 200;
    private static final int QUICK_KILLS = 5;
    private static final int KILLS_OF_A_DATABASE = 20;
    private static final String DURABILITY = "sync";

    @Override
    public String name() {
        return "kill";
    }

    @Override
    public String meaning() {
        return "200 kills under load with durability sync: nothing acknowledged is lost, nothing is torn";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        TemporaryDirectory directory = TemporaryDirectory.create("fulmar-kill-");
        Findings findings = run(settings, settings.quick() ? QUICK_KILLS : KILLS, directory.path());
        if (findings.passed()) { // else people want to look at the files
            directory.close();
        }
        return findings;
    }

    /** With so many kills, in the directory. */
    public Findings run(Settings settings, int kills, Path directory) throws IOException, InterruptedException {
        Survival survival = new Survival(settings.seed(), DURABILITY, settings.output());
        int databases = 0;
        for (int left = kills; left > 0; left -= KILLS_OF_A_DATABASE) {
            Path data = directory.resolve("data-" + ++databases);
            if (survival.chapter(() -> new KilledMachine(data), Math.min(left, KILLS_OF_A_DATABASE))) {
                new TemporaryDirectory(data).close();
            }
        }
        Findings findings = new Findings(name(), settings.quick(), DURABILITY);
        report(survival, findings, kills);
        return findings;
    }

    /** The checks and figures of any end without notice. */
    static void report(Survival survival, Findings findings, int planned) {
        Survival.Figures figures = survival.figures();
        findings.check("survival.ends", (double) figures.ends() / planned);
        findings.check("survival.problems", survival.problems().size());
        findings.check("survival.acknowledged-per-life", (double) figures.acknowledged() / Math.max(1, figures.ends()));
        findings.check(
                "survival.catalog-changes-per-life", (double) figures.catalogChanges() / Math.max(1, figures.ends()));
        findings.series("ends", figures.ends());
        findings.series("endsWhileStarting", figures.endsWhileStarting());
        findings.series("endsInRecovery", figures.endsInRecovery());
        findings.series("endsInCheckpoint", figures.endsInCheckpoint());
        findings.series("acknowledged", figures.acknowledged());
        findings.series("unansweredThere", figures.unansweredThere());
        findings.series("reads", figures.reads());
        findings.series("catalogChanges", figures.catalogChanges());
        findings.series("meanRestartMillis", figures.meanRestartMillis());
        findings.series("longestRestartMillis", figures.longestRestartMillis());
        findings.series("problems", List.copyOf(survival.problems()));
    }
}
