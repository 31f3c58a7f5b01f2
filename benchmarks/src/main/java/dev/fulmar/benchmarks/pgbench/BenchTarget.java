package dev.fulmar.benchmarks.pgbench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A database with pgbench's tables.
 *
 * @param pgbench the program
 * @param directory for files of it
 */
record BenchTarget(
        BenchSystem system, Path pgbench, Path directory, int port, String user, String password, String database) {
    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+) \\(without initial connection time\\)");
    private static final Pattern FAILED = Pattern.compile("number of failed transactions: (\\d+) ");
    private static final String LOG = "latency";
    private static final int LATENCY = 2;
    private static final int PATIENCE_SECONDS = 600;

    void initialize(int scale) throws IOException, InterruptedException {
        run(List.of("-i", "-q", "-s", Integer.toString(scale)));
    }

    /** Runs a script for some seconds. */
    BenchWindow measure(BenchCase theCase, int round, int seconds, long seed) throws IOException, InterruptedException {
        removeLogs();
        String output = run(List.of(
                "-n",
                "-M",
                "prepared",
                "-b",
                theCase.script(),
                "-c",
                Integer.toString(theCase.clients()),
                "-T",
                Integer.toString(seconds),
                "--random-seed=" + seed,
                "-l",
                "--log-prefix=" + directory.resolve(LOG)));
        double rate = Double.parseDouble(found(RATE, output));
        long failed = Long.parseLong(found(FAILED, output));
        long[] latencies = latencies();
        removeLogs();
        return BenchWindow.of(system, theCase, round, rate, latencies, failed);
    }

    /** The balances that do not agree; empty if all do. */
    List<String> problems() throws SQLException {
        long written = number("SELECT COALESCE(SUM(delta), 0) FROM pgbench_history");
        List<String> problems = new ArrayList<>();
        for (String table : List.of("accounts.abalance", "tellers.tbalance", "branches.bbalance")) {
            String[] names = table.split("\\.");
            long sum = number("SELECT SUM(" + names[1] + ") FROM pgbench_" + names[0]);
            if (sum != written) {
                problems.add(
                        system + ": the sum of " + table + " is " + sum + ", and " + written + " was written down");
            }
        }
        return problems;
    }

    private long number(String sql) throws SQLException {
        String address = "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
        try (Connection connection = DriverManager.getConnection(address, user, password);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private String run(List<String> options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(pgbench.toString(), "-h", "127.0.0.1", "-p", Integer.toString(port), "-U", user));
        command.addAll(options);
        command.add(database);
        Path said = directory.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment().put("PGPASSWORD", password);
        Process process = builder.start();
        boolean isOver = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!isOver) {
            process.destroyForcibly().waitFor();
        }
        String output = Files.readString(said, StandardCharsets.UTF_8);
        if (!isOver || process.exitValue() != 0) {
            throw new IOException("pgbench did not end well with " + system + ": " + output);
        }
        return output;
    }

    private static String found(Pattern pattern, String output) throws IOException {
        Matcher found = pattern.matcher(output);
        if (!found.find()) {
            throw new IOException("pgbench does not say its figures: " + output);
        }
        return found.group(1);
    }

    private List<Path> logs() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith(LOG + "."))
                    .toList();
        }
    }

    private void removeLogs() throws IOException {
        for (Path log : logs()) {
            Files.delete(log);
        }
    }

    /** A line has a client, its transaction's number, and the latency in microseconds, or a word if it failed. */
    private long[] latencies() throws IOException {
        LongStream all = LongStream.empty();
        for (Path log : logs()) {
            all = LongStream.concat(all, latencies(log));
        }
        return all.toArray();
    }

    private static LongStream latencies(Path log) {
        LongStream.Builder found = LongStream.builder();
        try (BufferedReader reader = Files.newBufferedReader(log)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                String latency = line.split(" ", LATENCY + 2)[LATENCY];
                if (Character.isDigit(latency.charAt(0))) {
                    found.add(Long.parseLong(latency));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found.build();
    }
}
