package dev.fulmar.coordinator.cluster;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.access.CallerListener;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Forwarded requests, their answers and what nodes tell each other about themselves, as bytes: version, kind, fields,
 * big-endian.
 */
final class RequestFormat {
    private static final byte VERSION = 1;
    private static final byte CALL = 1;
    private static final byte STATEMENT = 2;
    private static final byte COMMITTED = 3;
    private static final byte FAILED = 4;
    private static final byte INTRODUCTION = 5;

    /** The form of what version 1 did not have; who knows version 1 only refuses it with the reason. */
    private static final byte CANCEL_VERSION = 2;

    private static final byte CANCEL = 6;

    /** The form of a request whose sender says which version of the catalog it knew. */
    private static final byte CATALOG_VERSION = 3;

    /**
     * The form in which a node says that it broke; who does not know it ends the link, which is about to end anyway.
     */
    private static final byte BREAKING_VERSION = 4;

    private static final byte BREAKING = 7;

    /** The form in which a node says that a client is gone; who does not know it refuses it with the reason. */
    private static final byte DEPARTED_VERSION = 5;

    private static final byte DEPARTED = 8;

    private static final int FIXED_BYTES = 80;

    private RequestFormat() {}

    /** Message on the channel of requests. */
    sealed interface Message {
        /** A request for a partition that the receiver serves. The number is the sender's own. */
        record Forwarded(long number, TransactionRequest request) implements Message {}

        /** The answer to the request with the number. */
        record Answered(long number, TransactionResponse response) implements Message {}

        /** Address at which clients reach the sender, {@code host:port}. */
        record Introduction(String clientAddress) implements Message {}

        /** The request with the number, which the sender forwarded, shall end. */
        record Cancel(long number) implements Message {}

        /** The client of the request with the number, which the sender forwarded, is gone: nobody takes its answer. */
        record Departed(long number) implements Message {}

        /** The sender broke and is about to end: a request that it has may be why. */
        record Breaking() implements Message {}
    }

    static ByteBuffer write(Message message) {
        return switch (message) {
            case Message.Forwarded(long number, TransactionRequest request) -> writeRequest(number, request);
            case Message.Answered(long number, TransactionResponse.Committed committed) -> {
                byte[] results = committed.results();
                yield begin(COMMITTED, results.length)
                        .putLong(number)
                        .put((byte) committed.kind().ordinal())
                        .putLong(committed.value())
                        .putLong(committed.snapshot())
                        .putInt(results.length)
                        .put(results)
                        .flip();
            }
            case Message.Answered(long number, TransactionResponse.Failed(ErrorCode code, String text, var _)) -> {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                yield begin(FAILED, bytes.length)
                        .putLong(number)
                        .putInt(code.number())
                        .putInt(bytes.length)
                        .put(bytes)
                        .flip();
            }
            case Message.Cancel(long number) -> writeNumber(CANCEL_VERSION, CANCEL, number);
            case Message.Departed(long number) -> writeNumber(DEPARTED_VERSION, DEPARTED, number);
            case Message.Breaking() ->
                ByteBuffer.allocate(2).put(BREAKING_VERSION).put(BREAKING).flip();
            case Message.Introduction(String address) -> {
                byte[] bytes = address.getBytes(StandardCharsets.UTF_8);
                yield begin(INTRODUCTION, bytes.length)
                        .putInt(bytes.length)
                        .put(bytes)
                        .flip();
            }
        };
    }

    private static ByteBuffer writeRequest(long number, TransactionRequest request) {
        byte[] text = request.subject().getBytes(StandardCharsets.UTF_8);
        byte[] parameters = request.parameters();
        byte[] user = request.caller().user().getBytes(StandardCharsets.UTF_8);
        byte kind = switch (request) {
            case TransactionRequest.Call _ -> CALL;
            case TransactionRequest.AdHoc _ -> STATEMENT;
        };
        ByteBuffer message = begin(kind, text.length + parameters.length + user.length);
        if (request.catalogVersion() != 0) {
            message.put(0, CATALOG_VERSION).putLong(request.catalogVersion());
        }
        return message.putLong(number)
                .putLong(request.clientId())
                .putLong(request.requestId())
                .putLong(request.timeoutNanos())
                .put((byte) request.consistency().ordinal())
                .put((byte) (request.caller().isTrusted() ? 1 : 0))
                .putInt(user.length)
                .put(user)
                .putInt(text.length)
                .put(text)
                .putInt(parameters.length)
                .put(parameters)
                .flip();
    }

