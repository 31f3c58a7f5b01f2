package dev.fulmar.coordinator.remote;

import dev.fulmar.coordinator.remote.RemoteMessage.Piece;
import dev.fulmar.coordinator.remote.RemoteMessage.Work;
import dev.fulmar.coordinator.transaction.FragmentSource;
import dev.fulmar.coordinator.transaction.StatementFragment;
import dev.fulmar.coordinator.transaction.StatementPlace;
import dev.fulmar.engine.durability.ImageBuffer;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.foundation.data.MessageReader;
import dev.fulmar.foundation.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fragments, their results and failures as bytes. {@link MessageReader} checks the bytes that are
 * read.
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

    /** @param tellsImages whether results tell of the rows that their fragments changed, as the kind says */
    static Work readWork(boolean tellsImages, MessageReader in) {
        int count = in.natural();
        if (count == 0) {
            return Work.NONE;
        }
        FragmentSource source =
                new FragmentSource(in.getLong(), in.flag(), in.text(), in.naturalLong(), in.naturalLong(), tellsImages);
        if (count > in.remaining() / PIECE_BYTES) {
            throw new IllegalArgumentException(count + " fragments");
        }
        List<Piece> pieces = new ArrayList<>(count);
        int last = 0;
        for (int i = 0; i < count; i++) {
            int statement = in.natural();
            if (statement < last) {
                throw new IllegalArgumentException("statement " + statement + " after " + last);
            }
            last = statement;
            StatementPlace place = new StatementPlace(in.natural(), in.natural());
            int fragment = in.getInt();
            if (fragment < StatementFragment.WHOLE) {
                throw new IllegalArgumentException("fragment " + fragment);
            }
            pieces.add(new Piece(statement, place, fragment, in.bytes()));
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

    static List<FragmentResult> readResults(MessageReader in) {
        int count = in.count(RESULT_BYTES);
        List<FragmentResult> results = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            results.add(new FragmentResult(in.bytes(), in.getLong()));
        }
        return results;
    }

    /** Whether one of the results tells of rows that its fragment changed. */
    static boolean haveImages(List<FragmentResult> results) {
        for (FragmentResult result : results) {
            if (result.images() != 0) {
                return true;
            }
        }
        return false;
    }

    static void writeImages(List<FragmentResult> results, ImageBuffer out) {
        for (FragmentResult result : results) {
            out.putLong(result.images());
        }
    }

    /** The results with what they tell of the rows that their fragments changed. */
    static List<FragmentResult> readImages(List<FragmentResult> results, MessageReader in) {
        List<FragmentResult> telling = new ArrayList<>(results.size());
        for (FragmentResult result : results) {
            telling.add(new FragmentResult(result.rows(), result.changedRows(), in.getLong()));
        }
        if (!haveImages(telling)) {
            throw new IllegalArgumentException("results that tell of no changed row");
        }
        return telling;
    }

    static @Nullable FragmentFailure readFailure(MessageReader in) {
        return in.flag() ? new FragmentFailure(in.natural(), ErrorCode.ofNumber(in.getInt()), in.text()) : null;
    }

    private static void putBytes(byte[] bytes, ImageBuffer out) {
        out.putInt(bytes.length);
        out.putBytes(bytes);
    }
}
