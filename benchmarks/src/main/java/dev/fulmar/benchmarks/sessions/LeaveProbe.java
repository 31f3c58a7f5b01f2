package dev.fulmar.benchmarks.sessions;

import dev.fulmar.benchmarks.experiment.JavaChild;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Session;
import java.io.IOException;
import java.util.List;

/** Measures how long the lease of a client that is gone keeps another one from a row. For one thread. */
final class LeaveProbe {
    static final String FOR_UPDATE = "SELECT times FROM pairs WHERE part = ? AND place = 1 FOR UPDATE";

    private static final double NANOS_PER_MILLI = 1e6;

    private final FulmarClient client;
    private final String host;

    LeaveProbe(FulmarClient client, String host) {
        this.client = client;
        this.host = host;
    }

    /** Ways for a client to be gone. */
    enum Way {
        /** Its process was killed, so its connections ended. */
        KILLED,
        /** It says nothing any more, as if its machine had lost its power: its connections stay. */
        SILENT
    }

    /** Milliseconds from when the client was gone until another transaction had the row. */
    double millis(Way way, int row) throws IOException, InterruptedException {
        List<String> options = List.of("-Xmx64m", "-XX:TieredStopAtLevel=1");
        List<String> arguments = List.of(host, Integer.toString(row));
        try (JavaChild leaving = JavaChild.start(LeavingClient.class, options, arguments)) {
            leaving.awaitLine(LeavingClient.LEASED);
            long begin = System.nanoTime();
            switch (way) {
                case KILLED -> leaving.kill();
                case SILENT -> leaving.pause();
            }
            double millis;
            try (Session session = client.begin()) {
                session.execute(FOR_UPDATE, row);
                millis = (System.nanoTime() - begin) / NANOS_PER_MILLI;
            }
            leaving.kill();
            return millis;
        }
    }
}
