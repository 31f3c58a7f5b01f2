package dev.fulmar.simulator.crash;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.foundation.storage.real.FileStorage;
import dev.fulmar.pmemlog.recovery.GroupPlace;
import dev.fulmar.pmemlog.recovery.LogReader;
import dev.fulmar.pmemlog.recovery.LogScan;
import dev.fulmar.pmemlog.recovery.SegmentSummary;
import dev.fulmar.pmemlog.segment.SegmentNames;
import dev.fulmar.simulator.campaign.Replies;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A database's files, of which copies get one flipped bit each and are started on. They come from a life with
 * checkpoints, segments that were used again and changes of the catalog, which ended in order or was killed under load;
 * starts are on real files.
 */
public final class BitFlipTrial {
    private static final int ASKS = 60;
    private static final int LATER_ASKS = 25;
    private static final long CHECKPOINTS_NANOS = 50_000_000;

    private final long seed;
    private final boolean stopped;
    private final CrashSetup setup;
    private final SimulatedWorld world;
    private final Expectation expected;
    private final SortedMap<String, byte[]> files;
    private final Map<String, Integer> liveBytes = new TreeMap<>();
    private final FlipJudge.Place lastGroup;
    private String unharmedReports = "";

    /**
     * Result of a flip.
     *
     * @param read whether the start read the byte
     * @param text what was said, or what is wrong
     */
    public record Result(FlipOutcome outcome, boolean read, String text) {}

    /** @param stopped whether the life ended in order */
    public BitFlipTrial(long seed, boolean stopped, PlanCache sql) {
        this.seed = seed;
        this.stopped = stopped;
        this.world = new SimulatedWorld(seed);
        this.setup = new CrashSetup(
                new StampedWorkload(new ListWorkload(world.random("scenario"))), DurabilityMode.SYNC, sql, false);
        List<String> violations = new ArrayList<>();
        SimulatedProcess founder = world.startProcess(CrashSetup.NODE);
        CommitOrder order = setup.order();
        SimulatedDatabase database =
                setup.database(world, founder, founder.storage(), order, line -> {}, violations::add);
        database.prepare(setup.workload().jar(0), setup.workload().statements());
        setup.workload().fill(database);
        long[] base = observe(database);
        CrashLife life = new CrashLife(world, setup, database, order, base, 0, null, violations::add);
        life.begin(ASKS, 2);
        life.finish(() -> {});
        world.runFor(CHECKPOINTS_NANOS);
        life.begin(LATER_ASKS, 0);
        if (stopped) {
            life.finish(() -> {});
            expected = life.expectation();
            database.stop();
        } else {
            long until = world.executedEvents() + 400;
            life.finish(() -> {
                if (world.executedEvents() >= until) {
                    founder.kill();
                }
            });
            expected = life.expectation();
            database.abandon();
        }
        if (!violations.isEmpty()) {
            throw new IllegalStateException("the files could not be made: " + violations);
        }
        files = world.disk(CrashSetup.NODE).contents();
        LogScan log = LogReader.scan(world.startProcess(CrashSetup.NODE).storage(), CrashSetup.LOG_DIRECTORY);
        for (SegmentSummary segment : log.segments()) {
            liveBytes.put(segment.file(), segment.endOffset());
        }
        GroupPlace last = Objects.requireNonNull(log.lastGroupPlace(), "a log has groups");
        lastGroup = new FlipJudge.Place(
                SegmentNames.segment(CrashSetup.LOG_DIRECTORY, last.segment()), last.offset(), last.bytes());
    }

    /** Place of the log's last group, which no later one attests. */
    FlipJudge.Place lastGroup() {
        return lastGroup;
    }

    /** The files' contents by name. */
    public SortedMap<String, byte[]> files() {
        return files;
    }

    /** Starts on a copy in the directory with the bit flipped, or unharmed if the name is empty. */
    public Result flip(Path directory, String name, int position, int bit) throws IOException {
        copy(directory);
        byte[] bytes = files.get(name);
        if (bytes != null) {
            byte[] flipped = bytes.clone();
            flipped[position] ^= (byte) (1 << bit);
            Files.write(directory.resolve(name), flipped);
        }
        return start(directory, name, position);
    }

    /** Starts on a copy in the directory that lacks the file. */
    public Result lose(Path directory, String name) throws IOException {
        copy(directory);
        Files.delete(directory.resolve(name));
        return start(directory, name, -1);
    }

