package dev.fulmar.postgres.with;

import dev.fulmar.coordinator.access.TouchedTables;
import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.dialect.ChangingWith;
import dev.fulmar.postgres.dialect.NameFolding;
import dev.fulmar.postgres.dialect.PassedItem;
import dev.fulmar.postgres.dialect.SessionFacts;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.dialect.Translator;
import dev.fulmar.postgres.value.ColumnForms;
import dev.fulmar.postgres.value.ParameterForms;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Plans a statement that begins with WITH and changes rows. It has the parts described one after another, for a part is
 * written with the columns of those whose rows it reads. Queries that read no changed rows run first, so that they see
 * the tables as they were; then the others in their order.
 */
public final class WithPlanner {
    /** Has a statement described; a second one with casts of its parameters if that one does not fit. */
    public interface Describer {
        void describe(
                Translation translation,
                List<Integer> types,
                Supplier<Optional<Translation>> cast,
                BiConsumer<Translation, StatementDescription> known);
    }

    private final ChangingWith with;
    private final SessionFacts facts;
    private final Describer describer;
    private final Consumer<WithPlan> planned;
    private final List<ChangingWith.Item> order;
    private final Set<String> needed;
    private final List<Integer> types;
    private final Map<String, PassedItem> passed = new TreeMap<>();
    private final List<WithPlan.Part> parts = new ArrayList<>();
    private int arrays;

    private WithPlanner(
            ChangingWith with,
            List<Integer> given,
            SessionFacts facts,
            Describer describer,
            Consumer<WithPlan> planned) {
        this.with = with;
        this.facts = facts;
        this.describer = describer;
        this.planned = planned;
        this.order = order(with);
        this.needed = needed(with);
        this.types = new ArrayList<>(given);
        this.types.addAll(Collections.nCopies(Math.max(0, with.parameterCount() - given.size()), 0));
    }

    /**
     * @param given OIDs of the first parameters, as the client gives them; 0 for none
     * @param planned hears of the plan, unless a part is wrong or the statement is refused
     */
    public static void plan(
            ChangingWith with,
            List<Integer> given,
            SessionFacts facts,
            Describer describer,
            Consumer<WithPlan> planned) {
        new WithPlanner(with, given, facts, describer, planned).next(0);
    }

    /** The parts as they run. */
    private static List<ChangingWith.Item> order(ChangingWith with) {
        List<ChangingWith.Item> order = new ArrayList<>();
        Set<String> early = new HashSet<>();
        for (ChangingWith.Item item : with.items()) {
            if (!item.changes() && early.containsAll(item.reads())) {
                early.add(item.name());
                order.add(item);
            }
        }
        with.items().stream().filter(item -> !early.contains(item.name())).forEach(order::add);
        order.add(with.main());
        return order;
    }

    /** The items whose rows the main statement or a change needs. A query that is not needed does not run. */
    private static Set<String> needed(ChangingWith with) {
        Map<String, ChangingWith.Item> items = new TreeMap<>();
        with.items().forEach(item -> items.put(item.name(), item));
        ArrayDeque<ChangingWith.Item> waiting = new ArrayDeque<>(List.of(with.main()));
        with.items().stream().filter(ChangingWith.Item::changes).forEach(waiting::add);
        Set<String> needed = new HashSet<>();
        while (!waiting.isEmpty()) {
            for (String name : waiting.remove().reads()) {
                ChangingWith.Item read = items.get(name);
                if (read != null && needed.add(name)) {
                    waiting.add(read);
                }
            }
        }
        return needed;
    }

    private void next(int place) {
        if (place == order.size()) {
            finish();
            return;
        }
        ChangingWith.Item item = order.get(place);
        Supplier<Optional<Translation>> cast = () -> Optional.of(translated(item, true));
        describer.describe(translated(item, false), types, cast, (translation, description) -> {
            described(item, translation, description);
            next(place + 1);
        });
    }

    private Translation translated(ChangingWith.Item item, boolean casts) {
        Map<String, PassedItem> seen = new TreeMap<>(passed); // others have run too, but it stands before them
        seen.keySet().retainAll(item.reads());
        return Translator.translate(item.text(), facts, types, casts, seen);
    }

