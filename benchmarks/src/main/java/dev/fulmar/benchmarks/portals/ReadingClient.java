package dev.fulmar.benchmarks.portals;

import dev.fulmar.benchmarks.run.CollectedHeap;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultStream;
import dev.fulmar.client.ResultTable;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.TransactionMode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A client in a process of its own that reads all documents. It stops now and then, says its heap, and goes on when it
 * is told a line.
 */
final class ReadingClient {
    /** Its heap follows. */
    static final String PAUSE = "pause ";

    /** Rows that were read, and rows that were wrong, follow. */
    static final String DONE = "done ";

    /** The error of a stream follows. */
    static final String ENDED = "ended ";

    /** All portals are open, and are read from now on. */
    static final String READS = "reads";

    /** Portals of a crowd. */
    static final int CROWD_PORTALS = 100;

    private static final int MOST_ROWS = 1_000_000;
    private static final int FETCHED_ROWS = 10;
    private static final long RETRY_NANOS = 5_000_000;

    /** Ways to read. */
    enum Way {
        /** A stream of the client. */
        STREAM,
        /** A cursor of a transaction that only reads. */
        CURSOR,
        /** A stream that is read on after a pause only. */
        STALL,
        /** Many streams. */
        CROWD
    }

    private final FulmarClient client;
    private final int number;
    private final BufferedReader input =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));

    private ReadingClient(FulmarClient client, int number) {
        this.client = client;
        this.number = number;
    }

    /** Arguments are the node's address, the way, and the rows between two pauses, or of a crowd's parts. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (FulmarClient client =
                FulmarClient.builder().hosts(arguments[0]).connectionsPerHost(1).connect()) {
            ReadingClient reading = new ReadingClient(client, Integer.parseInt(arguments[2]));
            reading.pause();
            switch (Way.valueOf(arguments[1])) {
                case STREAM -> reading.stream();
                case CURSOR -> reading.cursor();
                case STALL -> reading.stall();
                case CROWD -> reading.crowd();
            }
        }
    }

    private void pause() throws IOException, InterruptedException {
        System.out.println(PAUSE + CollectedHeap.bytes(1));
        if (input.readLine() == null) {
            throw new IOException("the experiment is gone");
        }
    }

    private void noted(Documents documents) throws IOException, InterruptedException {
        if (documents.rows() % number == 0) {
            pause();
        }
    }

    private static void done(Documents documents) {
        System.out.println(DONE + documents.rows() + " " + documents.wrong());
    }

    private void stream() throws IOException, InterruptedException {
        Documents documents = new Documents();
        try (ResultStream rows = client.stream(MOST_ROWS, Documents.ALL)) {
            while (rows.next()) {
                documents.note(rows.getInt(0), Objects.requireNonNull(rows.getBytes(2)));
                noted(documents);
            }
        }
        done(documents);
    }

    private void cursor() throws IOException, InterruptedException {
        Documents documents = new Documents();
        try (Session session = client.begin(TransactionMode.READ_ONLY)) {
            session.execute("DECLARE documents CURSOR FOR " + Documents.ALL);
            int found;
            do {
                ResultTable part = session.execute("FETCH " + FETCHED_ROWS + " FROM documents")
                        .table();
                found = part.rowCount();
                while (part.next()) {
                    documents.note(part.getInt(0), Objects.requireNonNull(part.getBytes(2)));
                    noted(documents);
                }
            } while (found > 0);
            session.commit();
        }
        done(documents);
    }

    private void stall() throws IOException, InterruptedException {
        try (ResultStream rows = client.stream(MOST_ROWS, Documents.ALL)) {
            rows.next();
            pause();
            while (rows.next()) {
                rows.getInt(0);
            }
            System.out.println(ENDED + "NEVER");
        } catch (FulmarException e) {
            System.out.println(ENDED + e.code().name());
        }
    }

    private void crowd() {
        List<ResultStream> streams = new ArrayList<>();
        for (int i = 0; i < CROWD_PORTALS; i++) {
            ResultStream rows = patiently(() -> client.stream(number, Documents.ALL));
            streams.add(rows);
            patiently(rows::next);
        }
        System.out.println(READS);
        boolean isMore = true;
        while (isMore) { // until it is stopped, or there are no more rows
            isMore = false;
            for (ResultStream rows : streams) {
                isMore |= patiently(rows::next);
            }
        }
    }

    /** Asks again while the node has too many bytes of replies under way, as a client of a crowd must. */
    private static <T> T patiently(Supplier<T> request) {
        while (true) {
            try {
                return request.get();
            } catch (FulmarException e) {
                if (e.code() != ErrorCode.SERVER_BUSY) {
                    throw e;
                }
            }
            LockSupport.parkNanos(RETRY_NANOS);
        }
    }
}