    private static ByteBuffer writeNumber(byte version, byte kind, long number) {
        return ByteBuffer.allocate(FIXED_BYTES)
                .put(version)
                .put(kind)
                .putLong(number)
                .flip();
    }

    /** The number that a message is all about. */
    private static long number(byte kind, ByteBuffer in) {
        byte found = in.get();
        long number = in.getLong();
        if (found != kind || in.hasRemaining()) {
            throw new IllegalArgumentException("kind " + found + " and " + in.remaining() + " bytes more");
        }
        return number;
    }

    private static Message breaking(ByteBuffer in) {
        byte kind = in.get();
        if (kind != BREAKING || in.hasRemaining()) {
            throw new IllegalArgumentException("kind " + kind + " and " + in.remaining() + " bytes more");
        }
        return new Message.Breaking();
    }

    private static ByteBuffer begin(byte kind, int contentBytes) {
        return ByteBuffer.allocate(FIXED_BYTES + contentBytes).put(VERSION).put(kind);
    }

    /** The message that the rest of the buffer is; refuses anything else. */
    static Message read(ByteBuffer in) {
        try {
            byte version = in.get();
            if (version == CANCEL_VERSION) {
                return new Message.Cancel(number(CANCEL, in));
            }
            if (version == DEPARTED_VERSION) {
                return new Message.Departed(number(DEPARTED, in));
            }
            if (version == BREAKING_VERSION) {
                return breaking(in);
            }
            if (version != VERSION && version != CATALOG_VERSION) {
                throw new FulmarException(
                        ErrorCode.VERSION_MISMATCH,
                        "a node forwards requests in form " + version + ", which this version of Fulmar does not know;"
                                + " run the same version on all nodes");
            }
            byte kind = in.get();
            if (version == CATALOG_VERSION && kind != CALL && kind != STATEMENT) {
                throw new IllegalArgumentException("kind " + kind + " in form " + version);
            }
            Message message = switch (kind) {
                case CALL, STATEMENT -> request(kind, version == CATALOG_VERSION ? in.getLong() : 0, in);
                case COMMITTED -> new Message.Answered(in.getLong(), committed(in));
                case FAILED ->
                    new Message.Answered(
                            in.getLong(), new TransactionResponse.Failed(ErrorCode.ofNumber(in.getInt()), text(in)));
                case INTRODUCTION -> new Message.Introduction(text(in));
                default -> throw new IllegalArgumentException("kind " + kind);
            };
            if (in.hasRemaining()) {
                throw new IllegalArgumentException(in.remaining() + " bytes too many");
            }
            return message;
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST,
                    "a node sent a malformed request or answer (" + e.getMessage()
                            + "); run the same version of Fulmar on all nodes",
                    e);
        }
    }

    private static Message request(byte kind, long catalogVersion, ByteBuffer in) {
        long number = in.getLong();
        long clientId = in.getLong();
        long requestId = in.getLong();
        long timeoutNanos = in.getLong();
        ReadConsistency consistency = constant(ReadConsistency.values(), in.get());
        boolean isTrusted = in.get() != 0;
        String user = text(in);
        String text = text(in);
        byte[] parameters = bytes(in);
        if (timeoutNanos < 0) {
            throw new IllegalArgumentException("a time-out of " + timeoutNanos);
        }
        // The rights are looked up here: the other node has only made sure who it is.
        Caller caller = isTrusted ? Caller.TRUSTED : Caller.user(user, CallerListener.none());
        return new Message.Forwarded(
                number,
                kind == CALL
                        ? new TransactionRequest.Call(
                                clientId,
                                requestId,
                                timeoutNanos,
                                consistency,
                                text,
                                parameters,
                                caller,
                                catalogVersion)
                        : new TransactionRequest.AdHoc(
                                clientId,
                                requestId,
                                timeoutNanos,
                                consistency,
                                text,
                                parameters,
                                caller,
                                catalogVersion));
    }

    private static TransactionResponse committed(ByteBuffer in) {
        TransactionResponse.Kind kind = constant(TransactionResponse.Kind.values(), in.get());
        long value = in.getLong();
        long snapshot = in.getLong();
        return new TransactionResponse.Committed(kind, value, bytes(in), snapshot);
    }

    private static <E extends Enum<E>> E constant(E[] all, byte number) {
        if (number < 0 || number >= all.length) {
            throw new IllegalArgumentException("number " + number + " of " + all.length);
        }
        return all[number];
    }

    private static String text(ByteBuffer in) {
        return new String(bytes(in), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException(length + " bytes where " + in.remaining() + " are left");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
