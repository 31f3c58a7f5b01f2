package dev.fulmar.benchmarks.sqlcheck;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server of this process alone, in a temporary directory and on a loopback port of its own. Its life hangs
 * on a pipe: the shell that started it waits for the end of its input, stops the server and removes the directory, so
 * that nothing stays behind a process that is killed.
 */
public final class PostgresCluster implements AutoCloseable {
    /** The user who owns everything. */
    public static final String USER = "fulmar";

    /** For a reference whose data nobody needs afterwards. */
    public static final String FAST =
            "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=20 -c jit=off"
                    + " -c max_parallel_workers_per_gather=0 -c autovacuum=off";

    /** The way in which clients log in unless something else is wanted. */
    public static final String SCRAM = "scram-sha-256";

    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration STOP = Duration.ofSeconds(30);
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(50);
    private static final Path TEMPORARY = Path.of("/tmp");
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql/15/bin");

    /** Texts are ordered by code point, as everywhere in Fulmar; letters change case by Unicode. */
    private static final String SCRIPT = """
            trap : INT TERM
            directory=$(mktemp -d "$REFERENCE_PLACE"/fulmar-reference.XXXXXX) || exit 1
            cd "$directory" && umask 077 && printf %s "$REFERENCE_PASSWORD" > password
            if "$REFERENCE_BIN/initdb" -D data -U "$REFERENCE_USER" --pwfile=password --auth="$REFERENCE_METHOD" --encoding=UTF8 \\
                --lc-collate=C --lc-ctype=C.UTF-8 --no-sync > log 2>&1; then
                "$REFERENCE_BIN/postgres" -D data -p "$REFERENCE_PORT" -c listen_addresses=127.0.0.1 -c unix_socket_directories= \\
                    $REFERENCE_OPTIONS >> log 2>&1 < /dev/null &
                server=$!
                echo started
                cat > /dev/null
                kill -INT $server
                wait $server
            else
                tail -n 3 log
            fi
            cd / && rm -rf "$directory"
            """;

    private final Process process;
    private final int port;
    private final String password;

    private PostgresCluster(Process process, int port, String password) {
        this.process = process;
        this.port = port;
        this.password = password;
    }

    /**
     * Directory of {@code initdb}, {@code postgres} and more programs: on the path, or where Debian puts release 15;
     * null if there is none.
     */
    public static @Nullable Path installation(String... more) {
        String path = System.getenv("PATH");
        return Stream.concat(
                        Stream.of((path == null ? "" : path).split(File.pathSeparator))
                                .filter(each -> !each.isEmpty())
                                .map(Path::of),
                        Stream.of(DEBIAN))
                .filter(each -> Stream.concat(Stream.of("initdb", "postgres"), Stream.of(more))
                        .allMatch(program -> Files.isExecutable(each.resolve(program))))
                .findFirst()
                .orElse(null);
    }

    /** Starts a fast server that loses its data with the machine, and waits until it answers. */
    static PostgresCluster start(Path installation) throws IOException, SQLException {
        return start(installation, SCRAM, FAST);
    }

    /** Starts a server whose data lie among temporary files, and waits until it answers. */
    public static PostgresCluster start(Path installation, String method, String options)
            throws IOException, SQLException {
        return start(installation, method, options, TEMPORARY);
    }

    /**
     * Starts a server, and waits until it answers.
     *
     * @param method by which clients log in, as initdb takes it
     * @param options of the server
     * @param place of the directory with its data
     */
    public static PostgresCluster start(Path installation, String method, String options, Path place)
            throws IOException, SQLException {
        String password = UUID.randomUUID().toString();
        int port = freePort();
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            // The server refuses to run as root.
            command.addAll(List.of("runuser", "-u", hasUser("postgres") ? "postgres" : "nobody", "--"));
        }
        command.addAll(List.of("sh", "-c", SCRIPT));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("REFERENCE_BIN", installation.toString());
        builder.environment().put("REFERENCE_OPTIONS", options);
        builder.environment().put("REFERENCE_PLACE", place.toString());
        builder.environment().put("REFERENCE_USER", USER);
        builder.environment().put("REFERENCE_PASSWORD", password);
        builder.environment().put("REFERENCE_METHOD", method);
        builder.environment().put("REFERENCE_PORT", Integer.toString(port));
        PostgresCluster cluster = new PostgresCluster(builder.start(), port, password);
        try {
            cluster.awaitStart();
            return cluster;
        } catch (IOException | SQLException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static boolean hasUser(String name) throws IOException {
        return Files.readAllLines(Path.of("/etc/passwd")).stream().anyMatch(line -> line.startsWith(name + ":"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitStart() throws IOException, SQLException {
        BufferedReader said = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        String line = said.readLine();
        if (!"started".equals(line)) {
            throw new IOException("PostgreSQL does not start: " + line);
        }
        long giveUpNanos = System.nanoTime() + START.toNanos();
        while (true) {
            try {
                connect("postgres").close();
                return;
            } catch (SQLException e) {
                if (System.nanoTime() > giveUpNanos || !process.isAlive()) {
                    throw e;
                }
                LockSupport.parkNanos(BETWEEN_ATTEMPTS.toNanos());
            }
        }
    }

    /** Port on the loopback. */
    public int port() {
        return port;
    }

    /** Password of {@link #USER}. */
    public String password() {
        return password;
    }

    /** A connection to a new database of that name. */
    public Connection connectToNew(String database) throws SQLException {
        try (Connection connection = connect("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + database);
        }
        return connect(database);
    }

    private Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?preferQueryMode=simple", USER, password);
    }

    /** Ends the server, which closes its connections, and removes its directory. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(STOP.toNanos(), TimeUnit.NANOSECONDS)) {
                process.descendants().forEach(ProcessHandle::destroy);
                process.destroy();
            }
        } catch (IOException e) {
            throw new IllegalStateException("the reference does not stop", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