    /** Starts on a copy in the directory in which the file has only its first bytes. */
    public Result shorten(Path directory, String name, int bytes) throws IOException {
        copy(directory);
        Files.write(directory.resolve(name), Arrays.copyOf(Objects.requireNonNull(files.get(name)), bytes));
        return start(directory, name, bytes);
    }

    private void copy(Path directory) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = directory.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
    }

    private Result start(Path directory, String name, int position) throws IOException {
        SimulatedWorld next = new SimulatedWorld(seed);
        next.runFor(world.nowNanos());
        SimulatedProcess process = next.startProcess(CrashSetup.NODE);
        ReadWatch storage = new ReadWatch(new FileStorage(directory), name, position);
        List<String> said = new ArrayList<>();
        SimulatedDatabase database = setup.database(next, process, storage, setup.order(), said::add, said::add);
        try {
            database.start();
            boolean read = storage.wasRead(); // later reads may be of a file that was made anew
            Result result = judge(database, read, said, name, position);
            database.stop();
            return result;
        } catch (FulmarException refusal) {
            process.kill();
            database.abandon();
            return new Result(
                    tellsWhere(refusal, name) ? FlipOutcome.REFUSED : FlipOutcome.WRONG,
                    storage.wasRead(),
                    refusal.code() + ": " + refusal.getMessage());
        } catch (RuntimeException | Error defect) { // whatever breaks is what the trial is for
            process.kill();
            return new Result(FlipOutcome.WRONG, storage.wasRead(), "a defect: " + defect);
        }
    }

    private static boolean tellsWhere(FulmarException refusal, String name) {
        String text = String.valueOf(refusal.getMessage());
        boolean known = refusal.code() == ErrorCode.CORRUPTION || refusal.code() == ErrorCode.VERSION_MISMATCH;
        return known && (text.contains(name) || text.contains("offset"));
    }

    private Result judge(SimulatedDatabase database, boolean read, List<String> said, String name, int position) {
        long[] numbers = observe(database);
        List<String> wrong = new ArrayList<>();
        setup.workload()
                .verify(
                        (text, arguments) -> Replies.decode(database.execute(text, arguments)),
                        world.random("verify"),
                        wrong::add);
        String reports = said.stream()
                .filter(line -> line.contains("damaged") || line.contains("repaired") || line.contains("the log was"))
                .reduce("", (one, other) -> one + " " + other)
                .strip();
        String breach = expected.breach(numbers);
        FlipJudge.Verdict verdict = new FlipJudge(stopped, lastGroup, name.isEmpty() ? reports : unharmedReports)
                .judge(new FlipJudge.Start(name, position, breach, isPrefix(numbers), wrong, reports));
        return new Result(verdict.outcome(), read, verdict.text());
    }

    private boolean isPrefix(long[] numbers) {
        Expectation nothingAcknowledged = new Expectation(
                expected.workload(), expected.base(), expected.orders(), expected.asks(), Set.of(), expected.open());
        return nothingAcknowledged.breach(numbers) == null;
    }

    /** Notes the reports of a start on the unharmed files. */
    public void noteUnharmed(Result result) {
        unharmedReports = result.text();
    }

    private long[] observe(SimulatedDatabase database) {
        return setup.workload().observe((text, arguments) -> Replies.decode(database.execute(text, arguments)));
    }

    /**
     * Bytes at the file's beginning that hold something now. Of a segment of the log these are the bytes up to its end,
     * without those of an earlier use.
     */
    public int liveBytes(String name) {
        return liveBytes.getOrDefault(name, files.getOrDefault(name, new byte[0]).length);
    }

    /** Beginnings of those pieces of the file's first bytes that are not all zero. */
    public static int[] writtenPieces(byte[] bytes, int liveBytes, int pieceBytes) {
        int[] pieces = new int[(liveBytes + pieceBytes - 1) / pieceBytes];
        int count = 0;
        for (int piece = 0; piece < pieces.length; piece++) {
            int begin = piece * pieceBytes;
            int end = Math.min(liveBytes, begin + pieceBytes);
            for (int i = begin; i < end; i++) {
                if (bytes[i] != 0) {
                    pieces[count++] = begin;
                    break;
                }
            }
        }
        return Arrays.copyOf(pieces, count);
    }
}
