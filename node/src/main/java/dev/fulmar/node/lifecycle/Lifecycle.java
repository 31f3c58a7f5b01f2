package dev.fulmar.node.lifecycle;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts parts in order and stops them in reverse. One thread at a time. */
public final class Lifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

    private record Part(String name, Runnable start, Runnable stop) {}

    private final List<Part> parts = new ArrayList<>();
    private final Deque<Part> running = new ArrayDeque<>();

    /** Adds a part, which may use those added before. Returns this. */
    public Lifecycle add(String name, Runnable start, Runnable stop) {
        parts.add(new Part(name, start, stop));
        return this;
    }

    /** Starts all parts. If one fails, those already started are stopped and the failure is thrown. */
    public void start() {
        for (Part part : parts) {
            try {
                part.start.run();
            } catch (RuntimeException | Error failure) {
                LOG.error("{} did not start; what runs already is stopped", part.name);
                stop();
                throw failure;
            }
            running.push(part);
            LOG.debug("{} started", part.name);
        }
    }

    /** Stops what runs. A part that fails to stop is logged and does not keep the others from it. */
    public void stop() {
        while (!running.isEmpty()) {
            Part part = running.pop();
            try {
                part.stop.run();
                LOG.debug("{} stopped", part.name);
            } catch (RuntimeException failure) {
                LOG.error("{} did not stop properly", part.name, failure);
            }
        }
    }
}
