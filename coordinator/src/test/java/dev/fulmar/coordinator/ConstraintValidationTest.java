package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.change.CatalogEdit;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.change.LateConstraint;
import dev.fulmar.coordinator.request.TransactionRequest.AdHoc;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.PortalReader;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.NamedColumn;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.CatalogChange.Validity;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.TableAlteration;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureJars;
import dev.fulmar.engine.procedure.loading.ProcedureLoader;
import dev.fulmar.engine.procedure.loading.ProcedureRegistry;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Statements that make a constraint over partitions, and those that take it back if one of them fails. */
class ConstraintValidationTest {
    private static final Failed LATE = new Failed(ErrorCode.TIMEOUT, "the query took too long");

    private final ManualScheduler time = new ManualScheduler();
    private final AtomicReference<Program> current = new AtomicReference<>(Program.empty(PartitionPlan.hash(1)));
    private final List<String> statements = new ArrayList<>();
    private final List<TransactionResponse> answers = new ArrayList<>();

    /** Happens while the query runs. */
    private Runnable meanwhile = () -> {};

    private final class Statements implements OwnStatements {
        @Override
        public void run(AdHoc statement, Consumer<TransactionResponse> then) {
            statements.add(statement.sql());
            if (statement.sql().startsWith("SELECT")) {
                meanwhile.run();
                then.accept(LATE);
            } else {
                then.accept(Answers.CHANGED);
            }
        }

        @Override
        public FetchedParts.Source read(AdHoc query, PortalReader.Listener listener) {
            throw new AssertionError(query.sql());
        }

        @Override
        public void change(AdHoc statement, ChangeHandle handle, Consumer<TransactionResponse> then) {
            statements.add(statement.sql());
            use(index(Validity.LATER));
            then.accept(Answers.CHANGED);
        }
    }

    private static CatalogChange index(Validity validity) {
        return new CatalogChange.CreateIndex(
                "U",
                "ACCOUNT",
                IndexKind.HASH,
                true,
                List.of(new NamedColumn("BALANCE", false)),
                Presence.STRICT,
                Optional.empty(),
                validity);
    }

    private void use(CatalogChange change) {
        Catalog next = CatalogEdit.of(change, current.get().catalog()).catalog();
        ProcedureLoader loader = new ProcedureLoader(new TinySql(), any -> null, time, LoadingLimits.DEFAULT);
        current.set(Program.empty(PartitionPlan.hash(1))
                .next(loader.load(next, ProcedureJars.NONE, ProcedureRegistry.empty()), ProcedureJars.NONE));
    }

    private void addUnique() {
        use(SteppedDatabase.table("ACCOUNT"));
        use(new CatalogChange.PartitionTable("ACCOUNT", "ID"));
        LateConstraint constraint =
                LateConstraint.of(index(Validity.NOW), current.get().catalog()).orElseThrow();
        AdHoc request = new AdHoc(7, 1, 0, "CREATE UNIQUE INDEX ...", SteppedDatabase.list());
        PatientStatements ways =
                new PatientStatements(new Statements(), time, time, time.monotonicNanos() + 1_000_000_000, () -> false);
        new ConstraintValidation(constraint, request, ChangeHandle.of(request), ways, current, answers::add).start();
        assertThat(answers).containsExactly(LATE);
    }

    @Test
    void aStatementThatFailsTakesBackWhatItHasMade() {
        addUnique();
        assertThat(statements).hasSize(3);
        assertThat(statements.getLast()).startsWith("DROP INDEX");
    }

    /** Another client was told that it is valid. */
    @Test
    void aConstraintThatAnotherStatementHasValidatedStays() {
        meanwhile = () -> use(new CatalogChange.AlterTable(
                "ACCOUNT",
                Presence.STRICT,
                Optional.of(current.get().catalog().table("ACCOUNT")),
                new TableAlteration.ValidateConstraint(
                        "U",
                        OptionalLong.of(current.get()
                                .catalog()
                                .table("ACCOUNT")
                                .indexes()
                                .getLast()
                                .unvalidatedSince()))));
        addUnique();
        assertThat(statements).hasSize(2);
    }

    @Test
    void anotherConstraintOfTheSameNameStays() {
        meanwhile = () -> {
            use(new CatalogChange.DropIndex("U", Presence.STRICT));
            use(index(Validity.LATER));
        };
        addUnique();
        assertThat(statements).hasSize(2);
    }
}
