package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.survival.Machine;
import dev.fulmar.client.FulmarClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node in a process of its own, on a free port of the loopback interface unless the options say {@code --listen}. */
public final class ServerProcess implements Machine.Node, AutoCloseable {
    private static final Pattern READY = Pattern.compile("fulmar is ready on port (\\d+) .*");
    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);
    private static final List<String> JAVA_OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-Xmx512m");
    private static final String LISTEN = "--listen";
    private static final int LINES_KEPT = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Process process;
    private final int port;

    private ServerProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts a node on the data directory with this process's classes; returns when it takes clients. */
    public static ServerProcess start(Path data, String... options) throws IOException {
        return start(data, JAVA_OPTIONS, options);
    }

    /** As the other, with options for the JVM. */
    public static ServerProcess start(Path data, List<String> javaOptions, String... options) throws IOException {
        return start(data, javaOptions, line -> {}, options);
    }

    /** As the other; what the node says goes to the reader, a line at a time. */
    public static ServerProcess start(Path data, List<String> javaOptions, Consumer<String> output, String... options)
            throws IOException {
        return started(launch(System.getProperty("java.class.path"), data, javaOptions, options), output);
    }

    /** Starts a node from other copies of the classes and libraries. */
    public static ServerProcess startFrom(String classPath, Path data, String... options) throws IOException {
        return started(launch(classPath, data, JAVA_OPTIONS, options), line -> {});
    }

    private static ServerProcess started(Process process, Consumer<String> output) throws IOException {
        Deque<String> lines = new ArrayDeque<>();
        BufferedReader reader = process.inputReader();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            output.accept(line);
            Matcher ready = READY.matcher(line);
            if (ready.matches()) {
                Thread.ofVirtual().start(() -> drain(reader, output));
                return new ServerProcess(process, Integer.parseInt(ready.group(1)));
            }
            lines.addLast(line);
            if (lines.size() > LINES_KEPT) {
                lines.removeFirst();
            }
        }
        process.destroyForcibly();
        throw new IOException("the node did not start: " + String.join("\n", lines));
    }

    /**
     * Starts a node and calls the ending, which must kill the process, so many milliseconds after it opened its log.
     * Returns what the node said.
     */
    static List<String> startAndEnd(Path data, long millis, Ending ending, String... options)
            throws IOException, InterruptedException {
        Process process = launch(System.getProperty("java.class.path"), data, JAVA_OPTIONS, options);
        awaitLog(process);
        Thread.sleep(millis);
        ending.end(process);
        process.waitFor();
        try (BufferedReader reader = process.inputReader()) {
            return reader.readAllLines();
        } catch (IOException gone) { // its output went with it
            return List.of();
        }
    }

    /** Returns once the process has a file of its log open, as Linux tells. */
    private static void awaitLog(Process process) throws IOException, InterruptedException {
        Path open = Path.of("/proc", Long.toString(process.pid()), "fd");
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (process.isAlive() && !hasLog(open) && System.nanoTime() - deadline < 0) {
            Thread.sleep(2);
        }
    }

    private static boolean hasLog(Path open) throws IOException {
        try (Stream<Path> descriptors = Files.list(open)) {
            return descriptors.anyMatch(ServerProcess::isOfLog);
        } catch (NoSuchFileException | UncheckedIOException gone) { // and its table of files with it
            return false;
        }
    }

    private static boolean isOfLog(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("/log/");
        } catch (IOException closed) {
            return false;
        }
    }

    /** Ways to end a process without notice. */
    @FunctionalInterface
    interface Ending {
        void end(Process process) throws IOException, InterruptedException;
    }

    private static Process launch(String classPath, Path data, List<String> javaOptions, String... options)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports",
                "java.base/jdk.internal.vm=ALL-UNNAMED"));
        command.addAll(javaOptions);
        command.addAll(List.of("-cp", classPath, "dev.fulmar.launcher.Main", "start", "--data", data.toString()));
        if (!List.of(options).contains(LISTEN)) {
            command.addAll(List.of(LISTEN, "127.0.0.1:0"));
        }
        command.addAll(List.of(options));
        return tied(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /**
     * Ties the process to this one, so that a campaign that is broken off leaves no nodes behind. It is killed when
     * this one ends by itself or by a signal.
     */
    private static Process tied(Process process) {
        Thread end = new Thread(process::destroyForcibly, "end-of-" + process.pid());
        try {
            Runtime.getRuntime().addShutdownHook(end);
        } catch (IllegalStateException ending) {
            process.destroyForcibly();
            throw ending;
        }
        var unused = process.onExit().thenRun(() -> untie(end));
        return process;
    }

    private static void untie(Thread end) {
        try {
            Runtime.getRuntime().removeShutdownHook(end);
        } catch (IllegalStateException ending) {
            LOG.debug("a node ended with this process", ending);
        }
    }

    /** Reads all that the node says, so that it never waits for a reader. */
    private static void drain(BufferedReader reader, Consumer<String> output) {
        try {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                output.accept(line);
            }
        } catch (IOException gone) { // the process was killed, and its output went with it
            LOG.debug("a node's output ended", gone);
        }
    }

    @Override
    public FulmarClient connect(int maxOutstanding) {
        return FulmarClient.builder()
                .hosts("127.0.0.1:" + port)
                .maxOutstanding(maxOutstanding)
                .connect();
    }

    /** Ends it as {@code kill -9} does. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** The same, without waiting for its end. */
    public void beginKill() {
        process.destroyForcibly();
    }

    @Override
    public void end() throws InterruptedException {
        kill();
    }

    /** Sends it a signal by name, such as STOP or CONT; it has it when this returns. */
    public void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .redirectErrorStream(true)
                .start();
        if (kill.waitFor() != 0) {
            throw new IOException("no signal " + name + " to process " + process.pid() + ": "
                    + new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** Port for clients. */
    public int port() {
        return port;
    }

    /** Exit status of a process that ended by itself; empty while it runs. */
    public OptionalInt exitStatus() {
        return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    }

    /** Waits until the process has ended by itself; returns how, or throws if it lives on. */
    public int awaitEnd() throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException("the node goes on");
        }
        return process.exitValue();
    }

    /** The system's number of the process. */
    public long processNumber() {
        return process.pid();
    }

    /** The process, for those who end it in other ways. */
    Process process() {
        return process;
    }

    @Override
    public void stop() {
        close();
    }

    /** Ends it in order. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
