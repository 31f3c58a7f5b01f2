package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.dialect.ChangingWith;
import dev.fulmar.postgres.dialect.NameFolding;
import dev.fulmar.postgres.dialect.ObjectLists;
import dev.fulmar.postgres.dialect.OutParameters;
import dev.fulmar.postgres.dialect.PreparedCommand;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.dialect.Translator;
import dev.fulmar.postgres.dialect.TypeWords;
import dev.fulmar.postgres.value.ColumnForms;
import dev.fulmar.postgres.value.ParameterForms;
import dev.fulmar.postgres.value.SentTexts;
import dev.fulmar.postgres.with.WithPlan;
import dev.fulmar.postgres.with.WithPlanner;
import dev.fulmar.postgres.with.WithRun;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.Target;
import dev.fulmar.wire.postgres.message.ValueFormats;
import dev.fulmar.wire.session.CursorCommand;
import dev.fulmar.wire.session.CursorStep;
import dev.fulmar.wire.session.SessionCommand;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Statements that are prepared, bound and executed by messages of their own. */
final class ExtendedQueries {
    private static final Set<String> CHANGES_OF_ROWS = Set.of("INSERT", "UPDATE", "DELETE");
    private static final int MOST_PORTALS = 1_000;
    private static final int MOST_CHARACTERS = 1 << 20;

    private final StatementExecution execution;
    private final PreparedTexts prepared;
    private final ClientOutput output;
    private final Map<String, ClientPortal> portals = new TreeMap<>();

    /** A statement is described with the rows of the portal that is bound next. */
    private boolean describesAtBind;

    ExtendedQueries(StatementExecution execution, PreparedTexts prepared, ClientOutput output) {
        this.execution = execution;
        this.prepared = prepared;
        this.output = output;
    }

    /** A Query takes the place of the unnamed statement and portal. */
    void closeUnnamed() {
        prepared.remove("");
        close(portals.remove(""));
    }

    private void close(@Nullable ClientPortal portal) {
        if (portal != null) {
            portal.close(execution::newRequest);
        }
    }

    boolean hasNoPortals() {
        return portals.isEmpty();
    }

    /** Portals end with their transaction. */
    void endTransaction(boolean isOpen) {
        if (!isOpen) {
            portals.values().forEach(this::close);
            portals.clear();
        }
    }

    void parse(FrontendMessage.Parse parse) {
        prepared.checkFree(parse.name());
        List<Translator.Part> statements = Translator.statements(parse.sql());
        if (statements.size() > 1) {
            throw new FulmarException(
                    ErrorCode.SYNTAX,
                    "cannot insert multiple commands into a prepared statement; send them one by one");
        }
        List<Translator.Part> parts = statements.isEmpty() ? List.of() : ObjectLists.parts(statements.getFirst());
        Translator.Part statement = statements.isEmpty()
                ? new Translator.Part("", 0)
                : OutParameters.without(parts.getLast(), parse.parameterTypes());
        Translation expanded = expanded(Translator.translate(statement, execution.facts(), parse.parameterTypes()));
        Translation translation = expanded.firstWord().equals("PREPARE") ? expanded.withoutParameters() : expanded;
        if (!statements.isEmpty()) {
            execution.block().checkUsableFor(SessionCommand.of(translation.sql()));
        }
        Optional<ChangingWith> with = ChangingWith.of(translation.source(), translation.start());
        if (with.isPresent()) {
            plan(with.get(), parse.parameterTypes(), plan -> keep(parse, translation.source(), plan));
            return;
        }
        Translation fetched = fetched(translation);
        if (fetched != null) {
            execution
                    .descriptions()
                    .describe(
                            fetched,
                            ParameterForms.nulls(fetched),
                            description -> keep(parse, translation, ofRows(description), false));
            return;
        }
        if (parts.size() > 1) {
            PreparedText last = new PreparedText(
                    translation,
                    ParameterForms.types(translation, List.of(), List.of(), parse.parameterTypes()),
                    ofCommand(translation),
                    false,
                    path(),
                    parts.subList(0, parts.size() - 1),
                    Optional.empty());
            prepared.put(parse.name(), last);
            output.send(new BackendMessage.ParseComplete());
            return;
        }
        if (statements.isEmpty() || SessionCommands.isOne(translation) || isOfChangedTables(translation)) {
            keep(parse, translation, ofCommand(translation), statements.isEmpty());
            return;
        }
        execution
                .descriptions()
                .describe(
                        translation,
                        parse.parameterTypes(),
                        () -> cast(translation, parse.parameterTypes()),
                        (known, description) -> keep(parse, known, description, false));
    }

