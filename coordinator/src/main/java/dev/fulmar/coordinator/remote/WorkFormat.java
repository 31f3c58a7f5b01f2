package dev.fulmar.coordinator.remote;

import dev.fulmar.coordinator.remote.RemoteMessage.Piece;
import dev.fulmar.coordinator.remote.RemoteMessage.Work;
import dev.fulmar.coordinator.transaction.FragmentSource;
import dev.fulmar.coordinator.transaction.StatementFragment;
import dev.fulmar.coordinator.transaction.StatementPlace;
import dev.fulmar.engine.durability.ImageBuffer;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.foundation.error.ErrorCode;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fragments, their results and failures as bytes. Bytes that are read are checked: an {@link IllegalArgumentException}
 * says what is wrong.
 */
final class WorkFormat {
    /** Smallest piece and smallest result. */
    private static final int PIECE_BYTES = 5 * Integer.BYTES;

    private static final int RESULT_BYTES = Integer.BYTES + Long.BYTES;

    private WorkFormat() {}

    static void write(Work work, ImageBuffer out) {
        out.putInt(work.pieces().size());
        FragmentSource source = work.source();
        if (source == null) {
            return;
        }
        out.putLong(source.catalogVersion());
        out.putByte(source.isAdHoc() ? 1 : 0);
        putBytes(source.text().getBytes(StandardCharsets.UTF_8), out);
        out.putLong(source.transactionMicros());
        out.putLong(source.timeNanos());
        for (Piece piece : work.pieces()) {
            out.putInt(piece.statement());
            out.putInt(piece.place().number());
            out.putInt(piece.place().step());
            out.putInt(piece.fragment());
            putBytes(piece.parameters(), out);
        }
    }

    static Work readWork(ByteBuffer in) {
        int count = count(in, 0);
        if (count == 0) {
            return Work.NONE;
        }
        FragmentSource source = new FragmentSource(
                in.getLong(), RemoteFormat.flag(in), text(in), RemoteFormat.timestamp(in), RemoteFormat.timestamp(in));
        if (count > in.remaining() / PIECE_BYTES) {
            throw new IllegalArgumentException(count + " fragments");
        }
        List<Piece> pieces = new ArrayList<>(count);
        int last = 0;
        for (int i = 0; i < count; i++) {
            int statement = natural(in);
            if (statement < last) {
                throw new IllegalArgumentException("statement " + statement + " after " + last);
            }
            last = statement;
            StatementPlace place = new StatementPlace(natural(in), natural(in));
            int fragment = in.getInt();
            if (fragment < StatementFragment.WHOLE) {
                throw new IllegalArgumentException("fragment " + fragment);
            }
            pieces.add(new Piece(statement, place, fragment, bytes(in)));
        }
        return new Work(source, pieces);
    }

    static void write(List<FragmentResult> results, @Nullable FragmentFailure failure, ImageBuffer out) {
        out.putInt(results.size());
        for (FragmentResult result : results) {
            putBytes(result.rows(), out);
            out.putLong(result.changedRows());
        }
        out.putByte(failure == null ? 0 : 1);
        if (failure != null) {
            out.putInt(failure.statement());
            out.putInt(failure.code().number());
            putBytes(failure.message().getBytes(StandardCharsets.UTF_8), out);
        }
    }

    static List<FragmentResult> readResults(ByteBuffer in) {
        int count = count(in, RESULT_BYTES);
        List<FragmentResult> results = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            results.add(new FragmentResult(bytes(in), in.getLong()));
        }
        return results;
    }

    static @Nullable FragmentFailure readFailure(ByteBuffer in) {
        return RemoteFormat.flag(in)
                ? new FragmentFailure(natural(in), ErrorCode.ofNumber(in.getInt()), text(in))
                : null;
    }

    static int natural(ByteBuffer in) {
        int number = in.getInt();
        if (number < 0) {
            throw new IllegalArgumentException("number " + number);
        }
        return number;
    }

    private static int count(ByteBuffer in, int leastBytes) {
        int count = natural(in);
        if (leastBytes > 0 && count > in.remaining() / leastBytes) {
            throw new IllegalArgumentException(count + " elements");
        }
        return count;
    }

    private static void putBytes(byte[] bytes, ImageBuffer out) {
        out.putInt(bytes.length);
        out.putBytes(bytes);
    }

    private static byte[] bytes(ByteBuffer in) {
        int length = natural(in);
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private static String text(ByteBuffer in) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes(in)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a text that is not UTF-8", e);
        }
    }
}
