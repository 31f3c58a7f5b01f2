package dev.fulmar.simulator.postgres;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.postgres.session.SessionServices;
import dev.fulmar.wire.postgres.codec.BackendDecoder;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.TransactionStatus;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;

/**
 * A client of connections on which messages come in any order. On some of them all bytes are right; there the client
 * comes to rest in the end, and must be answered as ever. On the others some bytes are broken, and the client leaves.
 */
final class HostileClient {
    private static final int CONNECTIONS = 8;
    private static final int MOST_MESSAGES = 30;
    private static final int MOST_TRAVEL_NANOS = 2_000_000;
    private static final int MOST_PIECES = 3;
    private static final int BROKEN_ONE_IN = 3;
    private static final int LEAVES_ONE_IN = 6;
    private static final int MESSAGE_BYTES = 1 << 20;
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final String LAST = "SELECT 4711";
    private static final byte[] LAST_ROW = "4711".getBytes(StandardCharsets.UTF_8);

    private final int number;
    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private final SessionServices services;
    private final RandomSource random;
    private final HostileMessages messages;
    private final Consumer<String> wrong;
    private int connections;
    private long sent;
    private boolean isDone;
    private Connection open;

    HostileClient(
            int number,
            SimulatedWorld world,
            SimulatedProcess process,
            SessionServices services,
            RandomSource random,
            Consumer<String> wrong) {
        this.number = number;
        this.world = world;
        this.process = process;
        this.services = services;
        this.random = random;
        this.messages = new HostileMessages(random);
        this.wrong = wrong;
        this.open = new Connection();
    }

    void work() {
        if (connections++ == CONNECTIONS) {
            isDone = true;
        } else {
            open = new Connection();
            open.begin();
        }
    }

    boolean isDone() {
        return isDone;
    }

    long sent() {
        return sent;
    }

    @Override
    public String toString() {
        return "client " + number + " on its connection " + connections + ", which said " + open.said + " and heard "
                + open.heard;
    }

    private final class Connection {
        private final boolean isBroken = random.nextInt(BROKEN_ONE_IN) == 0;
        private final boolean leavesEarly = random.nextInt(LEAVES_ONE_IN) == 0;
        private final BackendDecoder decoder = new BackendDecoder(new UnpooledByteBufAllocator(false), MESSAGE_BYTES);
        private final List<String> said = new ArrayList<>();
        private final List<String> heard = new ArrayList<>();
        private final ServerEnd server = new ServerEnd(
                services,
                random.nextLong() | 1,
                task -> process.execute(0, "a session goes on", task),
                this::returns,
                this::closed);
        private int left = 1 + random.nextInt(MOST_MESSAGES);
        private long lastArrivalNanos;
        private long lastReturnNanos;
        private boolean isAtRest;
        private boolean isOver;

        void begin() {
            LinkedHashMap<String, String> parameters = new LinkedHashMap<>();
            parameters.put("user", "hostile");
            send(HostileMessages.written(
                    new FrontendMessage.StartupMessage(FrontendMessage.StartupMessage.VERSION_3_0, parameters)));
            world.schedule(PATIENCE_NANOS, "a client loses patience", () -> {
                if (!isOver && !isBroken) {
                    wrong.accept("no answer comes to " + HostileClient.this);
                    ends();
                }
            });
            next();
        }

        private void next() {
            world.schedule(random.nextInt(MOST_TRAVEL_NANOS), "a client says something", () -> {
                if (isOver) {
                    return;
                }
                if (left-- > 0) {
                    FrontendMessage message = messages.message();
                    said.add(message.toString());
                    sent++;
                    byte[] bytes = HostileMessages.written(message);
                    send(isBroken && random.nextInt(BROKEN_ONE_IN) == 0 ? messages.broken(bytes) : bytes);
                    next();
                } else if (isBroken || leavesEarly) {
                    ends();
                } else {
                    asksForRest();
                }
            });
        }

        /** Ends whatever it has begun, and asks something that every session can answer. */
        private void asksForRest() {
            for (FrontendMessage message : List.of(
                    new FrontendMessage.CopyFail("enough"),
                    new FrontendMessage.Sync(),
                    new FrontendMessage.CopyFail("enough"),
                    new FrontendMessage.Sync(),
                    new FrontendMessage.Query("ROLLBACK"),
                    new FrontendMessage.Query("RESET ALL"),
                    new FrontendMessage.Query(LAST))) {
                send(HostileMessages.written(message));
            }
        }

        private void send(byte[] bytes) {
            int from = 0;
            for (int piece = random.nextInt(MOST_PIECES); piece > 0 && from < bytes.length; piece--) {
                int to = from + random.nextInt(bytes.length - from);
                travels(Arrays.copyOfRange(bytes, from, to));
                from = to;
            }
            travels(Arrays.copyOfRange(bytes, from, bytes.length));
        }

        private void travels(byte[] piece) {
            long now = world.nowNanos();
            lastArrivalNanos = Math.max(lastArrivalNanos + 1, now + 1 + random.nextInt(MOST_TRAVEL_NANOS));
            world.schedule(
                    lastArrivalNanos - now,
                    "bytes of a client travel",
                    () -> process.execute(0, "bytes of a client", () -> server.take(piece)));
        }

        private void returns(byte[] piece) {
            atReturn("bytes of a server travel", () -> {
                process.execute(0, "bytes have arrived", server::arrived);
                try {
                    decoder.decode(Unpooled.wrappedBuffer(piece), message -> {
                        hears(message);
                        return true;
                    });
                } catch (FulmarException e) {
                    wrong.accept("an answer cannot be read, " + e.getMessage() + ": " + HostileClient.this);
                    ends();
                }
            });
        }

        private void closed() {
            atReturn("a server closes a connection", () -> {
                if (!isBroken && heard.stream().noneMatch(text -> text.contains("FATAL"))) {
                    wrong.accept("a connection is closed without a word: " + HostileClient.this);
                }
                ends();
            });
        }

        private void atReturn(String what, Runnable then) {
            long now = world.nowNanos();
            lastReturnNanos = Math.max(lastReturnNanos + 1, now + 1 + random.nextInt(MOST_TRAVEL_NANOS));
            world.schedule(lastReturnNanos - now, what, () -> {
                if (!isOver) {
                    then.run();
                }
            });
        }

        private void hears(BackendMessage message) {
            heard.add(text(message));
            if (message instanceof BackendMessage.ErrorResponse(var error)
                    && error.sqlState().startsWith("XX")) {
                wrong.accept("an error of the node, " + error + ": " + HostileClient.this);
            }
            isAtRest |= message instanceof BackendMessage.DataRow row && Arrays.equals(row.values()[0], LAST_ROW);
            if (isAtRest && message instanceof BackendMessage.ReadyForQuery(TransactionStatus status)) {
                if (status != TransactionStatus.IDLE) {
                    wrong.accept("a session at rest is " + status + ": " + HostileClient.this);
                }
                ends();
            }
        }

        private static String text(BackendMessage message) {
            return message instanceof BackendMessage.DataRow ? "a row" : message.toString();
        }

        private void ends() {
            if (!isOver) {
                isOver = true;
                decoder.close();
                process.execute(0, "departure", server::leave);
                world.schedule(1, "a client begins anew", HostileClient.this::work);
            }
        }
    }
}
