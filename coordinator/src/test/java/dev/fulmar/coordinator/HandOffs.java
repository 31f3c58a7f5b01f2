package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.door.BucketSender;
import dev.fulmar.coordinator.routing.PartitionPlans;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Hand-offs of what a {@link BucketSender} has sent. */
final class HandOffs {
    private HandOffs() {}

    /** Hand-offs change the catalog's plan, and there is none before the first reconfiguration. */
    static void giveCatalogItsPlan(Database database) {
        PartitionPlans plans = database.plans();
        plans.replace(plans.newest(), failure -> assertThat(failure).isNull());
    }

    static Optional<FulmarException> handOver(SteppedDatabase db, BucketSender sender) {
        PartitionPlan plan = db.database.plans().newest();
        return db.await(begin(db.database, db.await(sender.handOff(plan))));
    }

    static CompletableFuture<Optional<FulmarException>> begin(Database database, HandOff handOff) {
        CompletableFuture<Optional<FulmarException>> ended = new CompletableFuture<>();
        database.plans().handOver(List.of(handOff), failure -> ended.complete(Optional.ofNullable(failure)));
        return ended;
    }
}
