package dev.fulmar.benchmarks.experiment;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A JVM like this one, with the same class path and options, that runs another main class. It ends when its standard
 * input does, so it never outlives this process.
 */
public final class JavaChild implements AutoCloseable {
    private static final List<String> NOT_INHERITED =
            List.of("-Xlog", "-agentlib", "-javaagent", "-XX:StartFlightRecording", "-Dcom.sun.management");
    private static final long SECONDS_TO_END = 30;

    private final Process process;
    private final BufferedReader output;

    private JavaChild(Process process) {
        this.process = process;
        output = process.inputReader();
    }

    /** Starts a JVM; {@code options} come after those of this JVM and so overrule them. */
    public static JavaChild start(Class<?> main, List<String> options, List<String> arguments) throws IOException {
        return start(main, options, Map.of(), arguments);
    }

    /** The same, with variables that its environment has beside those of this process. */
    static JavaChild start(Class<?> main, List<String> options, Map<String, String> environment, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> NOT_INHERITED.stream().noneMatch(option::startsWith))
                .forEach(command::add);
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        return new JavaChild(builder.start());
    }

    /** The rest of the first line of output that begins so; fails if the process ends before. */
    public String awaitLine(String beginning) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(beginning)) {
                return line.substring(beginning.length());
            }
        }
        throw new IOException("process " + process.pid() + " ended without a line '" + beginning + "'");
    }

    /** Gives the process a line of input. */
    public void tell(String line) throws IOException {
        OutputStream input = process.getOutputStream();
        input.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        input.flush();
    }

    /** Tells the process to end, and returns what it has not said yet. */
    public List<String> finish() throws IOException {
        process.getOutputStream().close();
        return output.readAllLines();
    }

    /** Memory that the process holds now. */
    long residentBytes() throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
            }
        }
        throw new IOException(status + " does not tell the resident memory");
    }

    /** Ends it as {@code kill -9} does. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Stops it as a machine stops that loses its power: it says nothing any more, and its connections stay. */
    public void pause() throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("kill -STOP ended with " + status);
        }
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
