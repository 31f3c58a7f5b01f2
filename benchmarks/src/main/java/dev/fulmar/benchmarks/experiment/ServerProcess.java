package dev.fulmar.benchmarks.experiment;

import dev.fulmar.client.FulmarClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node in a process of its own, on a free port of the loopback interface. */
public final class ServerProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("fulmar is ready on port (\\d+) .*");
    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);
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
        return start(data, List.of("-XX:TieredStopAtLevel=1", "-Xmx512m"), options);
    }

    /** As the other, with options for the JVM. */
    static ServerProcess start(Path data, List<String> javaOptions, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports",
                "java.base/jdk.internal.vm=ALL-UNNAMED"));
        command.addAll(javaOptions);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                "dev.fulmar.launcher.Main",
                "start",
                "--listen",
                "127.0.0.1:0",
                "--data",
                data.toString()));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Deque<String> lines = new ArrayDeque<>();
        BufferedReader reader = process.inputReader();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.matches()) {
                Thread.ofVirtual().start(() -> drain(reader));
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

    /** Reads what nobody needs, so that the node never waits for a reader. */
    private static void drain(BufferedReader reader) {
        try {
            String line;
            do {
                line = reader.readLine();
            } while (line != null);
        } catch (IOException gone) { // the process was killed, and its output went with it
            LOG.debug("a node's output ended", gone);
        }
    }

    /** Connects a client that keeps at most so many calls in flight. */
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
