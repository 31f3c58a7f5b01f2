package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.reconfiguration.RequestOutcomes;
import dev.fulmar.coordinator.request.OutcomeBytes;
import dev.fulmar.coordinator.request.RequestHistory;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.transaction.HandledRequest.Done;
import dev.fulmar.coordinator.transaction.HandledRequest.Underway;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies a partition's memory of requests for another partition. Bytes, little-endian: for each request the client
 * (64), the request (64), the kind (32) and what belongs to it. A commit follows with its length (32) and
 * {@link OutcomeBytes}; a failure with its code (32), a length (32) and the message in UTF-8. For the partition's
 * thread.
 */
public final class HistoryTransfer implements RequestOutcomes {
    private static final int COMMITTED = 0;
    private static final int FAILED = 1;
    private static final int FORGOTTEN = 2;
    private static final int FORGOTTEN_CLIENT = 3;

    /** Outcomes of one batch, which is less than a millisecond's work. */
    private static final int MOST_PLACES = 2_000;

    /** A part is larger only if a single outcome is. */
    private static final int PART_BYTES = 256 << 10;

    private static final int ENTRY_BYTES = 2 * Long.BYTES + 3 * Integer.BYTES;

    private final PartitionRuntime runtime;

    public HistoryTransfer(PartitionRuntime runtime) {
        this.runtime = runtime;
    }

    @Override
    public long commits() {
        return runtime.keyedCalls().commits();
    }

    @Override
    public long term() {
        return runtime.depositions();
    }

    @Override
    public Batch since(Place place) {
        RequestHistory<HandledRequest> history = runtime.history();
        Writer writer = new Writer();
        boolean lacksMarks = place.forgets() != history.forgets() || history.hasForgottenSince(place.put());
        long next = history.visitSince(place.put(), MOST_PLACES, writer);
        boolean isLast = next == history.puts();
        if (lacksMarks && isLast) { // once, for there may be many
            history.visit(writer.ofForgotten());
        }
        boolean lacksThem = lacksMarks && !isLast;
        return new Batch(writer.parts(), new Place(next, lacksThem ? Place.LACKS_MARKS : history.forgets()), isLast);
    }

    @Override
    public void take(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        try {
            while (in.hasRemaining()) {
                takeNext(in);
            }
        } catch (BufferUnderflowException | IllegalArgumentException malformed) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    bytes.length + " bytes are no outcomes of requests; cancel the reconfiguration, and report this",
                    malformed);
        }
    }

    private void takeNext(ByteBuffer in) {
        long client = in.getLong();
        long request = in.getLong();
        switch (in.getInt()) {
            case COMMITTED -> {
                byte[] outcome = rest(in);
                if (!isKnown(client, request)) { // or outcomes would go to and fro between two partitions
                    runtime.remember(client, request, OutcomeBytes.read(outcome));
                }
            }
            case FAILED -> {
                ErrorCode code = ErrorCode.ofNumber(in.getInt());
                String message = new String(rest(in), StandardCharsets.UTF_8);
                if (runtime.history().find(client, request) == null) { // a commit of a later attempt stays
                    runtime.remember(client, request, new Failed(code, message));
                }
            }
            case FORGOTTEN -> runtime.rememberForgotten(client, request);
            case FORGOTTEN_CLIENT -> runtime.rememberForgottenClient(client, request);
            default -> throw new IllegalArgumentException("an outcome has an unknown kind");
        }
    }

    private boolean isKnown(long client, long request) {
        return switch (runtime.history().find(client, request)) {
            case Done(Committed _) -> true;
            case Underway underway -> underway.decided() != null;
            case Done _ -> false;
            case null -> false;
        };
    }

    private static byte[] rest(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException("an outcome ends in its midst");
        }
        byte[] rest = new byte[length];
        in.get(rest);
        return rest;
    }

    /** Collects outcomes. */
    private static final class Writer implements RequestHistory.Visitor<HandledRequest> {
        private final List<byte[]> parts = new ArrayList<>();
        private ByteBuffer out = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);

        List<byte[]> parts() {
            endPart();
            return parts;
        }

        private void endPart() {
            if (out.position() > 0) {
                parts.add(Arrays.copyOf(out.array(), out.position()));
                out.clear();
            }
        }

        @Override
        public boolean isFull() {
            return !parts.isEmpty();
        }

        /** Collects no outcomes, but that there were some. */
        RequestHistory.Visitor<HandledRequest> ofForgotten() {
            return new RequestHistory.Visitor<>() {
                @Override
                public void outcome(long clientId, long requestId, HandledRequest outcome) {}

                @Override
                public void forgotten(long clientId, long requestId) {
                    Writer.this.forgotten(clientId, requestId);
                }

                @Override
                public void forgottenClient(long clientId, long highestRequestId) {
                    Writer.this.forgottenClient(clientId, highestRequestId);
                }
            };
        }

        private void begin(long client, long request, int kind, int moreBytes) {
            if (out.position() + ENTRY_BYTES + moreBytes > PART_BYTES) {
                endPart();
            }
            int needed = out.position() + ENTRY_BYTES + moreBytes;
            if (needed > out.capacity()) {
                out = ByteBuffer.allocate(Math.max(needed, 2 * out.capacity()))
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put(out.flip());
            }
            out.putLong(client).putLong(request).putInt(kind);
        }

        @Override
        public void outcome(long clientId, long requestId, HandledRequest outcome) {
            switch (outcome) {
                case Done(Committed committed) -> committed(clientId, requestId, committed);
                case Done(Failed failed) -> {
                    byte[] message = failed.message().getBytes(StandardCharsets.UTF_8);
                    begin(clientId, requestId, FAILED, message.length);
                    out.putInt(failed.code().number()).putInt(message.length).put(message);
                }
                case Underway underway -> committed(clientId, requestId, underway.decided());
            }
        }

        private void committed(long client, long request, @Nullable Committed committed) {
            if (committed != null) {
                byte[] bytes = OutcomeBytes.of(committed);
                begin(client, request, COMMITTED, bytes.length);
                out.putInt(bytes.length).put(bytes);
            }
        }

        @Override
        public void forgotten(long clientId, long requestId) {
            begin(clientId, requestId, FORGOTTEN, 0);
        }

        @Override
        public void forgottenClient(long clientId, long highestRequestId) {
            begin(clientId, highestRequestId, FORGOTTEN_CLIENT, 0);
        }
    }
}
