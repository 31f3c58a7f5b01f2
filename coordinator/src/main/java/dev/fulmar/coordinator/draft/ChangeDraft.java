package dev.fulmar.coordinator.draft;

import dev.fulmar.coordinator.access.AccessControl;
import dev.fulmar.coordinator.access.StatementNeeds;
import dev.fulmar.coordinator.change.AddedRows;
import dev.fulmar.coordinator.change.CatalogEdit;
import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.ClientChange;
import dev.fulmar.coordinator.change.JointEdit;
import dev.fulmar.coordinator.change.LateRows;
import dev.fulmar.coordinator.change.PasswordSealing;
import dev.fulmar.coordinator.request.CountedStatement;
import dev.fulmar.coordinator.request.NumberedStatement;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.statement.PreparedStatement;
import dev.fulmar.coordinator.statement.Statements;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.SeenParts;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.LiteralCheck;
import dev.fulmar.engine.plan.GivenNumbers;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.RandomNumbers;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.spi.CreateTableAsPlan;
import dev.fulmar.engine.spi.DraftedStatement;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.Enumeration;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The changes of one script, the catalog to which they lead, and the statements about rows beside them. One thread. */
public final class ChangeDraft {
    private static final String RANDOM =
            "a transaction that changes tables has no random values; write them, or send the statement before BEGIN or after"
                    + " COMMIT";

    /** Bytes of texts and parameters that come with a change: the catalog keeps all its changes for ever. */
    private static final int MOST_ROW_BYTES = 64 << 10;

    private static final byte[] NO_RESULTS = {};

    private final TransactionRequest.Script script;
    private final Program program;
    private final DraftTools tools;
    private final JointEdit edit;
    private final RowQueries queries;
    private final List<DraftPart> parts = new ArrayList<>();

    /** Tables whose rows change with the commit, as they are then. */
    private final Map<String, Table> filled = new TreeMap<>();

    /** The ids of those whose rows change last. */
    private final Set<Integer> filledLate = new TreeSet<>();

    /** The changes of those rows. */
    private final List<LateRows> late = new ArrayList<>();

    /** The ids of those of before that get rows by the change of the catalog alone. */
    private final Set<Integer> unseen = new TreeSet<>();

    /** The ids of altered tables that changes of rows with the commit read. */
    private final Set<Integer> readLate = new TreeSet<>();

    /** The statements about rows that run. */
    private final List<ScriptStep> ofRows = new ArrayList<>();

    private boolean isToCompare;
    private long rowBytes;
    private @Nullable PreparedStatement query;

    /** The meaning of the statement that was looked at last. */
    private SqlFrontend.@Nullable Compiled compiled;

    public ChangeDraft(TransactionRequest.Script script, Program program, DraftTools tools) {
        this.script = script;
        this.program = program;
        this.tools = tools;
        this.edit = new JointEdit(program.catalog());
        this.queries = new RowQueries(program.catalog());
    }

    /** Looks at the statement's meaning; returns whether partitions run it, or a query in its place. */
    public boolean runs(ScriptStep step) {
        NumberedStatement.refuse(step.sql());
        SqlFrontend.Compiled meaning = tools.statements().prospective(step.sql(), edit.catalog());
        compiled = meaning;
        return meaning instanceof SqlFrontend.Compiled.Runnable(StatementPlan plan, var _)
                && !readsNothingStored(plan)
                && !(AddedRows.isPlain(plan)
                        && (isDrafted(plan) || !numbers(plan).isEmpty()));
    }

    /** Whether the plan changes rows of a table that is not as it was before. */
    private boolean isDrafted(StatementPlan plan) {
        return !edit.leaves(AddedRows.table(plan, edit.catalog()).id());
    }

    private List<GivenNumbers.Number> numbers(StatementPlan plan) {
        return GivenNumbers.of(plan, edit.catalog()::isDenseSequence);
    }

    private static FulmarException refused(String why, ScriptStep step) {
        return new FulmarException(ErrorCode.NOT_SUPPORTED, why + ": " + step.sql());
    }

