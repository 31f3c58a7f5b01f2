package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.row.RowChunk;
import dev.fulmar.engine.table.BucketStaging;
import dev.fulmar.engine.table.ImageScan;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.reconfig.peer.Answer;
import dev.fulmar.reconfig.peer.DestinationStep;
import dev.fulmar.reconfig.step.MoveStep;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Steps of moves at their destination, in order, late and repeated; and staged buckets of which nothing is heard. */
class StagingsTest {
    private static final long MOVE = 7;
    private static final long SILENCE_NANOS = 20_000_000_000L;

    private final MoveBench bench = new MoveBench();
    private final List<String> reports = new ArrayList<>();
    private final Stagings stagings = new Stagings(bench.log(), bench.clock(), nanos -> {}, reports::add);
    private final List<String> answers = new ArrayList<>();

    @AfterEach
    void close() {
        bench.close();
    }

    private String take(DestinationStep step) {
        int before = answers.size();
        stagings.take(MoveBench.SOURCE, step, new Answer() {
            @Override
            public void done(long rows) {
                answers.add("done " + rows);
            }

            @Override
            public void failed(FulmarException cause) {
                answers.add(cause.code().name());
            }
        });
        assertThat(answers).as("one answer").hasSize(before + 1);
        return answers.getLast();
    }

    private List<Long> staged() {
        return bench.storage.moves().stagings().stream()
                .map(BucketStaging::move)
                .toList();
    }

    private static byte[] noRows() {
        return new RowChunk(1_000).toByteArray();
    }

    @Test
    void aBucketIsStagedTakesChunksAndIsDropped() {
        assertThat(take(new DestinationStep.Stage(MOVE))).isEqualTo("done 0");
        assertThat(take(new DestinationStep.Take(MOVE, noRows()))).isEqualTo("done 0");
        assertThat(take(new DestinationStep.Remember(MOVE, new byte[] {3}))).isEqualTo("done 0");
        assertThat(staged()).containsExactly(MOVE);
        assertThat(bench.storage.moves().stagings().getFirst().chunks()).isEqualTo(1);
        assertThat(bench.remembered).containsExactly(new byte[] {3});
        assertThat(take(new DestinationStep.Drop(MOVE))).isEqualTo("done 0");
        assertThat(staged()).isEmpty();
        assertThat(bench.logged)
                .extracting(Object::getClass)
                .containsExactly(
                        MoveStep.Stage.class, MoveStep.Take.class, MoveStep.Remember.class, MoveStep.Drop.class);
    }

    @Test
    void aBucketIsStagedOnce() {
        take(new DestinationStep.Stage(MOVE));
        assertThat(take(new DestinationStep.Stage(MOVE))).isEqualTo("TRANSACTION_RESTART");
        assertThat(staged()).containsExactly(MOVE);
        assertThat(bench.logged).hasSize(1);
    }

    @Test
    void chunksWithoutAStagedBucketAreRefused() {
        assertThat(take(new DestinationStep.Take(MOVE, noRows()))).isEqualTo("TRANSACTION_RESTART");
        take(new DestinationStep.Stage(MOVE));
        take(new DestinationStep.Drop(MOVE));
        assertThat(take(new DestinationStep.Take(MOVE, noRows())))
                .as("a late one")
                .isEqualTo("TRANSACTION_RESTART");
        assertThat(staged()).isEmpty();
    }

    @Test
    void aBucketMayBeDroppedTwiceAndBeforeItIsStaged() {
        assertThat(take(new DestinationStep.Drop(MOVE))).isEqualTo("done 0");
        take(new DestinationStep.Stage(MOVE));
        take(new DestinationStep.Drop(MOVE));
        assertThat(take(new DestinationStep.Drop(MOVE))).isEqualTo("done 0");
        assertThat(take(new DestinationStep.Stage(MOVE)))
                .as("of its next attempt")
                .isEqualTo("done 0");
    }

    /** All that was staged before is dropped with it, on copies too. */
    @Test
    void aChunkThatCannotBeTakenDropsTheBucket() {
        take(new DestinationStep.Stage(MOVE));
        assertThat(take(new DestinationStep.Take(MOVE, new byte[] {1, 2, 3}))).isEqualTo("CORRUPTION");
        assertThat(staged()).isEmpty();
        assertThat(bench.logged.getLast()).isInstanceOf(MoveStep.Drop.class);
    }

    @Test
    void aChunkWaitsWhileACopyIsBuilt() {
        take(new DestinationStep.Stage(MOVE));
        VersionReader reader = bench.storage.openReader(0, 0);
        reader.readAt(0);
        assertThat(new ImageScan(bench.storage, reader)).isNotNull();
        assertThat(take(new DestinationStep.Take(MOVE, noRows()))).isEqualTo("SERVER_BUSY");
        assertThat(staged()).containsExactly(MOVE);
        bench.storage.moves().endImages();
        assertThat(take(new DestinationStep.Take(MOVE, noRows()))).isEqualTo("done 0");
    }

    @Test
    void refusedAndLostStepsHaveFailed() {
        bench.refusal = MoveBench.failure(ErrorCode.WRONG_NODE);
        for (DestinationStep step : List.of(
                new DestinationStep.Stage(MOVE),
                new DestinationStep.Take(MOVE, noRows()),
                new DestinationStep.Remember(MOVE, new byte[0]),
                new DestinationStep.Drop(MOVE))) {
            assertThat(take(step)).isEqualTo("WRONG_NODE");
        }
        bench.refusal = null;
        bench.loss = MoveBench.failure(ErrorCode.NODE_LOST);
        assertThat(take(new DestinationStep.Stage(MOVE))).isEqualTo("NODE_LOST");
        assertThat(take(new DestinationStep.Take(MOVE, noRows()))).isEqualTo("NODE_LOST");
    }

    private void sweep() {
        stagings.forgetOld();
        stagings.sweep(MoveBench.SOURCE);
    }

    @Test
    void aBucketOfWhichNothingIsHeardIsDropped() {
        take(new DestinationStep.Stage(MOVE));
        take(new DestinationStep.Stage(MOVE + 1));
        bench.pass(SILENCE_NANOS - 1);
        sweep();
        assertThat(staged()).containsExactly(MOVE, MOVE + 1);
        take(new DestinationStep.Take(MOVE, noRows()));
        bench.pass(1);
        sweep();
        assertThat(staged()).containsExactly(MOVE);
        assertThat(reports).singleElement().asString().contains("dropped").contains("8");
        bench.pass(SILENCE_NANOS);
        sweep();
        assertThat(staged()).isEmpty();
    }

    /** Another node led the partition when it was staged. */
    @Test
    void aBucketThatAnotherPrimaryHasStagedIsDropped() {
        bench.storage.moves().stage(MOVE, 9);
        sweep();
        assertThat(staged()).isEmpty();
    }

    @Test
    void aBucketThatCannotBeDroppedIsReportedAndTriedAgain() {
        bench.storage.moves().stage(MOVE, 9);
        bench.loss = MoveBench.failure(ErrorCode.NODE_LOST);
        sweep();
        assertThat(reports).singleElement().asString().contains("keeps");
    }
}