    private void keep(FrontendMessage.Parse parse, String source, WithPlan plan) {
        prepared.put(parse.name(), PreparedText.ofParts(source, plan, path()));
        output.send(new BackendMessage.ParseComplete());
    }

    private void plan(ChangingWith with, List<Integer> types, Consumer<WithPlan> planned) {
        WithPlanner.plan(with, types, execution.facts(), execution.descriptions()::describe, planned);
    }

    /** Executes a statement of a Query that begins with WITH and changes rows. */
    void execute(ChangingWith with, Bound statement) {
        execution.block().checkUsable();
        FrontendMessage.Bind none =
                new FrontendMessage.Bind("", "", ValueFormats.TEXT, new byte[0][], ValueFormats.TEXT);
        plan(
                with,
                List.of(),
                plan -> run(plan, plan.bound(none, execution.settings().zone()), statement));
    }

    /** Executes the parts as statements of one transaction. */
    private void run(WithPlan plan, List<ParameterForms.Values> values, Bound statement) {
        WithRun.run(plan, values, new WithRun.Statements() {
            @Override
            public void execute(Translation part, byte[] parameters, Consumer<Committed> then) {
                execution.execute(
                        Bound.part(part, parameters, execution.settings().outputStyle(), then), false);
            }

            @Override
            public void executeLast(Translation main, byte[] parameters) {
                execution.execute(statement.with(main, parameters), false);
            }
        });
    }

    /** The statement with casts of its parameters to their types; none where they change nothing. */
    private Optional<Translation> cast(Translation translation, List<Integer> types) {
        boolean isAsWritten =
                !translation.isOfTheMoment() && !translation.parameters().isEmpty();
        if (!isAsWritten || types.isEmpty()) {
            return Optional.empty();
        }
        Translator.Part statement = new Translator.Part(translation.source(), translation.start());
        Translation cast = Translator.translateTyped(statement, execution.facts(), types);
        return cast.sql().equals(translation.sql()) ? Optional.empty() : Optional.of(cast);
    }

    /**
     * Whether a statement in a transaction needs tables as the transaction has changed them. It yields nothing, and
     * fails when it is executed if it is wrong.
     */
    private boolean isOfChangedTables(Translation translation) {
        boolean yieldsNothing = SessionCommands.changesTables(translation)
                || (CHANGES_OF_ROWS.contains(translation.firstWord())
                        && execution.locks().changesTables()
                        && !translation.sql().toUpperCase(Locale.ROOT).contains("RETURNING"));
        return execution.block().isOpen() && translation.parameterCount() == 0 && yieldsNothing;
    }

    /** The query of the cursor whose rows the statement fetches; null for another statement, or another cursor. */
    private @Nullable Translation fetched(Translation translation) {
        return translation.firstWord().equals("FETCH")
                        && SessionCommand.of(translation.sql())
                                instanceof CursorCommand.Fetch(String name, CursorStep _)
                ? execution.cursors().query(NameFolding.mirrored(name))
                : null;
    }

    /** A command that yields the rows of a query, and takes no parameters. */
    private static StatementDescription ofRows(StatementDescription query) {
        return new StatementDescription(query.columns(), List.of(), true, query.catalogVersion());
    }

    /** The statement that an EXECUTE means; any other one as it is. */
    Translation expanded(Translation translation) {
        if (translation.firstWord().equals("CREATE")) {
            PreparedCommand.MadeTable made = PreparedCommand.table(translation);
            return made == null
                    ? translation
                    : translated(made.before() + text(made.query()) + " " + made.behind(), translation);
        }
        return translation.firstWord().equals("EXECUTE")
                ? translated(text(PreparedCommand.execute(translation)), translation)
                : translation;
    }