    private void described(ChangingWith.Item item, Translation translation, StatementDescription description) {
        ParameterForms.infer(translation, description.parameters(), description.arrays(), types);
        boolean isMain = item.name().isEmpty();
        boolean isRead = needed.contains(item.name());
        checkTables(item, description);
        if (isRead) {
            passed.put(item.name(), passed(item, translation, description));
        }
        if (isMain || isRead || item.changes()) {
            int firstArray = isRead ? types.size() + arrays : -1;
            parts.add(new WithPlan.Part(item, translation, description, firstArray));
            arrays += isRead ? description.columns().size() : 0;
        }
    }

    private PassedItem passed(ChangingWith.Item item, Translation translation, StatementDescription description) {
        List<String> names = new ArrayList<>(ColumnForms.names(description.columns(), translation.names()));
        if (names.isEmpty()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "WITH query \"" + item.name()
                            + "\" does not have a RETURNING clause; add RETURNING with the columns" + " that are read");
        }
        if (item.columns().size() > names.size()) {
            throw new FulmarException(
                    ErrorCode.SYNTAX,
                    "WITH query \"" + item.name() + "\" has " + names.size() + " columns available but "
                            + item.columns().size() + " columns specified; leave the last ones out");
        }
        for (int i = 0; i < item.columns().size(); i++) {
            names.set(i, item.columns().get(i));
        }
        return new PassedItem(
                item.name(),
                names,
                description.columns().stream().map(column -> column.type()).toList(),
                types.size() + arrays + 1);
    }

    /** Fails for a part that would see what one before it has changed. */
    private void checkTables(ChangingWith.Item item, StatementDescription description) {
        TouchedTables touched = description.touched().orElse(null);
        if (touched == null) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "calls of procedures and of functions of the session are not supported in a WITH that changes rows;"
                            + " use several statements in a transaction");
        }
        if (!item.changes() && !item.name().isEmpty() && !touched.changed().isEmpty()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "item " + item.name() + " of WITH changes rows, but does not begin with INSERT, UPDATE or DELETE;"
                            + " write the change as an item of its own");
        }
        for (WithPlan.Part before : parts) {
            Set<String> seen = new TreeSet<>(
                    before.description().touched().map(TouchedTables::changed).orElseThrow());
            Set<String> decisive = new TreeSet<>(touched.read());
            if (!follows(item, before.item().name())) { // PostgreSQL does not say which of the two comes first
                decisive.addAll(touched.skipping());
            }
            seen.retainAll(decisive);
            if (!seen.isEmpty()) {
                throw refused(
                        item, touched, before.item().name(), List.copyOf(seen).getFirst());
            }
        }
    }

    /** Whether a part reads rows of the item, or of another one that does. */
    private boolean follows(ChangingWith.Item part, String name) {
        Set<String> behind = new HashSet<>(Set.of(name));
        for (ChangingWith.Item item : with.items()) {
            if (!Collections.disjoint(behind, item.reads())) {
                behind.add(item.name());
            }
        }
        return !Collections.disjoint(behind, part.reads());
    }

    private static FulmarException refused(
            ChangingWith.Item item, TouchedTables touched, String before, String changedTable) {
        String table = NameFolding.mirrored(changedTable);
        String part = item.name().isEmpty() ? "the main statement" : "item " + item.name();
        boolean changesIt = touched.changed().contains(changedTable);
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED,
                changesIt
                        ? part + " changes rows of table " + table + ", which item " + before
                                + " of WITH changes too; use one statement for both, or two in a transaction"
                        : part + " reads table " + table + ", which item " + before
                                + " of WITH changes, and has to see it as it was; read it in an item of its own, WITH"
                                + " former AS (SELECT ... FROM " + table + "), and then that item");
    }

    private void finish() {
        int untyped = types.indexOf(0);
        if (untyped >= 0) {
            throw ParameterForms.indeterminate(untyped);
        }
        planned.accept(new WithPlan(with, parts, types, arrays));
    }
}
