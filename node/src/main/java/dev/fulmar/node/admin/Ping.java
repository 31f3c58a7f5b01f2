package dev.fulmar.node.admin;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterTag;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.server.ClientOrigin;
import dev.fulmar.node.server.SystemProcedure;
import java.util.List;

/**
 * {@code @Ping()} yields nothing, {@code @Ping(bytes)} a table with the same bytes: the way there and back, without a
 * transaction.
 */
final class Ping implements SystemProcedure {
    private static final ResultLayout LAYOUT = new ResultLayout(
            List.of(new ResultColumn("PAYLOAD", new ColumnType(TypeKind.VARBINARY, 1 << 30, 0), true)));

    @Override
    public void call(TransactionRequest.Call request, ClientOrigin origin, ResponseSink sink) {
        sink.respond(request, answer(request.parameters()));
        sink.flush();
    }

    private static TransactionResponse answer(byte[] parameters) {
        try {
            if (parameters.length == 0) {
                return Responses.nothing();
            }
            ParameterReader reader = new ParameterReader(1).wrap(parameters, 0, parameters.length);
            if (reader.count() == 0) {
                return Responses.nothing();
            }
            ParameterTag tag = reader.tag(0);
            if (tag != ParameterTag.BYTES && tag != ParameterTag.STRING) {
                throw Responses.wrongParameters("@Ping", "@Ping() or @Ping(bytes)");
            }
            // Exact, so that the block needs no second copy: payloads may be as large as a frame.
            int size = LAYOUT.headerBytes() + LAYOUT.fixedRowBytes() + reader.bytesLength(0);
            ResultBlockWriter writer = new ResultBlockWriter(size, size);
            writer.begin(LAYOUT);
            writer.startRow();
            writer.setBytes(0, parameters, reader.bytesOffset(0), reader.bytesLength(0));
            writer.endRow();
            writer.end();
            Invariants.check(writer.size() == size, "a block of one row has the size that was computed");
            return Responses.table(writer.array());
        } catch (FulmarException e) {
            return Responses.failed(e);
        }
    }
}
