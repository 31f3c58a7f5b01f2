package dev.fulmar.benchmarks.reconfiguration;

import dev.fulmar.benchmarks.capacity.CapacityFile;
import dev.fulmar.benchmarks.capacity.NodeNote;
import dev.fulmar.benchmarks.cluster.RunningCluster;
import dev.fulmar.benchmarks.experiment.ControlStalls;
import dev.fulmar.benchmarks.experiment.JavaChild;
import dev.fulmar.benchmarks.experiment.StallRecorder;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Runs one cell, on a cluster of its own. */
final class CellRun {
    private static final int NODES = 4;

    /** Closed-loop clients, as many as in Squall §7.1. */
    private static final int STREAMS = 180;

    private static final int OPEN_STREAMS = 1_000;
    private static final int MOST_OUTSTANDING = 4_096;
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final long MOST_MOVE_NANOS = Duration.ofMinutes(3).toNanos();
    private static final long POLL_MILLIS = 50;
    private static final int REHEARSALS = 2;

    /** Of a processor, below which a site counts as unused. */
    private static final double LEAST_SHARE = 0.001;

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MICROS_PER_MILLI = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Cell cell;
    private final Scenario.Volume volume;
    private final Lengths lengths;
    private final long seed;
    private final Consumer<String> output;

    /**
     * Lengths of a cell's parts, in seconds.
     *
     * @param warmup without emulated capacity, while code is compiled
     * @param settling before each window
     * @param window in which throughput is measured
     */
    record Lengths(int warmup, int settling, int window) {
        static Lengths full() {
            return new Lengths(8, 4, 10);
        }

        static Lengths quick() {
            return new Lengths(5, 2, 4);
        }
    }

    CellRun(Cell cell, Scenario.Volume volume, Lengths lengths, long seed, Consumer<String> output) {
        this.cell = cell;
        this.volume = volume;
        this.lengths = lengths;
        this.seed = seed;
        this.output = output;
    }

    CellResult run() throws IOException, InterruptedException {
        try (TemporaryDirectory directory = TemporaryDirectory.create("fulmar-reconfiguration-")) {
            CapacityFile capacity = CapacityFile.create(directory.path());
            Scenario.Load requests = cell.scenario().load(volume, seed);
            RunningCluster.Plan plan = new RunningCluster.Plan(
                    NODES, Scenario.PARTITIONS, cell.copies(), javaOptions(capacity), settings(), false);
            Measured measured;
            JavaChild control = JavaChild.start(StallRecorder.class, List.of(), List.of());
            ControlStalls stalls;
            try (RunningCluster cluster = RunningCluster.start(directory.path(), plan);
                    FulmarClient client = connect(cluster);
                    FulmarClient operator = connectOne(cluster)) {
                output.accept(cell.text() + ": loading");
                BenchmarkRun loaded = new BenchmarkRun(client, requests.workload(), Workload.Progress.silent());
                loaded.prepare();
                cluster.awaitAllInSync(PATIENCE);
                measured = measure(cluster, client, operator, requests, capacity);
                capacity.slow(0);
                measured.problems.addAll(loaded.verifyTables());
            } finally {
                stalls = ControlStalls.parse(control.finish());
                control.close();
            }
            return measured.result(cell.isCapped() ? cell.scenario().factor() : 0, notes(directory.path()), stalls);
        }
    }

    /** Only the first compiler: the cost of a call does not change while a cell is measured. */
    private static List<String> javaOptions(CapacityFile capacity) throws IOException {
        return List.of("-Xmx768m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", capacity.agentOption());
    }

    private Map<String, String> settings() {
        return Map.of(
                "sites",
                Integer.toString(Scenario.PARTITIONS),
                "sites.share-threads",
                "false",
                "sites.pin",
                "false",
                "memory.limit",
                "2g",
                "durability",
                "sync",
                "partitioning",
                LocalDatabase.ranges(
                        Scenario.PARTITIONS, Math.toIntExact(cell.scenario().keys(volume))));
    }

    private static FulmarClient connect(RunningCluster cluster) {
        return FulmarClient.builder()
                .hosts(IntStream.rangeClosed(1, NODES)
                        .mapToObj(cluster::address)
                        .toList())
                .maxOutstanding(MOST_OUTSTANDING)
                .callTimeout(CALL_TIMEOUT)
                .connect();
    }

    /** Of one node only: other nodes hear of a reconfiguration a little later. */
    private static FulmarClient connectOne(RunningCluster cluster) {
        return FulmarClient.builder()
                .hosts(cluster.address(1))
                .directRoute(false)
                .callTimeout(CALL_TIMEOUT)
                .connect();
    }

    private static Map<Integer, List<NodeNote>> notes(Path directory) throws IOException {
        Map<Integer, List<NodeNote>> notes = new TreeMap<>();
        for (int node = 1; node <= NODES; node++) {
            notes.put(node, NodeNote.in(Files.readAllLines(directory.resolve("node" + node + ".log"))));
        }
        return notes;
    }

