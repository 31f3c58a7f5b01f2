package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.door.BucketSender;
import dev.fulmar.coordinator.reconfiguration.HandOffPreparation;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.routing.PartitionPlans;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.table.BucketExtraction;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The source of a hand-off gets ready when partitions are about to be locked for it. */
class HandOffPreparationTest {
    private static final PartitionId FIRST = new PartitionId(0);
    private static final PartitionId SECOND = new PartitionId(1);
    private static final long MOVE = 7;
    private static final long[] ACCOUNTS = LongStream.rangeClosed(1, 40).toArray();

    private final SteppedDatabase db = SteppedDatabase.withBank(DatabaseConfiguration.of(2, 2));
    private final BucketSender sender =
            new BucketSender(db.database.reconfiguration(), db.database.reconfiguration(), MOVE, FIRST, SECOND, 0, 200);
    private final PartitionPlans plans = db.database.plans();
    private final List<HandOff> announced = new ArrayList<>();

    @BeforeEach
    void stage() {
        db.open(100, ACCOUNTS);
        plans.replace(plans.newest(), failure -> assertThat(failure).isNull());
        db.settle();
        assertThat(db.await(sender.begin())).isEmpty();
        assertThat(db.await(sender.send())).isEmpty();
    }

    private Optional<FulmarException> handOver(HandOff handOff, HandOffPreparation preparation) {
        plans.prepareHandOffsWith((asked, ended) -> {
            announced.add(asked);
            preparation.prepare(asked, ended);
        });
        CompletableFuture<Optional<FulmarException>> ended = new CompletableFuture<>();
        plans.handOver(List.of(handOff), failure -> ended.complete(Optional.ofNullable(failure)));
        return db.await(ended);
    }

    /** The hand-off of the bucket, of which the source notes the commits. */
    private HandOff handOff(long moreChunks) {
        HandOff known = db.await(sender.handOff(plans.newest()));
        return new HandOff(MOVE, 0, 1, known.bucket(), known.chunks() + moreChunks, HandOff.NOTED, known.ranges());
    }

    private void note() {
        db.database
                .reconfiguration()
                .inspect(
                        FIRST,
                        here -> {
                            BucketExtraction extraction = here.buckets().moves().extraction(MOVE);
                            assertThat(extraction).isNotNull();
                            extraction.noteCommits(here.requests().commits());
                        },
                        cause -> {});
    }

    private long accountOf(HandOff handOff, PartitionPlan plan) {
        return LongStream.of(ACCOUNTS)
                .filter(id -> handOff.ranges().stream()
                        .anyMatch((KeyRange range) -> range.contains(plan.spaceOfIntegers(), plan.positionOf(id))))
                .findFirst()
                .orElseThrow();
    }

    private void changes(long account, long request) {
        assertThat(db.run(SteppedDatabase.numbered(9, request, "Transfer", account, account, 0L)))
                .isInstanceOf(Committed.class);
    }

    @Test
    void theSourceSendsWhatIsLeftBeforePartitionsAreLocked() {
        HandOff handOff = handOff(1);
        long account = accountOf(handOff, plans.newest());
        changes(account, 1);
        assertThat(handOver(handOff, (asked, ended) -> sendRest(ended))).isEmpty();
        assertThat(announced).containsExactly(handOff);
        assertThat(plans.newest().partitionOf(account)).isEqualTo(1);
        assertThat(db.total()).isEqualTo(100L * ACCOUNTS.length);
    }

    private void sendRest(Consumer<@Nullable FulmarException> ended) {
        var unused = sender.send().thenAccept(failure -> {
            note();
            ended.accept(failure.orElse(null));
        });
    }

    @Test
    void aSourceThatIsNotReadyEndsTheHandOff() {
        FulmarException busy = new FulmarException(ErrorCode.SERVER_BUSY, "not yet");
        PartitionPlan before = plans.newest();
        HandOff handOff = handOff(0);
        note();
        assertThat(handOver(handOff, (asked, ended) -> ended.accept(busy)).orElseThrow())
                .hasMessageContaining("not yet");
        assertThat(plans.newest()).isEqualTo(before);
        assertThat(handOver(handOff, HandOffPreparation.none()))
                .as("the queue of changes goes on")
                .isEmpty();
    }

    @Test
    void aCommitAfterTheNotedOnesComesFirst() {
        HandOff handOff = handOff(0);
        note();
        long other = LongStream.of(ACCOUNTS)
                .filter(id -> plans.newest().partitionOf(id) == 0)
                .filter(id -> handOff.ranges().stream()
                        .noneMatch(range -> range.contains(
                                plans.newest().spaceOfIntegers(), plans.newest().positionOf(id))))
                .findFirst()
                .orElseThrow();
        changes(other, 1);
        assertThat(handOver(handOff, HandOffPreparation.none()).orElseThrow())
                .hasMessageContaining("since their outcomes were sent");
        note();
        assertThat(handOver(handOff, HandOffPreparation.none())).isEmpty();
    }

    @Test
    void chunksThatWereAnnouncedAndAreNotThereEndIt() {
        HandOff handOff = handOff(1);
        note();
        assertThat(handOver(handOff, HandOffPreparation.none()).orElseThrow().code())
                .isEqualTo(ErrorCode.SERVER_BUSY);
    }
}
