package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.logictest.LogicTrial;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The public sqllogictest files of a directory. */
public final class SqlLogicTest implements Experiment {
    private static final int PARTITIONS = 4;
    /** With --quick, one file in so many. */
    private static final int QUICK_STEP = 20;

    @Override
    public String name() {
        return "sql-logictest";
    }

    @Override
    public String meaning() {
        return "the .test files of a directory, from the sqllogictest suite, pass over 4 partitions";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Path directory = settings.directory();
        if (directory == null) {
            throw new IllegalArgumentException(
                    "say where the files are: experiment sql-logictest DIRECTORY; they are no part of Fulmar");
        }
        Findings findings = new Findings(name(), settings.quick(), "none");
        Map<String, Object> byFile = new LinkedHashMap<>();
        SortedMap<String, Integer> excluded = new TreeMap<>();
        List<String> examples = new ArrayList<>();
        long passed = 0;
        long failed = 0;
        try (LogicTrial trial = new LogicTrial(PARTITIONS)) {
            for (Path file : files(directory, settings.quick() ? QUICK_STEP : 1)) {
                LogicTrial.Outcome outcome = trial.run(Files.readAllLines(file, StandardCharsets.UTF_8));
                String name = directory.relativize(file).toString();
                settings.output().accept(line(name, outcome));
                outcome.examples().forEach(example -> settings.output().accept("  " + example));
                byFile.put(name, outcome.share());
                passed += outcome.passed();
                failed += outcome.failed();
                outcome.excluded().forEach((rule, count) -> excluded.merge(rule, count, Integer::sum));
                outcome.examples().forEach(example -> examples.add(name + " " + example));
            }
        }
        long out = excluded.values().stream().mapToLong(Integer::longValue).sum();
        findings.check("sql-logictest.passed", share(passed, passed + failed));
        findings.check("sql-logictest.excluded", share(out, passed + failed + out));
        settings.output().accept(passed + " of " + (passed + failed) + " records passed; excluded: " + excluded);
        findings.series("records", passed + failed + out);
        findings.series("share by file", byFile);
        findings.series("excluded", excluded);
        findings.series("failures", examples);
        return findings;
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }

    private static List<Path> files(Path directory, int step) throws IOException {
        try (Stream<Path> found = Files.walk(directory)) {
            List<Path> all = found.filter(file -> file.toString().endsWith(".test"))
                    .sorted()
                    .toList();
            List<Path> chosen = new ArrayList<>();
            for (int i = 0; i < all.size(); i += step) {
                chosen.add(all.get(i));
            }
            return chosen;
        }
    }

    private static String line(String name, LogicTrial.Outcome outcome) {
        return String.format(
                Locale.ROOT,
                "%-40s %6d records, %6.2f %% passed, %d failed, %d excluded",
                name,
                outcome.records(),
                100 * outcome.share(),
                outcome.failed(),
                outcome.excludedRecords());
    }
}
