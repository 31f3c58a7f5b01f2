package dev.fulmar.benchmarks.timestone;

import java.util.Map;
import java.util.function.Function;

/** A place for nodes, which are numbers and bytes, with transactions over them. */
interface Nodes extends AutoCloseable {
    /** A thread's access. */
    Access access();

    /** Bytes written to the device, fences, objects and so on, by name; only grows. */
    Map<String, Double> figures();

    @Override
    void close();

    /** For one thread. */
    interface Access extends AutoCloseable {
        /** Runs the body in a transaction that is durable when this returns; a body may run several times. */
        <T> T run(boolean writes, Function<Body, T> body);

        /** Attempts that failed because of others. */
        long conflicts();

        @Override
        void close();
    }

    /** Operations of a transaction. A word is 8 bytes. */
    interface Body {
        long word(long node, int word);

        void word(long node, int word, long value);

        long create(byte[] content);

        void delete(long node);

        /** Replaces a part of the node's bytes. */
        void replace(long node, int offset, byte[] bytes);

        /** Reads all of the node's bytes; returns a sum of them. */
        long sum(long node, int bytes);
    }
}
