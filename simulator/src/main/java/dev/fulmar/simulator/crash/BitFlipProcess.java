package dev.fulmar.simulator.crash;

import dev.fulmar.node.data.DataDirectory;
import dev.fulmar.sql.SqlCompiler;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Flips bits, in a process of its own, for a start on damaged files could end it: {@code SEED FLIPS_OF_EACH_KIND}.
 * Tells before each flip what it will do, and then {@code kind|state|outcome|read|text}.
 */
public final class BitFlipProcess {
    /** In front of what will be done. */
    public static final String NEXT = "next ";

    private static final int PIECE_BYTES = 64;
    private static final int ANYWHERE_ONE_IN = 12;
    private static final String FORMAT_FILE = "database.properties";

    private final SplittableRandom random;
    private final int flipsOfEachKind;
    private final PlanCache sql = new PlanCache(new SqlCompiler());
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private BitFlipProcess(long seed, int flipsOfEachKind) {
        this.random = new SplittableRandom(seed);
        this.flipsOfEachKind = flipsOfEachKind;
    }

    public static void main(String... arguments) throws IOException {
        new BitFlipProcess(Long.parseLong(arguments[0]), Integer.parseInt(arguments[1])).run();
    }

    private void run() throws IOException {
        List<BitFlipTrial> stopped = new ArrayList<>();
        List<BitFlipTrial> killed = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            stopped.add(unharmed(new BitFlipTrial(random.nextInt(1000), true, sql)));
            killed.add(unharmed(new BitFlipTrial(random.nextInt(1000), false, sql)));
        }
        for (String kind : List.of("control", "segment", "spare", "superblock", "clog", "master")) {
            for (int i = 0; i < flipsOfEachKind; i++) {
                boolean wasStopped = i % 2 == 0;
                flip(withKind(wasStopped ? stopped : killed, i / 2 % 2, kind), kind, wasStopped);
            }
        }
        for (int i = 0; i < flipsOfEachKind; i++) {
            flipFormat();
        }
    }

    private BitFlipTrial unharmed(BitFlipTrial trial) throws IOException {
        BitFlipTrial.Result result = inScratch(directory -> trial.flip(directory, "", 0, 0));
        if (result.outcome() == FlipOutcome.WRONG || result.outcome() == FlipOutcome.REFUSED) {
            throw new IllegalStateException("a start on unharmed files is wrong: " + result);
        }
        trial.noteUnharmed(result);
        return trial;
    }

    /** The directory whose turn it is, unless it has no file of the kind, as not every load leaves a spare segment. */
    private static BitFlipTrial withKind(List<BitFlipTrial> trials, int turn, String kind) {
        for (int i = 0; i < trials.size(); i++) {
            BitFlipTrial trial = trials.get((turn + i) % trials.size());
            if (!filesOf(trial, kind).isEmpty()) {
                return trial;
            }
        }
        throw new IllegalStateException("no directory has a file of the kind " + kind + "; choose another seed");
    }

    private static List<String> filesOf(BitFlipTrial trial, String kind) {
        Map<String, byte[]> candidates = new TreeMap<>(trial.files());
        candidates.entrySet().removeIf(file -> !kindOf(file.getKey()).equals(kind) || file.getValue().length == 0);
        return List.copyOf(candidates.keySet());
    }

    private void flip(BitFlipTrial trial, String kind, boolean stopped) throws IOException {
        List<String> names = filesOf(trial, kind);
        String name = names.get(random.nextInt(names.size()));
        byte[] bytes = Objects.requireNonNull(trial.files().get(name));
        int[] written = BitFlipTrial.writtenPieces(bytes, trial.liveBytes(name), PIECE_BYTES);
        boolean anywhere = written.length == 0 || random.nextInt(ANYWHERE_ONE_IN) == 0;
        int position = anywhere
                ? random.nextInt(bytes.length)
                : Math.min(bytes.length - 1, written[random.nextInt(written.length)] + random.nextInt(PIECE_BYTES));
        int bit = random.nextInt(Byte.SIZE);
        String state = stopped ? "stopped" : "killed";
        out.println(NEXT + name + " of a " + state + " directory, byte " + position + ", bit " + bit);
        BitFlipTrial.Result result = inScratch(directory -> trial.flip(directory, name, position, bit));
        tell(kind, state, result, name + " byte " + position + " bit " + bit + ": " + result.text());
    }

    private static String kindOf(String name) {
        String last = name.substring(name.lastIndexOf('/') + 1);
        int dash = last.indexOf('-');
        return dash < 0 ? last : last.substring(0, dash);
    }

    private void flipFormat() throws IOException {
        BitFlipTrial.Result result = inScratch(directory -> {
            Map<String, String> layout = Map.of("partitions", "3", "partitioning", "hash");
            DataDirectory.open(directory, layout).close();
            DataDirectory.open(directory, layout).close(); // unharmed it is taken
            Path file = directory.resolve(FORMAT_FILE);
            byte[] whole = Files.readAllBytes(file);
            byte[] bytes = whole.clone();
            int position = random.nextInt(bytes.length);
            out.println(NEXT + FORMAT_FILE + ", byte " + position);
            bytes[position] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            Files.write(file, bytes);
            DataDirectory.open(directory, layout).close(); // its copy has what was lost
            boolean isMended = Arrays.equals(Files.readAllBytes(file), whole);
            return new BitFlipTrial.Result(
                    isMended ? FlipOutcome.REPAIRED : FlipOutcome.WRONG,
                    true,
                    FORMAT_FILE + " byte " + position + (isMended ? " is mended" : " is missed"));
        });
        tell("format", "stopped", result, result.text());
    }

    private void tell(String kind, String state, BitFlipTrial.Result result, String text) {
        out.println(kind + "|" + state + "|" + result.outcome() + "|" + result.read() + "|"
                + text.lines().findFirst().orElse(""));
    }

    /** An action in a directory. */
    @FunctionalInterface
    private interface InDirectory {
        BitFlipTrial.Result run(Path directory) throws IOException;
    }

    private static BitFlipTrial.Result inScratch(InDirectory work) throws IOException {
        Path scratch = Files.createTempDirectory("fulmar-bit-flip-");
        try {
            return work.run(scratch);
        } finally {
            try (Stream<Path> paths = Files.walk(scratch)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