    private String text(PreparedCommand.Execute execute) {
        return PreparedCommand.with(prepared.get(execute.name()).translation(), execute.arguments());
    }

    private Translation translated(String text, Translation origin) {
        return Translator.translate(new Translator.Part(text, origin.start()), execution.facts());
    }

    /** Prepares the statement that a PREPARE has. */
    void prepare(Translation translation, Runnable then) {
        PreparedCommand.Prepare prepare = PreparedCommand.prepare(translation);
        prepared.checkFree(prepare.name());
        List<Integer> types = prepare.types().stream().map(TypeWords::oid).toList();
        Translator.Part written = prepare.statement();
        Optional<ChangingWith> with = ChangingWith.of(written.text(), written.start());
        if (with.isPresent()) {
            plan(with.get(), types, plan -> {
                PreparedText parts = PreparedText.ofParts(written.text(), plan, path());
                prepared.put(prepare.name(), parts, translation.source());
                then.run();
            });
            return;
        }
        Translation statement = Translator.translate(prepare.statement(), execution.facts(), types);
        execution.descriptions().describe(statement, types, () -> cast(statement, types), (known, description) -> {
            prepared.put(
                    prepare.name(),
                    new PreparedText(
                            known,
                            ParameterForms.types(known, description.parameters(), description.arrays(), types),
                            description,
                            false,
                            path()),
                    translation.source());
            then.run();
        });
    }

    private StatementDescription ofCommand(Translation translation) {
        List<ResultColumn> columns = SessionCommands.columns(translation).stream()
                .map(name -> new ResultColumn(name, ColumnType.varchar(MOST_CHARACTERS), false))
                .toList();
        return new StatementDescription(columns, List.of(), false, 0);
    }

    private void keep(
            FrontendMessage.Parse parse, Translation translation, StatementDescription description, boolean isEmpty) {
        prepared.put(
                parse.name(),
                new PreparedText(
                        translation,
                        ParameterForms.types(
                                translation, description.parameters(), description.arrays(), parse.parameterTypes()),
                        description,
                        isEmpty,
                        path()));
        output.send(new BackendMessage.ParseComplete());
    }

    /** The schemas of the session's plain names. */
    private List<String> path() {
        return execution.settings().statementStyle().path();
    }

    /** With the facts that are so now, if its text has some. */
    private PreparedText ofTheMoment(PreparedText statement) {
        Translation known = statement.translation();
        boolean isOfParts = !statement.before().isEmpty() || statement.parts().isPresent();
        if (!known.isOfTheMoment() || isOfParts) {
            return statement;
        }
        Translator.Part text = new Translator.Part(known.source(), known.start());
        return statement.with(Translator.translate(text, execution.facts(), statement.parameterTypes()));
    }

    void bind(FrontendMessage.Bind bind) {
        boolean describesRows = describesAtBind;
        describesAtBind = false;
        PreparedText statement = ofTheMoment(prepared.get(bind.statement()));
        if (!statement.isEmpty()) {
            execution
                    .block()
                    .checkUsableFor(SessionCommand.of(statement.translation().sql()));
        }
        if (!bind.portal().isEmpty() && portals.containsKey(bind.portal())) {
            throw new FulmarException(
                    ErrorCode.DUPLICATE_CURSOR,
                    "cursor \"" + bind.portal() + "\" already exists; close it first, or choose another name");
        }
        if (portals.size() >= MOST_PORTALS) {
            throw new FulmarException(
                    ErrorCode.TOO_MANY_PORTALS, "a session has at most " + MOST_PORTALS + " portals; close some");
        }
        SentTexts.check(execution.settings().statementStyle(), statement.parameterTypes(), bind);
        renewed(bind.statement(), statement, current -> {
            ClientPortal portal = portal(current, bind);
            close(portals.put(bind.portal(), portal));
            if (describesRows) {
                portal.describeRows(true);
            } else {
                output.send(new BackendMessage.BindComplete());
            }
        });
    }

