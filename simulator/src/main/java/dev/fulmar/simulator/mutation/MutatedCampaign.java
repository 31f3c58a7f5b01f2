package dev.fulmar.simulator.mutation;

import dev.fulmar.simulator.campaign.CampaignProcess;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Runs the standard campaign on a copy of the database with a planted bug. Only the changed files are copied and
 * compiled, against the classes of this process; a process of its own then finds the changed classes before all others.
 */
public final class MutatedCampaign {
    private static final Pattern BREACH = Pattern.compile("seed (\\d+)(:| does not repeat).*");
    private static final String RUNS = "runs ";

    /**
     * Exit statuses of a process that died of damaged memory: SIGABRT, SIGBUS, SIGSEGV. One that somebody ended has
     * found nothing.
     */
    private static final Set<Integer> CRASHED = Set.of(134, 135, 139);

    /**
     * Most bugs are found within a few seeds, before the optimising compiler has earned what it takes: it needs some
     * thirty short seeds for that.
     */
    private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

    private static final int OUTPUT_SHOWN = 2000;
    private static final int POLL_MILLIS = 50;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final Path sources;
    private final long fromSeed;
    private final int seeds;
    private final int minutes;

    /**
     * @param sources root of the project
     * @param seeds how many are run at most
     * @param minutes of a processor after which a campaign that has found nothing ends; so a busy machine changes
     *     nothing
     */
    public MutatedCampaign(Path sources, long fromSeed, int seeds, int minutes) {
        this.sources = sources;
        this.fromSeed = fromSeed;
        this.seeds = seeds;
        this.minutes = minutes;
    }

    /**
     * Outcome of a bug.
     *
     * @param seeds runs until the campaign failed, or those that it ended if it did not
     * @param seconds of a processor
     * @param evidence the first breach, shortened; empty if there was none
     */
    public record Outcome(boolean found, long seeds, double seconds, String evidence) {}

    /** Runs the campaign without any bug, on so many seeds. */
    public Outcome control(StandardCampaign campaign, int controlSeeds) throws IOException, InterruptedException {
        return run(campaign, List.of(), fromSeed, fromSeed + controlSeeds - 1);
    }

    /** Plants the bug and runs the campaign. A seed that fails without the bug too says nothing of it. */
    public Outcome run(SourcePatch patch) throws IOException, InterruptedException {
        Path scratch = Files.createTempDirectory("fulmar-mutation-");
        try {
            List<String> bug = List.of(compile(patch, sources, scratch).toString());
            return firstOfItsOwn(
                    seeds,
                    from -> run(patch.campaign(), bug, fromSeed + from, fromSeed + seeds - 1),
                    seed -> run(patch.campaign(), List.of(), fromSeed + seed, fromSeed + seed)
                            .found());
        } finally {
            delete(scratch);
        }
    }

    /** Runs seeds. */
    @FunctionalInterface
    interface Trial<T> {
        /** @param seed counted from 0 */
        T run(long seed) throws IOException, InterruptedException;
    }

    /**
     * The first breach of a seed without one when the bug is not there; what was passed over counts as seeds.
     *
     * @param bugged runs from the seed on, until a breach
     * @param failsAnyway whether the seed fails without the bug
     */
    static Outcome firstOfItsOwn(int seeds, Trial<Outcome> bugged, Trial<Boolean> failsAnyway)
            throws IOException, InterruptedException {
        long passed = 0;
        double seconds = 0;
        while (true) {
            Outcome next = bugged.run(passed);
            passed += next.seeds();
            seconds += next.seconds();
            boolean counts = next.found() && !failsAnyway.run(passed - 1);
            if (counts || !next.found() || passed >= seeds) {
                return new Outcome(counts, passed, seconds, counts ? next.evidence() : "");
            }
        }
    }

    /** Writes and compiles the changed files; returns the directory of their classes. */
    public static Path compile(SourcePatch patch, Path sources, Path scratch) throws IOException {
        try (StandardJavaFileManager manager =
                compiler().getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
            return compile(patch, sources, scratch, manager);
        }
    }

