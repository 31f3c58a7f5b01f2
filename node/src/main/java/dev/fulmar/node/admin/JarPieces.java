package dev.fulmar.node.admin;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.procedure.loading.ProcedureJar;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Implements the system procedure {@code @Jars}, which a dump calls: lists the procedures' jars, or returns a piece of
 * one. {@code @Jars()} lists them in the order in which they were loaded; {@code @Jars(digest, position)} returns a
 * piece.
 */
final class JarPieces {
    private static final String USAGE = "@Jars(), or @Jars('digest', '0'), where the number is that of the first byte";
    private static final int PIECE_BYTES = 256 << 10;

    private JarPieces() {}

    static TransactionResponse answer(TransactionRequest.Call request, NodeControl control) {
        CallArguments arguments = new CallArguments(request, USAGE);
        if (arguments.count() == 0) {
            SystemTable jars = new SystemTable(List.of(SystemTable.text("DIGEST"), SystemTable.number("BYTES")));
            control.jars().forEach(jar -> jars.row(jar.digest(), jar.bytes().length));
            return Responses.table(jars.toBlock());
        }
        String digest = arguments.text(0).toLowerCase(Locale.ROOT);
        ProcedureJar jar = control.jars().stream()
                .filter(known -> known.digest().equals(digest))
                .findFirst()
                .orElseThrow(() -> new FulmarException(
                        ErrorCode.UNKNOWN_OBJECT, "no procedure comes from a jar " + digest + "; @Jars() lists them"));
        byte[] bytes = jar.bytes();
        int from = position(arguments, bytes.length);
        SystemTable piece = new SystemTable(
                List.of(new ResultColumn("PIECE", new ColumnType(TypeKind.VARBINARY, PIECE_BYTES, 0), false)));
        piece.row((Object) Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + PIECE_BYTES)));
        return Responses.table(piece.toBlock());
    }

    private static int position(CallArguments arguments, int length) {
        try {
            int position = Integer.parseInt(arguments.text(1));
            if (position >= 0 && position <= length) {
                return position;
            }
        } catch (NumberFormatException e) {
            throw arguments.wrong();
        }
        throw arguments.wrong();
    }
}
