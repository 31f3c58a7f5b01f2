package dev.fulmar.client;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterTag;
import dev.fulmar.foundation.data.PartitioningHash;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.proto.Bound;
import dev.fulmar.wire.proto.KeyKind;
import dev.fulmar.wire.proto.Topology;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The client's routes: the node that serves a call, as far as nodes have said. Only a hint: a call that goes astray is
 * passed on by the node that gets it. Thread-safe.
 */
final class Routes {
    private static final int MOST_PROCEDURES = 1 << 20;

    private final AtomicReference<@Nullable KeyPlaces> places = new AtomicReference<>();
    private final AtomicReference<@Nullable Key[]> keys = new AtomicReference<>(new @Nullable Key[0]);

    /** The partitioning parameter of a procedure, from 0. */
    private record Key(int parameter, KeyKind kind) {}

    /** A node has told who serves what; what cannot be is forgotten. */
    void learn(Topology told) {
        KeyPlaces.of(told).ifPresent(newer -> places.updateAndGet(known -> known == null ? newer : known.with(newer)));
    }

    /** A node has told of the procedure with the client's number. */
    void learn(Bound told) {
        int number = told.getNumber();
        if (number < 1 || number > MOST_PROCEDURES) {
            return;
        }
        Key key = told.getParameter() < 1 ? null : new Key(told.getParameter() - 1, told.getKey());
        keys.updateAndGet(known -> {
            @Nullable Key[] next = Arrays.copyOf(known, Math.max(known.length, number + 1));
            next[number] = key;
            return next;
        });
    }

    /** The node that serves the call, or {@link KeyPlaces#ANY}. */
    int nodeOf(PendingCall call) {
        KeyPlaces known = places.get();
        @Nullable Key[] told = keys.get();
        if (known == null || call.procedureNumber >= told.length) {
            return KeyPlaces.ANY;
        }
        Key key = told[call.procedureNumber];
        return key == null ? KeyPlaces.ANY : nodeOf(known, key, call);
    }

    private static int nodeOf(KeyPlaces known, Key key, PendingCall call) {
        byte[] list = call.parameters;
        int tag;
        try {
            tag = ParameterReader.positionOf(list, call.parametersLength, key.parameter);
        } catch (FulmarException e) {
            return KeyPlaces.ANY; // the server says better what is wrong with it
        }
        if (tag < 0) {
            return KeyPlaces.ANY;
        }
        int value = tag + 1;
        return switch (key.kind) {
            case INTEGER_KEY ->
                list[tag] == ParameterTag.LONG.number()
                        ? known.ofInteger(LittleEndian.getLong(list, value))
                        : KeyPlaces.ANY;
            case TEXT_KEY ->
                list[tag] == ParameterTag.STRING.number()
                        ? known.ofHash(
                                PartitioningHash.ofBytes(list, value + Integer.BYTES, LittleEndian.getInt(list, value)))
                        : KeyPlaces.ANY;
            case UUID_KEY ->
                list[tag] == ParameterTag.UUID.number()
                        ? known.ofHash(PartitioningHash.ofWide(
                                LittleEndian.getLong(list, value), LittleEndian.getLong(list, value + Long.BYTES)))
                        : KeyPlaces.ANY;
            case NO_KEY, UNRECOGNIZED -> KeyPlaces.ANY;
        };
    }
}
