package dev.fulmar.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A participant answers a fragment by the catalog that its partition uses, which may be newer than its planning. */
class ReceivedFragmentTest {
    private final SteppedPartition stepped = new SteppedPartition();
    private final Program other = Program.empty(PartitionPlan.hash(1));

    @AfterEach
    void close() {
        stepped.close();
    }

    @Test
    void aRefusalOfThePartitionsCatalogIsTheAnswer() {
        assertAnswer(ErrorCode.UNKNOWN_OBJECT, refusedUnder(stepped.program), version());
    }

    @Test
    void aRefusalOfAnotherCatalogSaysNothingOfThisOne() {
        assertAnswer(ErrorCode.TRANSACTION_RESTART, refusedUnder(other), version());
    }

    @Test
    void aTextThatWasNotPlannedIsRefusedUnderEachCatalog() {
        assertAnswer(ErrorCode.UNKNOWN_OBJECT, refusedUnder(null), version());
    }

    @Test
    void aCoordinatorOfAnotherVersionHearsThatTheCatalogChanged() {
        assertAnswer(ErrorCode.TRANSACTION_RESTART, refusedUnder(stepped.program), version() + 1);
    }

    private long version() {
        return stepped.program.catalog().version();
    }

    private static TargetSource.Planned refusedUnder(@Nullable Program program) {
        return new TargetSource.Refused(new FulmarException(ErrorCode.UNKNOWN_OBJECT, "no table"), program);
    }

    private void assertAnswer(ErrorCode code, TargetSource.Planned planned, long version) {
        ReceivedFragment fragment = new ReceivedFragment(
                new PartitionRuntimes(List.of(stepped.runtime)),
                planned,
                new FragmentSource(version, true, "SELECT 1", 0, 0, false),
                0,
                new StatementPlace(0, 0),
                0,
                new byte[0]);
        assertThatExceptionOfType(FulmarException.class)
                .isThrownBy(() -> fragment.at(stepped.runtime))
                .satisfies(refused -> assertThat(refused.code()).isEqualTo(code));
    }
}