    private ClientPortal portal(PreparedText statement, FrontendMessage.Bind bind) {
        StatementDescription description = statement.description();
        ValueFormats formats = statement.yieldsRows()
                ? bind.resultFormats().checkedFor(description.columns().size(), "columns of the result")
                : bind.resultFormats();
        WithPlan parts = statement.parts().orElse(null);
        if (parts != null) {
            List<ParameterForms.Values> values =
                    parts.bound(bind, execution.settings().zone());
            return new ClientPortal(statement, values, formats, execution.memory());
        }
        ParameterForms.Values values = ParameterForms.bound(
                statement.translation(),
                statement.parameterTypes(),
                description.parameters(),
                bind,
                execution.settings().zone());
        return new ClientPortal(statement.with(values.translation()), values.parameters(), formats, execution.memory());
    }

    /** Goes on with a statement as the newest catalog describes it. */
    private void renewed(String name, PreparedText statement, Consumer<PreparedText> then) {
        long newest = execution.services().describer().catalogVersion();
        boolean isOfNewest = statement.description().catalogVersion() == newest
                && statement.path().equals(path())
                && execution.block().changes().isEmpty();
        boolean isCurrent = isOfNewest
                || statement.isEmpty()
                || !statement.before().isEmpty() // it is of tables as the parts before leave them
                || SessionCommands.isOne(statement.translation())
                || (statement.parts().isEmpty() && isOfChangedTables(statement.translation()));
        if (isCurrent) {
            then.accept(statement);
            return;
        }
        WithPlan parts = statement.parts().orElse(null);
        if (parts != null) {
            String source = statement.translation().source();
            plan(
                    parts.statement(),
                    parts.parameterTypes(),
                    plan -> renew(name, statement, PreparedText.ofParts(source, plan, path()), then));
            return;
        }
        execution
                .descriptions()
                .describe(statement.translation(), ParameterForms.nulls(statement.translation()), description -> {
                    renew(name, statement, statement.with(description, path()), then);
                });
    }

    private void renew(String name, PreparedText before, PreparedText current, Consumer<PreparedText> then) {
        if (!areSame(current.description().columns(), before.description().columns())) {
            throw new FulmarException(
                    ErrorCode.PLAN_CHANGED, "cached plan must not change result type; prepare the statement again");
        }
        prepared.renew(name, current);
        then.accept(current);
    }

    /** Whether clients see no difference; a type may have got labels. */
    private static boolean areSame(List<ResultColumn> now, List<ResultColumn> before) {
        boolean areSame = now.size() == before.size();
        for (int i = 0; areSame && i < now.size(); i++) {
            ResultColumn column = now.get(i);
            ResultColumn known = before.get(i);
            areSame = column.name().equals(known.name()) && column.type().isSame(known.type());
        }
        return areSame;
    }

    // Descriptions by rows: what a procedure in Java yields is known when it has run.

    boolean describesByRows(FrontendMessage.Describe describe) {
        PreparedText statement;
        if (describe.target() == Target.STATEMENT) {
            statement = prepared.find(describe.name());
        } else {
            ClientPortal portal = portals.get(describe.name());
            statement = portal == null ? null : portal.statement();
        }
        return statement != null && !statement.description().tellsColumns();
    }

    /** Whether enough messages wait behind to know whether rows come now. A client sends some before it waits. */
    boolean isFollowed(FrontendMessage.Describe describe, List<FrontendMessage> next) {
        boolean isBound = describe.target() == Target.STATEMENT
                && !next.isEmpty()
                && next.getFirst() instanceof FrontendMessage.Bind;
        return next.size() > (isBound ? 1 : 0);
    }

    private static boolean isExecuted(FrontendMessage.Describe describe, List<FrontendMessage> next) {
        if (describe.target() == Target.PORTAL) {
            return next.getFirst() instanceof FrontendMessage.Execute(String portal, int _)
                    && portal.equals(describe.name());
        }
        return next.size() > 1
                && next.getFirst() instanceof FrontendMessage.Bind bind
                && bind.statement().equals(describe.name())
                && next.get(1) instanceof FrontendMessage.Execute(String portal, int _)
                && portal.equals(bind.portal());
    }

    /** The description is sent with the rows. So is what answers the Bind between, for answers keep their order. */
    private void describeByRows(FrontendMessage.Describe describe, List<FrontendMessage> next) {
        if (!isExecuted(describe, next)) {
            throw notKnown();
        }
        if (describe.target() == Target.STATEMENT) {
            output.send(new BackendMessage.ParameterDescription(
                    prepared.get(describe.name()).parameterTypes()));
            describesAtBind = true;
        } else {
            portal(describe.name()).describeRows(false);
        }
    }

