package dev.fulmar.benchmarks.survival;

import dev.fulmar.client.FulmarClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Machine on which nodes run, one after another on the same data, and end without notice. */
public interface Machine extends AutoCloseable {
    /**
     * Starts a node on what the end of the one before left; returns when it takes clients, and fails with what the node
     * said.
     */
    Node start(List<String> options) throws IOException, InterruptedException;

    /**
     * Starts a node and ends it without notice, most likely while it recovers. The time runs in milliseconds from the
     * moment at which it began to read its log or to make one. Returns the node's output.
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
