package dev.fulmar.benchmarks.survival;

import dev.fulmar.client.FulmarClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What nodes run on, one after another on the same data, and how they end without notice. */
public interface Machine extends AutoCloseable {
    /**
     * Starts a node on what the end of the one before left; returns when it takes clients, and fails with what the node
     * said.
     */
    Node start(List<String> options) throws IOException, InterruptedException;

    /**
     * Starts a node and ends it without notice so many milliseconds after it began to read its log or to make one, most
     * likely while it recovers. Returns what it said.
     */
    List<String> startAndEnd(List<String> options, long millis) throws IOException, InterruptedException;

    /** Leaves the data where people can look at it, and tells where. */
    Path keep() throws IOException;

    /** Ends the node, if one still runs. */
    @Override
    void close() throws IOException;

    /** A running node. */
    interface Node {
        /** Connects a client that keeps at most so many calls in flight. */
        FulmarClient connect(int maxOutstanding);

        /** Ends it without notice. */
        void end() throws IOException, InterruptedException;

        /** Ends it in order. */
        void stop();
    }
}
