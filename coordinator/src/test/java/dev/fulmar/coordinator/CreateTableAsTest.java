package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.change.CatalogEdit;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.request.TransactionRequest.AdHoc;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.PortalReader;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureJars;
import dev.fulmar.engine.procedure.loading.ProcedureLoader;
import dev.fulmar.engine.procedure.loading.ProcedureRegistry;
import dev.fulmar.engine.spi.CreateTableAsPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a client is told of a table that is made of a query, if one of the statements that make it fails. */
class CreateTableAsTest {
    private static final Pattern NAME = Pattern.compile("\"(\\.[0-9A-F]+)\"");

    private final ManualScheduler time = new ManualScheduler();
    private final AtomicReference<Program> current = new AtomicReference<>(Program.empty(PartitionPlan.hash(1)));
    private final List<String> statements = new ArrayList<>();
    private final List<TransactionResponse> answers = new ArrayList<>();

    /** The name under which the table is made, which the first statement tells. */
    private String name = "";

    private TransactionResponse filled = Answers.CHANGED;

    /** The failure of the change that gives the table its own name, with a sign for that which it has; else empty. */
    private Optional<Failed> published = Optional.empty();

    /** This node's own catalog has the table from its creation on. */
    private final class Statements implements OwnStatements {
        @Override
        public void run(AdHoc statement, Consumer<TransactionResponse> then) {
            statements.add(statement.sql());
            then.accept(statement.sql().startsWith("INSERT") ? filled : Answers.CHANGED);
        }

        @Override
        public FetchedParts.Source read(AdHoc query, PortalReader.Listener listener) {
            throw new AssertionError(query.sql());
        }

        @Override
        public void change(AdHoc statement, ChangeHandle handle, Consumer<TransactionResponse> then) {
            statements.add(statement.sql());
            if (name.isEmpty()) {
                name = NAME.matcher(statement.sql())
                        .results()
                        .findFirst()
                        .orElseThrow()
                        .group(1);
                filled = filled instanceof Failed failed ? named(failed) : filled;
                Catalog created = CatalogEdit.of(SteppedDatabase.table(name), Catalog.empty())
                        .catalog();
                ProcedureLoader loader = new ProcedureLoader(new TinySql(), any -> null, time, LoadingLimits.DEFAULT);
                current.set(Program.empty(PartitionPlan.hash(1))
                        .next(loader.load(created, ProcedureJars.NONE, ProcedureRegistry.empty()), ProcedureJars.NONE));
            }
            boolean isPublication = statement.sql().startsWith("ALTER") && published.isPresent();
            then.accept(isPublication ? named(published.get()) : Answers.CHANGED);
        }
    }

    private Failed named(Failed failed) {
        return new Failed(failed.code(), failed.message().replace("%", name));
    }

    private Failed madeWithFailure(Failed failure) {
        filled = failure;
        return made();
    }

    private Failed made() {
        CreateTableAsPlan table = new CreateTableAsPlan(
                "SHOWN",
                false,
                false,
                "ID BIGINT, BALANCE BIGINT",
                Optional.empty(),
                Optional.of("SELECT id, balance FROM account"),
                new StatementPlan("", List.of(), List.of(), List.of(), Optional.empty()));
        UnfinishedTables pending = new UnfinishedTables(
                current, PartitionHomes.allHere(), time, new SeededRandom(3), (statement, then) -> then.run());
        AdHoc request = new AdHoc(7, 1, 0, "CREATE TABLE shown AS ...", SteppedDatabase.list());
        new CreateTableAs(table, request, new Statements(), pending, current, answers::add).start();
        assertThat(current.get().catalog().tables()).containsOnlyKeys(name);
        assertThat(SchemaName.isPending(name)).isTrue();
        assertThat(answers).hasSize(1);
        return (Failed) answers.getFirst();
    }

    @Test
    void aTableThatAnotherNodeHasDroppedIsAskedForAgainThoughThisNodeDoesNotKnowOfTheDrop() {
        Failed told = madeWithFailure(
                new Failed(ErrorCode.UNKNOWN_OBJECT, "1:13: there is no table %; CREATE TABLE makes one"));
        assertThat(told.code()).isEqualTo(ErrorCode.NOT_CONNECTED);
        assertThat(statements.getLast()).isEqualTo(CreateTableAsPlan.removal(name));
    }

    @Test
    void whatTheQueryDoesNotFindIsNotFoundHoweverOftenItIsAskedFor() {
        Failed told = madeWithFailure(
                new Failed(ErrorCode.UNKNOWN_OBJECT, "1:40: there is no table ACCOUNT; CREATE TABLE makes one"));
        assertThat(told.code()).isEqualTo(ErrorCode.UNKNOWN_OBJECT);
        assertThat(told.message()).contains("ACCOUNT");
    }

    @Test
    void whatATableThatIsThereLacksIsNotAskedForAgain() {
        published = Optional.of(new Failed(ErrorCode.UNKNOWN_OBJECT, "there is no schema for %"));
        Failed told = made();
        assertThat(told).isEqualTo(new Failed(ErrorCode.UNKNOWN_OBJECT, "there is no schema for SHOWN"));
        assertThat(statements.getLast()).isEqualTo(CreateTableAsPlan.removal(name));
    }

    @Test
    void theClientReadsOfTheTableUnderItsOwnName() {
        Failed told = madeWithFailure(new Failed(ErrorCode.UNIQUE_VIOLATION, "a row of % is there already"));
        assertThat(told.message()).isEqualTo("a row of SHOWN is there already");
    }
}
