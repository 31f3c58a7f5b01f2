package dev.fulmar.simulator.experiment;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.simulator.crash.BitFlipProcess;
import dev.fulmar.simulator.crash.FlipOutcome;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Flips single bits in copies of data directories: a start detects each flip, or the bit was not needed. */
public final class BitFlip implements Experiment {
    private static final int FLIPS_OF_EACH_KIND = 90;
    private static final int QUICK_FLIPS_OF_EACH_KIND = 40;
    private static final int FIELDS = 5;
    private static final int TEXTS_SHOWN = 20;
    private static final int ERROR_LINES_SHOWN = 20;

    private final Map<FlipOutcome, Integer> outcomes = new EnumMap<>(FlipOutcome.class);
    private final Map<String, Map<FlipOutcome, Integer>> byKind = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();
    private int read;

    @Override
    public String name() {
        return "bit-flip";
    }

    @Override
    public String meaning() {
        return "one flipped bit in a data directory is found or harmless, never wrong and never the end of the JVM (acceptance point 2)";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        int each = settings.quick() ? QUICK_FLIPS_OF_EACH_KIND : FLIPS_OF_EACH_KIND;
        Path errors = Files.createTempFile("fulmar-bit-flip-", ".log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-exports",
                        "java.base/jdk.internal.vm=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BitFlipProcess.class.getName(),
                        Long.toString(settings.seed()),
                        Integer.toString(each))
                .redirectError(errors.toFile())
                .start();
        String next = "";
        int flips = 0;
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                String[] fields = line.split("\\|", FIELDS);
                if (line.startsWith(BitFlipProcess.NEXT)) {
                    next = line;
                } else if (fields.length == FIELDS) {
                    flips++;
                    take(fields, settings);
                }
            }
        }
        int exitStatus = process.waitFor();
        if (exitStatus != 0) {
            settings.output().accept("the process ended with status " + exitStatus + " at: " + next);
            Files.readAllLines(errors).stream().limit(ERROR_LINES_SHOWN).forEach(settings.output());
        }
        Files.delete(errors);
        outcomes.forEach((outcome, count) -> settings.output().accept(outcome + ": " + count));
        byKind.forEach((kind, counts) -> settings.output().accept(kind + ": " + counts));
        Findings findings = new Findings(name(), settings.quick(), "sync");
        findings.check("bit-flip.wrong", outcomes.getOrDefault(FlipOutcome.WRONG, 0));
        findings.check("bit-flip.crashes", exitStatus == 0 ? 0 : 1);
        findings.check("bit-flip.least-of-a-kind", leastOfAKind());
        if (!settings.quick()) {
            findings.check("bit-flip.flips", flips);
            findings.check("bit-flip.in-bytes-read", read);
        }
        findings.series("outcomes", outcomes);
        findings.series("byKind", byKind);
        findings.series("inBytesRead", read);
        findings.series("wrong", wrong);
        return findings;
    }

    private int leastOfAKind() {
        return byKind.values().stream()
                .mapToInt(counts ->
                        counts.values().stream().mapToInt(Integer::intValue).sum())
                .min()
                .orElse(0);
    }

    private void take(String[] fields, Settings settings) {
        FlipOutcome outcome = FlipOutcome.valueOf(fields[2]);
        outcomes.merge(outcome, 1, Integer::sum);
        byKind.computeIfAbsent(fields[0], kind -> new EnumMap<>(FlipOutcome.class))
                .merge(outcome, 1, Integer::sum);
        read += Boolean.parseBoolean(fields[3]) ? 1 : 0;
        if (outcome == FlipOutcome.WRONG && wrong.size() < TEXTS_SHOWN) {
            wrong.add(String.join("|", fields));
            settings.output().accept(String.join("|", fields));
        }
    }
}
