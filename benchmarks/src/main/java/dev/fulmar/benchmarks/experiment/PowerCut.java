package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.powercut.FuseMount;
import dev.fulmar.benchmarks.powercut.Lie;
import dev.fulmar.benchmarks.survival.Survival;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Cuts the power of nodes under load again and again. Their files lose unforced bytes, and everything that the nodes
 * acknowledged must survive. Then the same runs on devices that confirm writes and forces which they have not done, and
 * with a node that does so. The experiment must find all of them out, which shows the worth of the first part.
 */
public final class PowerCut implements Experiment {
    private static final int CUTS = 50;
    private static final int QUICK_CUTS = 5;
    private static final int CUTS_OF_A_DATABASE = 10;
    private static final int CUTS_OF_A_PLANTED_BUG = 4;
    private static final int MOST_DATABASES_UNTIL_FOUND_OUT = 5;
    private static final String DURABILITY = "sync";
    private static final String TOO_EARLY = "async";

    @Override
    public String name() {
        return "power-cut";
    }

    @Override
    public String meaning() {
        return "50 power cuts on files that lose what was not forced: nothing acknowledged is lost, and lying devices are found out";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        FuseMount.obstacle().ifPresent(obstacle -> {
            throw new FulmarException(ErrorCode.NOT_SUPPORTED, "power cannot be cut on this machine: " + obstacle);
        });
        TemporaryDirectory directory = TemporaryDirectory.create("fulmar-power-cut-");
        Findings findings = cut(settings, settings.quick() ? QUICK_CUTS : CUTS, directory.path());
        findOutAll(settings, directory.path(), findings);
        if (findings.passed()) { // else people want to look at the files
            directory.close();
        }
        return findings;
    }

    /** The part with an honest device, with so many cuts, in the directory. */
    public Findings cut(Settings settings, int cuts, Path directory) throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(settings.seed());
        Survival survival = new Survival(settings.seed(), DURABILITY, settings.output());
        PowerCutMachine.Figures figures = new PowerCutMachine.Figures();
        int databases = 0;
        for (int left = cuts; left > 0; left -= CUTS_OF_A_DATABASE) {
            Path place = directory.resolve("honest-" + ++databases);
            survival.chapter(
                    () -> new PowerCutMachine(place, Lie.NONE, random.split(), figures),
                    Math.min(left, CUTS_OF_A_DATABASE));
        }
        Findings findings = new Findings(name(), settings.quick(), DURABILITY);
        Kill.report(survival, findings, cuts);
        findings.series("cuts", figures.cuts());
        findings.series("cutsWithUnforcedBytes", figures.withUnforcedBytes());
        findings.series("cutsWithUnforcedNames", figures.withUnforcedNames());
        return findings;
    }

    /** Every lie, and a node that acknowledges what it has not written. */
    private static void findOutAll(Settings settings, Path directory, Findings findings)
            throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(settings.seed());
        List<String> foundOut = new ArrayList<>();
        for (Lie lie : Lie.values()) {
            String durability = lie == Lie.NONE ? TOO_EARLY : DURABILITY;
            String what = lie == Lie.NONE ? "a node that acknowledges too early" : "a device that lies about " + lie;
            String how = findOut(lie, durability, settings, directory.resolve("lying-" + lie), random.split());
            settings.output().accept(what + ": " + (how.isEmpty() ? "NOT FOUND OUT" : how));
            if (!how.isEmpty()) {
                foundOut.add(what + ": " + how);
            }
        }
        findings.check("power-cut.planted-bugs-found", foundOut.size());
        findings.series("plantedBugs", foundOut);
    }

    /** The problem that gave the lie away; empty if none did. */
    private static String findOut(
            Lie lie, String durability, Settings settings, Path directory, SplittableRandom random)
            throws IOException, InterruptedException {
        Survival survival = new Survival(settings.seed(), durability, line -> {});
        PowerCutMachine.Figures figures = new PowerCutMachine.Figures();
        for (int i = 0;
                i < MOST_DATABASES_UNTIL_FOUND_OUT && survival.problems().isEmpty();
                i++) {
            survival.chapter(() -> new PowerCutMachine(directory, lie, random.split(), figures), CUTS_OF_A_PLANTED_BUG);
            new TemporaryDirectory(directory).close();
        }
        return survival.problems().isEmpty() ? "" : survival.problems().getFirst();
    }
}