    /** The same with a manager that may have compiled others, and so has the class path open. */
    public static Path compile(SourcePatch patch, Path sources, Path scratch, StandardJavaFileManager manager)
            throws IOException {
        List<Path> files = patch.write(sources, scratch.resolve("sources"));
        Path classes = Files.createDirectories(scratch.resolve("classes"));
        List<String> options = List.of(
                "-g",
                "-parameters",
                "-nowarn",
                "-proc:none",
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty("java.class.path"));
        StringWriter messages = new StringWriter();
        if (!compiler()
                .getTask(messages, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                .call()) {
            throw new IllegalStateException(patch.name() + " does not compile:\n" + messages);
        }
        return classes;
    }

    /** The compiler of this process. */
    public static JavaCompiler compiler() {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("this Java has no compiler; mutations need a JDK");
        }
        return compiler;
    }

    private static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    private Outcome run(StandardCampaign campaign, List<String> before, long firstSeed, long lastSeed)
            throws IOException, InterruptedException {
        List<String> classPath = new ArrayList<>(before);
        classPath.add(System.getProperty("java.class.path"));
        Path output = Files.createTempFile("fulmar-campaign-", ".log");
        try {
            List<String> command = List.of(
                    tool("java"),
                    "-Xmx1g",
                    "-XX:+UseSerialGC",
                    QUICK_COMPILER,
                    "--enable-native-access=ALL-UNNAMED",
                    "--add-exports",
                    "java.base/jdk.internal.vm=ALL-UNNAMED",
                    "-Dfulmar.invariants.expensive=true",
                    "-cp",
                    String.join(File.pathSeparator, classPath),
                    campaign.process().getName(),
                    Long.toString(firstSeed),
                    Long.toString(lastSeed));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            Duration used = Duration.ZERO;
            while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS) && used.toMinutes() < minutes) {
                used = process.info().totalCpuDuration().orElse(used);
            }
            boolean ended = !process.isAlive();
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            return outcome(
                    ended ? process.exitValue() : CampaignProcess.VOID,
                    Files.readAllLines(output),
                    firstSeed,
                    lastSeed,
                    used.toMillis() / MILLIS_PER_SECOND);
        } finally {
            Files.delete(output);
        }
    }

    private Outcome outcome(int exitStatus, List<String> output, long firstSeed, long lastSeed, double seconds) {
        for (String line : output) {
            Matcher breach = BREACH.matcher(line);
            if (exitStatus == CampaignProcess.BREACH && breach.matches()) {
                return new Outcome(true, Long.parseLong(breach.group(1)) - firstSeed + 1, seconds, line);
            }
        }
        if (CRASHED.contains(exitStatus)) {
            String last = output.stream()
                    .filter(line -> line.startsWith(RUNS))
                    .toList()
                    .getLast();
            long crashed = Long.parseLong(last.substring(RUNS.length()));
            return new Outcome(true, crashed - firstSeed + 1, seconds, "the process died with status " + exitStatus);
        }
        if (exitStatus != 0 && exitStatus != CampaignProcess.VOID) {
            String text = String.join("\n", output);
            throw new IllegalStateException("the campaign broke with exit status " + exitStatus + ":\n"
                    + text.substring(0, Math.min(text.length(), OUTPUT_SHOWN)));
        }
        return new Outcome(false, ended(exitStatus, output, firstSeed, lastSeed), seconds, "");
    }

    /** Seeds that were run to their end; the last one was not if time was up. */
    private long ended(int exitStatus, List<String> output, long firstSeed, long lastSeed) {
        boolean wholly = exitStatus == 0 || output.stream().anyMatch(line -> line.startsWith("never reached"));
        long begun = output.stream().filter(line -> line.startsWith(RUNS)).count();
        return wholly ? lastSeed - firstSeed + 1 : Math.max(0, begun - 1);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
