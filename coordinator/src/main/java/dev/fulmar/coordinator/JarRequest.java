package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterTag;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * The request to load a jar of procedures, in the form in which a client makes it and one node forwards it to another.
 */
final class JarRequest {
    private static final String NAME = "@LoadClasses";
    private static final int HEADER_BYTES = 64;

    private JarRequest() {}

    static boolean is(TransactionRequest.Call call) {
        return call.procedure().equalsIgnoreCase(NAME);
    }

    static TransactionRequest.Call of(byte[] jar) {
        ParameterWriter writer = new ParameterWriter(HEADER_BYTES, jar.length + HEADER_BYTES);
        writer.add(jar);
        return new TransactionRequest.Call(0, 0, 0, NAME, writer.toByteArray());
    }

    static byte[] jar(TransactionRequest.Call call) {
        byte[] parameters = call.parameters();
        ParameterReader reader = new ParameterReader(1);
        if (parameters.length >= Short.BYTES) {
            reader.wrap(parameters, 0, parameters.length);
            if (reader.count() == 1 && reader.tag(0) == ParameterTag.BYTES) {
                byte[] jar = reader.bytes(0);
                return jar == null ? new byte[0] : jar;
            }
        }
        throw new FulmarException(ErrorCode.WRONG_PARAMETERS, NAME + " takes the bytes of a jar");
    }
}
