package dev.fulmar.benchmarks.sessions;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Session;
import java.io.IOException;
import java.io.OutputStream;

/** A client in a process of its own that leaves a transaction open, with the lease of a row. */
final class LeavingClient {
    static final String LEASED = "leased";

    private LeavingClient() {}

    /** Arguments are the node's address, and the row's key. */
    public static void main(String[] arguments) throws IOException {
        try (FulmarClient client = FulmarClient.builder().hosts(arguments[0]).connect();
                Session session = client.begin()) {
            session.execute(LeaveProbe.FOR_UPDATE, Integer.parseInt(arguments[1]));
            System.out.println(LEASED);
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
