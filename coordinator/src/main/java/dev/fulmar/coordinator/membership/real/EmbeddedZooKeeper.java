package dev.fulmar.coordinator.membership.real;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/**
 * One ZooKeeper server in this process, for a cluster whose nodes are all on this machine. It listens on the loopback
 * address only: every account on the machine can reach it. Changes that it acknowledged are on disk.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    private static final int TICK_MILLIS = 250;
    private static final int MIN_SESSION_TICKS = 2;
    private static final int MAX_SESSION_TICKS = 240;
    private static final int MAX_CONNECTIONS_PER_ADDRESS = 1_000;
    private static final int DEFAULT_BACKLOG = -1;
    private static final int RETAINED_SNAPSHOTS = 3;
    private static final int PURGE_HOURS = 1;
    private static final long LOG_GROWTH_BYTES = 1 << 20;

    private final FileTxnSnapLog log;
    private final ServerCnxnFactory connections;
    private final DatadirCleanupManager purge;

    private EmbeddedZooKeeper(FileTxnSnapLog log, ServerCnxnFactory connections, DatadirCleanupManager purge) {
        this.log = log;
        this.connections = connections;
        this.purge = purge;
    }

    /**
     * Starts the server on what the directory holds.
     *
     * @param directory its own; created if it is not there
     * @param port 0 for any that is free
     */
    public static EmbeddedZooKeeper start(Path directory, int port) {
        // The default of 64 MB is for a server with a disk of its own.
        FileTxnLog.setPreallocSize(LOG_GROWTH_BYTES);
        try {
            File files = directory.toFile();
            FileTxnSnapLog log = new FileTxnSnapLog(files, files);
            ZooKeeperServer server = new ZooKeeperServer(
                    log,
                    TICK_MILLIS,
                    MIN_SESSION_TICKS * TICK_MILLIS,
                    MAX_SESSION_TICKS * TICK_MILLIS,
                    DEFAULT_BACKLOG,
                    new ZKDatabase(log),
                    "");
            NIOServerCnxnFactory connections = newConnections();
            connections.configure(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), MAX_CONNECTIONS_PER_ADDRESS);
            connections.startup(server);
            DatadirCleanupManager purge = new DatadirCleanupManager(files, files, RETAINED_SNAPSHOTS, PURGE_HOURS);
            purge.start();
            return new EmbeddedZooKeeper(log, connections, purge);
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.STORAGE_FAILURE,
                    "the embedded ZooKeeper does not start in " + directory + " on port " + port + ": " + e
                            + "; free the port or mend the directory, or use --zookeeper to join an ensemble",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FulmarException(
                    ErrorCode.NODE_STOPPING, "the start of the embedded ZooKeeper was interrupted", e);
        }
    }

    /**
     * Creates the server's connections, and keeps the process's default handler of uncaught exceptions. As its class is
     * initialized it makes a handler that only logs the default one: with it no thread's death would end the node any
     * more.
     */
    private static NIOServerCnxnFactory newConnections() {
        Thread.UncaughtExceptionHandler ofProcess = Thread.getDefaultUncaughtExceptionHandler();
        try {
            return new NIOServerCnxnFactory();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(ofProcess);
        }
    }

    /** The server's address, for {@link ZooKeeperAccess}. */
    public String servers() {
        return InetAddress.getLoopbackAddress().getHostAddress() + ":" + connections.getLocalPort();
    }

    /** Stops serving; the state stays in the directory. */
    @Override
    public void close() {
        purge.shutdown();
        connections.shutdown();
        try {
            log.close();
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.STORAGE_FAILURE, "the embedded ZooKeeper cannot close its files: " + e.getMessage(), e);
        }
    }
}