    /** @param next the messages behind, two at most */
    void describe(FrontendMessage.Describe describe, List<FrontendMessage> next) {
        if (describesByRows(describe)) {
            checkUsableFor(
                    describe.target() == Target.STATEMENT
                            ? prepared.get(describe.name())
                            : portal(describe.name()).statement());
            describeByRows(describe, next);
            return;
        }
        if (describe.target() == Target.STATEMENT) {
            PreparedText statement = prepared.get(describe.name());
            checkUsableFor(statement);
            output.send(new BackendMessage.ParameterDescription(statement.parameterTypes()));
            describe(statement, ValueFormats.TEXT);
            return;
        }
        Translation cursor = portals.containsKey(describe.name())
                ? null
                : execution.cursors().query(describe.name());
        if (cursor != null) {
            execution
                    .descriptions()
                    .describe(
                            cursor,
                            ParameterForms.nulls(cursor),
                            description -> output.send(new BackendMessage.RowDescription(
                                    ColumnForms.fields(description.columns(), cursor.names(), ValueFormats.TEXT))));
        } else {
            ClientPortal portal = portal(describe.name());
            checkUsableFor(portal.statement());
            describe(portal.statement(), portal.formats());
        }
    }

    private static FulmarException notKnown() {
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED,
                "the columns of a procedure in Java are known when it has run; send Bind and Execute right behind"
                        + " Describe, or a simple query");
    }

    /** Statements that yield rows are not described in a transaction that has failed. */
    private void checkUsableFor(PreparedText statement) {
        if (statement.yieldsRows()) {
            execution.block().checkUsable();
        }
    }

    private void describe(PreparedText statement, ValueFormats formats) {
        output.send(
                statement.yieldsRows()
                        ? new BackendMessage.RowDescription(ColumnForms.fields(
                                statement.description().columns(),
                                statement.translation().names(),
                                formats))
                        : new BackendMessage.NoData());
    }

    ClientPortal portal(FrontendMessage.Execute execute) {
        return portal(execute.portal());
    }

    void execute(ClientPortal portal, FrontendMessage.Execute execute, boolean standsAlone) {
        PreparedText statement = portal.statement();
        if (statement.isEmpty()) {
            output.send(new BackendMessage.EmptyQueryResponse());
            return;
        }
        long limit = execute.rowLimit() <= 0 ? Long.MAX_VALUE : execute.rowLimit();
        Bound bound = new Bound(
                statement.translation(),
                portal.parameters(),
                portal.formats(),
                portal,
                limit,
                false,
                execution.settings().outputStyle());
        ResultFeed open = portal.rows();
        if (open != null) {
            execution.send(open, bound);
        } else if (portal.isDone() && statement.translation().isQuery()) {
            execution.block().checkUsable();
            output.send(new BackendMessage.CommandComplete("SELECT 0"));
        } else if (portal.isDone()) {
            throw new FulmarException(
                    ErrorCode.PORTAL_ENDED, "portal \"" + execute.portal() + "\" cannot be run; bind it again");
        } else if (statement.translation().firstWord().equals("PREPARE")) {
            execution.block().checkUsable();
            prepare(statement.translation(), () -> {
                portal.done();
                output.send(new BackendMessage.CommandComplete("PREPARE"));
            });
        } else if (statement.parts().isPresent()) {
            run(statement.parts().get(), portal.parts(), bound);
        } else {
            execution.execute(bound, standsAlone);
        }
    }

    private ClientPortal portal(String name) {
        ClientPortal portal = portals.get(name);
        if (portal == null) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_CURSOR,
                    "portal \"" + name + "\" does not exist; portals end with their transaction, so bind it again");
        }
        return portal;
    }

    void close(FrontendMessage.Close close) {
        if (close.target() == Target.STATEMENT) {
            prepared.remove(close.name());
        } else {
            close(portals.remove(close.name()));
        }
        output.send(new BackendMessage.CloseComplete());
    }
}