    /** Partitions that the last node leads. */
    private static List<Integer> ledByTheLastNode(RunningCluster cluster) {
        return IntStream.range(0, Scenario.PARTITIONS)
                .filter(partition ->
                        cluster.recordOf(partition).primary().node().number() == NODES)
                .boxed()
                .toList();
    }

    private Measured measure(
            RunningCluster cluster,
            FulmarClient client,
            FulmarClient operator,
            Scenario.Load requests,
            CapacityFile capacity)
            throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> problems = new ArrayList<>();
        Window balance;
        try (LoadRun load = LoadRun.start(client, STREAMS, 0, requests.balanced(), random.split())) {
            load.await(lengths.warmup);
            rehearse(cluster, operator);
            capacity.slow(cell.isCapped() ? cell.scenario().factor() : 0);
            load.awaitMore(lengths.settling);
            balance = window(load);
            problems.addAll(load.end());
        }
        double rate = cell.scenario().isHot() ? 0 : cell.scenario().load() * balance.perSecond();
        int streams = cell.scenario().isHot() ? STREAMS : OPEN_STREAMS;
        try (LoadRun load = LoadRun.start(client, streams, rate, requests.moving(), random.split())) {
            load.awaitMore(lengths.settling);
            Window before = window(load);
            output.accept(String.format(
                    Locale.ROOT,
                    "%s: balanced %,.0f/s with %.0f %% of the machine, before %,.0f/s with %.0f %%",
                    cell.text(),
                    balance.perSecond(),
                    100 * balance.processor(),
                    before.perSecond(),
                    100 * before.processor()));
            String plan =
                    cell.scenario().after(volume, ledByTheLastNode(cluster)).document();
            Moved moved = move(cluster, operator, plan);
            load.awaitMore(lengths.settling);
            Window after = window(load);
            Figures figures = Figures.of(operator);
            List<LoadRun.Second> seconds = load.seconds();
            problems.addAll(load.end());
            Window during = Window.between(seconds, moved.startNanos, moved.endNanos);
            output.accept(String.format(
                    Locale.ROOT,
                    "%s: moved %,d rows in %.1f s with %.0f %% of the machine, worst second %,.0f/s; after %,.0f/s",
                    cell.text(),
                    figures.rows,
                    (moved.endNanos - moved.startNanos) / NANOS_PER_SECOND,
                    100 * during.processor(),
                    during.worst(),
                    after.perSecond()));
            return new Measured(balance, before, during, after, moved, figures, seconds, problems);
        }
    }

    /**
     * Moves cold keys there and back, without emulated capacity. Code that runs for the first time is many times slower
     * than later, which the emulation would multiply.
     */
    private void rehearse(RunningCluster cluster, FulmarClient operator) throws InterruptedException {
        for (int time = 0; time < REHEARSALS; time++) {
            move(cluster, operator, cell.scenario().rehearsal(volume).document());
            move(cluster, operator, cell.scenario().before(volume).document());
        }
    }

    private Window window(LoadRun run) throws InterruptedException {
        int from = run.seconds().size();
        return new Window(run.await(from + lengths.window).subList(from, from + lengths.window));
    }

    /** Consecutive seconds of a load. */
    record Window(List<LoadRun.Second> seconds) {
        /** Seconds that overlap the time. */
        static Window between(List<LoadRun.Second> all, long startNanos, long endNanos) {
            return new Window(all.stream()
                    .filter(second -> second.endNanos() > startNanos && second.endNanos() - NANOS_PER_SECOND < endNanos)
                    .toList());
        }

        double perSecond() {
            return seconds.stream()
                    .mapToLong(LoadRun.Second::committed)
                    .average()
                    .orElseThrow();
        }

        double processor() {
            return seconds.stream()
                    .mapToDouble(LoadRun.Second::processor)
                    .average()
                    .orElseThrow();
        }

        double worst() {
            return seconds.stream().mapToLong(LoadRun.Second::committed).min().orElseThrow();
        }

        long endNanos() {
            return seconds.getLast().endNanos();
        }

        long startNanos() {
            return seconds.getFirst().endNanos() - (long) NANOS_PER_SECOND;
        }
    }

    /** Times of a move that has ended: before the call that began it, after it, and at the end. */
    private record Moved(long startNanos, long startedNanos, long endNanos) {}

    private static Moved move(RunningCluster cluster, FulmarClient operator, String plan) throws InterruptedException {
        long startNanos = System.nanoTime();
        operator.call("@Reconfigure", "START", plan);
        long startedNanos = System.nanoTime();
        while (true) {
            ResultTable status = status(operator);
            String state = String.valueOf(status.getString(status.column("STATE")));
            long now = System.nanoTime();
            if (state.equals("DONE")) {
                return new Moved(startNanos, startedNanos, now);
            }
            if (!state.equals("RUNNING") || now - startNanos > MOST_MOVE_NANOS) {
                throw new IllegalStateException("the reconfiguration is " + state + " after "
                        + (now - startNanos) / NANOS_PER_SECOND + " s: "
                        + status.getString(status.column("MESSAGE")) + "; "
                        + status.getString(status.column("CURRENT")));
            }
            for (int node = 1; node <= NODES; node++) {
                if (cluster.node(node).exitStatus().isPresent()) {
                    throw new IllegalStateException("node " + node + " has ended");
                }
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private static ResultTable status(FulmarClient operator) {
        return operator.call("@Reconfigure", "STATUS").table().first();
    }

    /** Figures of all nodes, some time after the end: nodes tell each other theirs now and then. */
    private record Figures(long buckets, long rows, long bytes, double worstPauseMillis) {
        static Figures of(FulmarClient operator) {
            ResultTable status = status(operator);
            return new Figures(
                    status.getLong(status.column("BUCKETS_MOVED")),
                    status.getLong(status.column("ROWS_MOVED")),
                    status.getLong(status.column("BYTES_SENT")),
                    status.getLong(status.column("WORST_PAUSE_MICROS")) / MICROS_PER_MILLI);
        }
    }

    /** Measurements of a cell, before the nodes' notes are read. */
    private record Measured(
            Window balanced,
            Window before,
            Window during,
            Window after,
            Moved moved,
            Figures figures,
            List<LoadRun.Second> seconds,
            List<String> problems) {
        CellResult result(double factor, Map<Integer, List<NodeNote>> notes, ControlStalls stalls) {
            List<Window> windows = List.of(balanced, before, during, after);
            CellResult.Move move = new CellResult.Move(
                    seconds.indexOf(during.seconds.getFirst()),
                    seconds.indexOf(during.seconds.getLast()),
                    (moved.endNanos - moved.startNanos) / NANOS_PER_SECOND,
                    (moved.startedNanos - moved.startNanos) / NANOS_PER_MILLI,
                    during.worst(),
                    figures.buckets,
                    figures.rows,
                    figures.bytes,
                    figures.worstPauseMillis);
            return new CellResult(
                    factor,
                    windows(windows.stream().map(Window::perSecond).toList()),
                    windows(windows.stream().map(Window::processor).toList()),
                    move,
                    pauses(notes.values().stream().flatMap(List::stream).toList(), stalls),
                    seconds,
                    sites(windows, notes),
                    problems);
        }

        private static CellResult.Windows windows(List<Double> each) {
            return new CellResult.Windows(each.get(0), each.get(1), each.get(2), each.get(3));
        }

        private CellResult.Pauses pauses(List<NodeNote> notes, ControlStalls stalls) {
            List<NodeNote> moving = notes.stream()
                    .filter(note -> note.atNanos() >= moved.startNanos && note.atNanos() <= moved.endNanos)
                    .toList();
            List<NodeNote> freezes = of(NodeNote.Kind.FROZEN, moving);
            List<NodeNote> locks = of(NodeNote.Kind.LOCKED, moving);
            return new CellResult.Pauses(
                    freezes.stream().map(note -> note.nanos() / NANOS_PER_MILLI).toList(),
                    freezes.stream()
                            .map(note -> stalls.excessNanos(note.atNanos(), note.nanos()) / NANOS_PER_MILLI)
                            .toList(),
                    locks.stream()
                            .filter(note -> note.atNanos() < moved.startedNanos)
                            .map(note -> note.nanos() / NANOS_PER_MILLI)
                            .toList(),
                    locks.stream()
                            .filter(note -> note.atNanos() >= moved.startedNanos)
                            .map(note -> note.nanos() / NANOS_PER_MILLI)
                            .toList());
        }

        private static List<NodeNote> of(NodeNote.Kind kind, List<NodeNote> notes) {
            return notes.stream().filter(note -> note.kind() == kind).toList();
        }

        private static Map<String, CellResult.Windows> sites(List<Window> windows, Map<Integer, List<NodeNote>> notes) {
            Map<String, CellResult.Windows> shares = new TreeMap<>();
            notes.forEach((node, all) -> of(NodeNote.Kind.WORKED, all).stream()
                    .map(NodeNote::name)
                    .distinct()
                    .forEach(name -> {
                        List<NodeNote> sums = of(NodeNote.Kind.WORKED, all).stream()
                                .filter(note -> note.name().equals(name))
                                .toList();
                        shares.put(
                                "node " + node + " " + name,
                                windows(windows.stream()
                                        .map(window -> share(sums, window))
                                        .toList()));
                    }));
            shares.values().removeIf(share -> share.most() < LEAST_SHARE); // copies that nobody calls
            return shares;
        }

        /** Work of a site in a window, for each second of it; sums are noted once a second. */
        private static double share(List<NodeNote> sums, Window window) {
            List<NodeNote> within = sums.stream()
                    .filter(note -> note.atNanos() >= window.startNanos() - NANOS_PER_SECOND
                            && note.atNanos() <= window.endNanos() + NANOS_PER_SECOND)
                    .toList();
            if (within.size() < 2) {
                return 0;
            }
            NodeNote first = within.getFirst();
            NodeNote last = within.getLast();
            return (double) (last.nanos() - first.nanos()) / (last.atNanos() - first.atNanos());
        }
    }
}
