package dev.fulmar.benchmarks.timestone;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Counts the flushes and waits of a transaction of LLPL's TransactionalHeap, which is PMDK's undo log, as a process of
 * its own. {@code PMEM_IS_PMEM_FORCE=1} in its environment must make PMDK take memory for persistent, or it writes
 * whole pages. Arguments: a directory, a seed, and cases {@code ROW:BEGIN:RANGE} in bytes. Says {@link #COUNTED},
 * commits, bytes, lines and fences of each; or {@link #ABSENT} and why it cannot count.
 */
public final class UndoLogProcess {
    /** Beginning of a line with the figures of a case. */
    public static final String COUNTED = "counted ";

    /** Beginning of a line with the reason for which there are none. */
    public static final String ABSENT = "absent ";

    private static final long POOL_BYTES = 256L << 20;
    private static final int ROWS = 20_000;
    private static final int COMMITS = 20_000;

    private UndoLogProcess() {}

    public static void main(String... arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Path pool = Path.of(arguments[0]).resolve("undo-log.pool");
        try (LlplNodes nodes = new LlplNodes(pool, POOL_BYTES);
                Nodes.Access access = nodes.access()) {
            PmemCalls calls = PmemCalls.of(pool);
            for (int i = 2; i < arguments.length; i++) {
                String[] sizes = arguments[i].split(":");
                out.println(COUNTED
                        + count(
                                access,
                                calls,
                                new SplittableRandom(Long.parseLong(arguments[1])),
                                Integer.parseInt(sizes[0]),
                                Integer.parseInt(sizes[1]),
                                Integer.parseInt(sizes[2])));
            }
        } catch (LinkageError | IllegalStateException | IllegalArgumentException absent) {
            out.println(ABSENT + absent);
        }
    }

    private static String count(
            Nodes.Access access, PmemCalls calls, SplittableRandom random, int rowBytes, int begin, int rangeBytes) {
        long[] rows = new long[ROWS];
        for (int row = 0; row < ROWS; row++) {
            rows[row] = access.run(true, body -> body.create(new byte[rowBytes]));
        }
        byte[] range = new byte[rangeBytes];
        long bytes = calls.bytes();
        long lines = calls.lines();
        long fences = calls.fences();
        for (int commit = 0; commit < COMMITS; commit++) {
            random.nextBytes(range);
            long row = rows[random.nextInt(ROWS)];
            access.run(true, body -> {
                body.replace(row, begin, range);
                return row;
            });
        }
        return COMMITS + " " + (calls.bytes() - bytes) + " " + (calls.lines() - lines) + " "
                + (calls.fences() - fences);
    }
}
