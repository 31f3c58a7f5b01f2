package dev.fulmar.coordinator.change;

import dev.fulmar.coordinator.reconfiguration.HandOffPreparation;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Prepares the hand-offs of a change whose sources this node leads. Thread-safe. */
public final class HandOffPreparations {
    private final AtomicReference<HandOffPreparation> preparation = new AtomicReference<>(HandOffPreparation.none());
    private final PartitionHomes homes;

    HandOffPreparations(PartitionHomes homes) {
        this.homes = homes;
    }

    /** Prepares hand-offs by it from now on. */
    public void use(HandOffPreparation newPreparation) {
        preparation.set(newPreparation);
    }

    /** The hand-offs among the steps that are to be prepared here. */
    List<HandOff> of(List<StorageStep> steps) {
        List<HandOff> leaving = new ArrayList<>();
        for (StorageStep step : steps) {
            if (step instanceof StorageStep.HandOver(HandOff handOff) && homes.takesChanges(handOff.from())) {
                leaving.add(handOff);
            }
        }
        return leaving;
    }

    /** Prepares them one after another. */
    void prepare(List<HandOff> leaving, Consumer<@Nullable FulmarException> ended) {
        if (leaving.isEmpty()) {
            ended.accept(null);
            return;
        }
        List<HandOff> others = leaving.subList(1, leaving.size());
        preparation.get().prepare(leaving.getFirst(), afterwards(ended, () -> prepare(others, ended)));
    }

    /** Runs the next step unless this one fails. */
    static Consumer<@Nullable FulmarException> afterwards(Consumer<@Nullable FulmarException> failed, Runnable next) {
        return failure -> {
            if (failure == null) {
                next.run();
            } else {
                failed.accept(failure);
            }
        };
    }
}