    private static void checkNotFailed(ScriptStep step) {
        if (step.failure() != null) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a transaction in which a statement failed for its rows changes no tables; ROLLBACK it, and begin anew");
        }
    }

    private void checkWrites(ScriptStep step) {
        if (script.readOnly()) {
            throw new FulmarException(
                    ErrorCode.READ_ONLY_TRANSACTION,
                    "the transaction only reads, but this would change something: " + step.sql());
        }
    }

    private void checkRights(StatementPlan plan) {
        AccessControl.statement(script.caller(), edit.catalog(), StatementNeeds.of(plan, edit.catalog()));
    }

    /** Adds what the statement says, which does not run, and returns its answer. */
    public Committed add(ScriptStep step) {
        SqlFrontend.Compiled meaning = compiled;
        if (meaning instanceof SqlFrontend.Compiled.Runnable(StatementPlan plan, var _) && readsNothingStored(plan)) {
            return ask(step, plan);
        }
        checkNotFailed(step);
        return switch (meaning) {
            case SqlFrontend.Compiled.Change(CatalogChange change) -> add(step, step.sql(), change);
            case SqlFrontend.Compiled.TableOfQuery(CreateTableAsPlan made)
            when made.makesEmptyTable() -> addEmpty(step, made);
            case SqlFrontend.Compiled.Runnable(StatementPlan plan, var _) -> addValues(step, plan);
            case null, default ->
                throw refused("a transaction that changes tables has no such statement; send it outside of one", step);
        };
    }

    /** A table that is made like another one, or of a query without its rows, is a change like any other. */
    private Committed addEmpty(ScriptStep step, CreateTableAsPlan made) {
        checkRights(made.query());
        if (tools.statements().prospective(made.creation(), edit.catalog())
                instanceof SqlFrontend.Compiled.Change(CatalogChange change)) {
            return add(step, made.creation(), change);
        }
        throw Invariants.breach("the columns of a query make a table");
    }

    private Committed add(ScriptStep step, String sql, CatalogChange written) {
        ChangesInDrafts.check(written, step);
        checkWrites(step);
        AccessControl.change(script.caller(), edit.catalog(), written);
        ClientChange.check(written);
        WholeChange whole = WholeChange.of(sql, written, edit.catalog(), tools.statements(), script.micros());
        CatalogEdit next = CatalogEdit.of(whole.change(), edit.catalog());
        checkFilled(next);
        if (step.isNew()) {
            tools.changes().compile(next.catalog(), program);
        }
        edit.add(next);
        queries.changed(next);
        PasswordSealing.Sealed sealed = tools.passwords().seal(whole.change(), whole.text());
        parts.add(new DraftPart(sealed.entry(), Optional.of(sealed.description()), -1));
        return Answers.CHANGED;
    }

    /** Rows that change with the commit come last, so what they are in stays as it is. */
    private void checkFilled(CatalogEdit next) {
        filled.forEach((name, table) -> {
            if (!table.equals(next.catalog().tables().get(name))) {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "the transaction has changed rows of " + name
                                + ", and changes the table no more; change tables first, or COMMIT");
            }
            if (filledLate.contains(table.id())
                    && Followers.isReferredAnew(table, edit.catalog(), next.catalog(), edit::isMade)) {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "the transaction has changed rows of " + name
                                + ", and rows that are there do not refer to them anew; change tables first, or COMMIT");
            }
        });
    }

    /** Whether the plan has all that the query yields, as those about the catalog have. */
    private boolean readsNothingStored(StatementPlan plan) {
        return plan.isReadOnly() && !StatementNeeds.hasAccesses(plan, edit.catalog());
    }

    /** One of an earlier request is not asked again: COMMIT does not depend on it. */
    private Committed ask(ScriptStep step, StatementPlan plan) {
        checkRights(plan);
        if (RandomNumbers.areIn(plan)) {
            throw refused(RANDOM, step);
        }
        query = step.isNew() ? tools.statements().prepared(step.sql(), plan, program) : null;
        return Committed.DONE;
    }

    /** A new query of the catalog, which is the last statement then. */
    public @Nullable PreparedStatement query() {
        return query;
    }

    /** Adds an INSERT of values that does not run before the commit. */
    private Committed addValues(ScriptStep step, StatementPlan plan) {
        List<GivenNumbers.Number> numbers = numbers(plan);
        if (numbers.stream().anyMatch(number -> number.kind() == GivenNumbers.Kind.RANDOM)) {
            throw refused(RANDOM, step);
        }
        boolean isOfRowsOnly = numbers.stream().allMatch(number -> number.kind() == GivenNumbers.Kind.ROW);
        if (step.numbers().length > 0 && !isOfRowsOnly) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a transaction that has drawn numbers of sequences changes no tables; COMMIT it first");
        }
        Table table = AddedRows.table(plan, edit.catalog());
        Optional<String> content =
                edit.leaves(table.id()) ? Optional.empty() : drafted(step, plan).flatMap(DraftedStatement::content);
        int count = addRows(step, plan).count();
        LiteralCheck.check(plan, edit.catalog());
        if (edit.leaves(table.id())) {
            unseen.add(table.id());
        } else {
            queries.filled(table, content, false);
        }
        return new Committed(Kind.VALUE, count, NO_RESULTS);
    }

    /** Adds a change of rows of a table as it is now. */
    private AddedRows addRows(ScriptStep step, StatementPlan plan) {
        CatalogEntry.Rows entry = new CatalogEntry.Rows(step.sql(), step.parameters(), script.micros());
        AddedRows rows = AddedRows.of(entry, plan, edit.catalog());
        checkWrites(step);
        checkRights(plan);
        Table table = AddedRows.table(plan, edit.catalog());
        checkFollowers(step, plan, table);
        if (edit.isConverted(table.id())) {
            boolean isAlone = StatementNeeds.accessed(plan, edit.catalog()).equals(Set.of(table.id()));
            boolean isRead = readLate.contains(table.id());
            if (!isAlone || isRead) {
                throw refused(
                        "the transaction has altered table " + table.name()
                                + ", whose rows change by statements about it alone; COMMIT before",
                        step);
            }
            edit.add(table, rows);
        } else if (edit.isMade(table.id()) && late.isEmpty()) { // no row that it reads or refers to comes later
            filled.put(table.name(), table);
            edit.add(table, rows);
        } else if (edit.mayGetRows(table)) {
            StatementNeeds.accessed(plan, edit.catalog()).stream()
                    .filter(edit::isConverted)
                    .forEach(readLate::add);
            filled.put(table.name(), table);
            filledLate.add(table.id());
            late.add(new LateRows(entry, edit.catalog()));
        } else {
            throw refused(
                    "the transaction has altered table " + table.name()
                            + " in place, and changes no rows of it; send this after COMMIT",
                    step);
        }
        take(step);
        parts.add(new DraftPart(entry, Optional.empty(), -1));
        return rows;
    }

    /** Rows that are final before the commit are those of tables which nobody sees before. */
    private void checkFollowers(ScriptStep step, StatementPlan plan, Table table) {
        if (!edit.isConverted(table.id()) && !edit.isMade(table.id())) {
            return;
        }
        for (Table follower : Followers.of(plan, table, edit.catalog())) {
            if (!edit.isConverted(follower.id()) && !edit.isMade(follower.id())) {
                throw refused(
                        "rows of table " + follower.name() + " follow those of " + table.name()
                                + ", which the transaction has made or altered; COMMIT before",
                        step);
            }
        }
    }

    /** No query yields the rows that follow others by themselves. */
    private void noteFollowers(StatementPlan plan, Table table) {
        for (Table follower : Followers.of(plan, table, edit.catalog())) {
            queries.filled(follower, Optional.empty(), false);
        }
        boolean adds = plan.fragments().getFirst().operation() instanceof Operation.Insert;
        if (!adds && Followers.followsItself(table, edit.catalog())) {
            queries.filled(table, Optional.empty(), false);
        }
    }

    private void take(ScriptStep step) {
        rowBytes += step.sql().length() + step.parameters().length;
        if (rowBytes > MOST_ROW_BYTES) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_TOO_LARGE,
                    "the statements about rows of a transaction that changes tables have at most " + MOST_ROW_BYTES
                            + " bytes, for the catalog keeps them; send the rest after COMMIT");
        }
    }

    /** Adds a statement about rows, which runs; its answer comes from the partitions. */
    public Committed run(ScriptStep step) {
        checkNotFailed(step);
        StatementPlan plan = planned(step.sql(), edit.catalog());
        if (!plan.isReadOnly()) {
            checkWrites(step);
        }
        checkRights(plan);
        if (step.numbers().length > 0 || !numbers(plan).isEmpty()) {
            throw refused(
                    RandomNumbers.areIn(plan)
                            ? RANDOM
                            : "a transaction that changes tables draws no numbers of sequences; write them, or send the"
                                    + " statement before BEGIN or after COMMIT",
                    step);
        }
        Set<Integer> accessed = StatementNeeds.accessed(plan, edit.catalog());
        checkSeen(step, accessed);
        if (accessed.stream().allMatch(edit::leaves)) {
            runStored(step, plan);
        } else {
            runDrafted(step, plan);
        }
        return Committed.DONE;
    }

    private StatementPlan planned(String text, Catalog catalog) {
        if (tools.statements().prospectiveUnweighed(text, catalog)
                instanceof SqlFrontend.Compiled.Runnable(StatementPlan plan, var _)) {
            return plan;
        }
        throw Invariants.breach("a statement means the same whatever is known of its tables");
    }

    /** Partitions know all rows of the tables. */
    private void checkSeen(ScriptStep step, Set<Integer> accessed) {
        for (Table table : edit.catalog().tables().values()) {
            boolean isHidden = unseen.contains(table.id()) || (table.isAggregation() && !unseen.isEmpty());
            if (accessed.contains(table.id()) && isHidden) {
                throw notSeen(table.name(), step);
            }
        }
    }

    private static FulmarException notSeen(String table, ScriptStep step) {
        return refused(
                "rows of table " + table + " come with the COMMIT; COMMIT before they are read or changed", step);
    }

    private CatalogEntry.Ran ran(String text, ScriptStep step, boolean changesRows) {
        return new CatalogEntry.Ran(
                text,
                step.parameters(),
                script.micros(),
                program.catalog().version(),
                changesRows,
                script.comparesImages(),
                List.of());
    }

    private void add(CatalogEntry.Ran ran, ScriptStep runs) {
        parts.add(new DraftPart(ran, Optional.empty(), ofRows.size()));
        ofRows.add(runs);
    }

    /** The statement runs as it is: its tables, and the views that it names, are those of before. */
    private void runStored(ScriptStep step, StatementPlan plan) {
        checkMeaning(step, plan);
        CatalogEntry.Ran ran = ran(step.sql(), step, !plan.isReadOnly());
        AddedRows.check(ran, plan, edit.catalog());
        if (!plan.isReadOnly()) {
            Table table = AddedRows.table(plan, edit.catalog());
            filled.put(table.name(), table);
            filledLate.add(table.id());
            late.add(new LateRows(ran, edit.catalog()));
            queries.storedRowsChange();
            noteFollowers(plan, table);
        }
        isToCompare |= !AddedRows.isPlain(plan);
        take(step);
        add(ran, step);
    }

    private void checkMeaning(ScriptStep step, StatementPlan plan) {
        try {
            if (planned(step.sql(), program.catalog()).equals(plan)) {
                return;
            }
        } catch (FulmarException unknown) {
            if (unknown.code().category() != ErrorCode.Category.USER) {
                throw unknown;
            }
        }
        throw refused(
                "the transaction has changed what the statement names, so it is another one than before; COMMIT before",
                step);
    }

    /** A query runs in place of the statement, whose tables the transaction has made or altered. */
    private void runDrafted(ScriptStep step, StatementPlan plan) {
        checkLabels(step);
        if (!plan.isReadOnly()) {
            AddedRows.check(ran(step.sql(), step, true), plan, edit.catalog());
        }
        DraftedStatement drafted = drafted(step, plan)
                .orElseThrow(() -> refused(
                        "no query of the tables of before says what the transaction has made of the tables of this"
                                + " statement; COMMIT before it, or write it more simply",
                        step));
        StatementPlan reads;
        try {
            reads = planned(drafted.query(), program.catalog());
        } catch (FulmarException unplanned) {
            throw unplanned.code().category() == ErrorCode.Category.USER
                    ? refused("the statement is not understood before COMMIT (" + unplanned.getMessage() + ")", step)
                    : unplanned;
        }
        CatalogEntry.Ran ran = ran(drafted.query(), step, false);
        AddedRows.check(ran, reads, program.catalog());
        add(
                ran,
                step.with(
                        drafted.countsRows() ? CountedStatement.text(drafted.query()) : drafted.query(),
                        step.parameters()));
        isToCompare = true;
        if (plan.isReadOnly()) {
            take(step);
            return;
        }
        Table table = AddedRows.table(plan, edit.catalog());
        addRows(step, plan);
        boolean isOfOthers = StatementNeeds.accessed(plan, edit.catalog()).size() > 1;
        queries.filled(table, drafted.content(), isOfOthers);
        noteFollowers(plan, table);
    }

    /** A query of before would have the words that labels had then. */
    private void checkLabels(ScriptStep step) {
        for (Enumeration now : edit.catalog().enumerations().values()) {
            Enumeration before = program.catalog().enumerations().get(now.name());
            boolean isSame = before == null
                    || (before.id() == now.id()
                            && before.values().stream()
                                    .allMatch(value -> now.find(value.label()).equals(OptionalLong.of(value.code()))));
            if (!isSame) {
                throw refused(
                        "the transaction has given labels of type " + now.name()
                                + " other words; COMMIT before rows of tables that it alters are read or changed",
                        step);
            }
        }
    }

    /** The statement as a query of the tables of before; empty if there is none. */
    private Optional<DraftedStatement> drafted(ScriptStep step, StatementPlan plan) {
        Map<String, String> contents = new TreeMap<>();
        Set<Integer> accessed = StatementNeeds.accessed(plan, edit.catalog());
        for (Table table : edit.catalog().tables().values()) {
            if (accessed.contains(table.id()) && !edit.leaves(table.id())) {
                Optional<String> rows = queries.of(table);
                if (rows.isEmpty()) {
                    return Optional.empty();
                }
                contents.put(table.name(), rows.get());
            }
        }
        return plan.lock().isPresent()
                ? Optional.empty()
                : tools.statements().drafted(step.sql(), edit.catalog(), contents);
    }

    /** Fails if a change of rows cannot be made of the tables as the transaction leaves them. */
    public void checkRows() {
        for (LateRows each : late) {
            AddedRows made = each.by(this::planned, edit.catalog());
            if (!made.isSameAs(planned(each.text(), each.at()))) {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "the transaction changes what an earlier statement names, so it would be another one; COMMIT"
                                + " before: " + each.text());
            }
        }
    }

    /** The statements about rows that run, in their order. */
    public List<ScriptStep> ofRows() {
        return List.copyOf(ofRows);
    }

    /** The same as all nodes plan them alike, whatever they know of tables. */
    public List<ScriptStep> unweighed() {
        return ofRows.stream()
                .map(step -> step.with(Statements.unweighed(step.sql()), step.parameters()))
                .toList();
    }

    public List<DraftPart> parts() {
        return List.copyOf(parts);
    }

    /** Whether a statement reads rows, so that its results are compared. */
    public boolean isToCompare() {
        return isToCompare;
    }

    /** The whole, if no statement reads rows. */
    public CatalogEntry.Joint entry() {
        return new CatalogEntry.Joint(parts.stream().map(DraftPart::unseen).toList());
    }

    /** The whole, with what partitions have seen. */
    public CatalogEntry.Joint entry(SeenParts seen) {
        return new CatalogEntry.Joint(
                parts.stream().map(part -> part.seen(seen)).toList());
    }
}
