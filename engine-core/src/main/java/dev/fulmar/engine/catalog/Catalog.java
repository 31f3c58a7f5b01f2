package dev.fulmar.engine.catalog;

import dev.fulmar.engine.catalog.access.AccessRules;
import dev.fulmar.engine.catalog.access.Privilege;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.Enumeration;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One version of the catalog, which describes all objects of the database. Immutable. */
public final class Catalog {
    private static final Catalog EMPTY = new Catalog(
            0,
            1,
            Collections.emptySortedMap(),
            Routines.NONE,
            Collections.emptySortedMap(),
            AccessRules.none(),
            Comments.none(),
            Collections.emptySortedSet(),
            Collections.emptySortedMap(),
            CatalogPlan.CONFIGURED);

    private final long version;
    private final int nextId;
    private final SortedMap<String, Table> tables;
    private final Routines procedures;
    private final SortedMap<String, View> views;
    private final AccessRules access;
    private final Comments comments;
    private final SortedSet<String> schemas;
    private final SortedMap<String, Enumeration> enumerations;
    private final CatalogPlan plan;

    private Catalog(
            long version,
            int nextId,
            SortedMap<String, Table> tables,
            Routines procedures,
            SortedMap<String, View> views,
            AccessRules access,
            Comments comments,
            SortedSet<String> schemas,
            SortedMap<String, Enumeration> enumerations,
            CatalogPlan plan) {
        this.version = version;
        this.nextId = nextId;
        this.tables = Collections.unmodifiableSortedMap(tables);
        this.procedures = procedures;
        this.views = Collections.unmodifiableSortedMap(views);
        this.access = access;
        this.comments = comments;
        this.schemas = Collections.unmodifiableSortedSet(schemas);
        this.enumerations = Collections.unmodifiableSortedMap(enumerations);
        this.plan = plan;
        Invariants.check(plan.isOf(version), "a catalog's plan counts since one of its versions");
        if (Invariants.EXPENSIVE) {
            tables.forEach(this::check);
        }
    }

    private void check(String name, Table table) {
        Invariants.check(name.equals(table.name()), "a catalog has each table under its own name");
        Invariants.check(!views.containsKey(name), "a table and a view of a catalog have different names");
        Invariants.check(
                table.id() < nextId && table.indexes().stream().allMatch(index -> index.id() < nextId),
                "a catalog gives the next table or index an id above all ids of its tables");
    }

    public static Catalog empty() {
        return EMPTY;
    }

    /** Counts the changes; a later catalog has a higher version. */
    public long version() {
        return version;
    }

    /** The id for the next table or index. */
    public int nextId() {
        return nextId;
    }

    /** Names of the schemas, without PUBLIC and INFORMATION_SCHEMA, which are always there. */
    public SortedSet<String> schemas() {
        return schemas;
    }

    /** Whether the id is that of a dense sequence. */
    public boolean isDenseSequence(int id) {
        return tables.values().stream()
                .anyMatch(table -> table.id() == id
                        && table.sequence().map(SequenceRule::isDense).orElse(false));
    }

    /** A version with other schemas. */
    public Catalog withSchemas(SortedSet<String> changed) {
        return new Catalog(
                version + 1,
                nextId,
                tables,
                procedures,
                views,
                access,
                comments,
                new TreeSet<>(changed),
                enumerations,
                plan);
    }

    /** The types with labels by name, in name order. */
    public SortedMap<String, Enumeration> enumerations() {
        return enumerations;
    }

    /** A version with the type added, or replaced if one has its name, wherever tables and views have it. */
    public Catalog withEnumeration(Enumeration changed) {
        TreeMap<String, Enumeration> all = new TreeMap<>(enumerations);
        all.put(changed.name(), changed);
        Retyping retyping = Retyping.to(changed);
        TreeMap<String, Table> retyped = new TreeMap<>(tables);
        retyped.replaceAll((name, table) -> {
            Table after = retyping.of(table);
            return after.equals(table) ? table : after;
        });
        TreeMap<String, View> seen = new TreeMap<>(views);
        seen.replaceAll((name, view) -> retyping.of(view));
        return new Catalog(
                version + 1,
                Math.max(nextId, changed.id() + 1),
                retyped,
                procedures,
                seen,
                access,
                comments,
                schemas,
                all,
                plan);
    }

    /** The name of a table or view that has the type; empty if there is none. */
    public Optional<String> userOf(Enumeration enumeration) {
        return Stream.concat(
                        tables.values().stream()
                                .filter(table -> Retyping.isUsed(enumeration, table))
                                .map(Table::name),
                        views.values().stream()
                                .filter(view -> Retyping.isUsed(enumeration, view))
                                .map(View::name))
                .findFirst();
    }

    /** A version without the type, which no table and no view has. */
    public Catalog withoutEnumeration(String name) {
        TreeMap<String, Enumeration> remaining = new TreeMap<>(enumerations);
        remaining.remove(name);
        return new Catalog(
                version + 1,
                nextId,
                tables,
                procedures,
                views,
                access,
                comments.without(Comments.Kind.TYPE, name),
                schemas,
                remaining,
                plan);
    }

    /** The partition plan, or null while that of the configuration counts. */
    public @Nullable PartitionPlan plan() {
        return plan.plan();
    }

    /** The target of the newest reconfiguration, or null if there was none. */
    public @Nullable PlanTarget target() {
        return plan.target();
    }

    /**
     * The version since which keys have changed their partition by hand-offs only, so that outcomes of requests are
     * where the keys are.
     */
    public long outcomesMoveSince() {
        return plan.outcomesMoveSince();
    }

    /** A version with another partition plan, which counts from that version on. */
    public Catalog withPlan(PartitionPlan changed) {
        return with(plan.replaced(changed.countingFrom(version + 1)));
    }

    /** A version in which buckets have changed their partitions. */
    public Catalog withHandOffs(List<HandOff> handOffs) {
        return with(plan.handedOver(handOffs, version + 1));
    }

    /**
     * A version in which a reconfiguration has begun or changed its state.
     *
     * @param configured the plan that counts, if the catalog has none
     */
    public Catalog withTarget(TargetChange change, Optional<PartitionPlan> configured) {
        return with(plan.retargeted(change, configured));
    }

    private Catalog with(CatalogPlan changed) {
        return new Catalog(
                version + 1, nextId, tables, procedures, views, access, comments, schemas, enumerations, changed);
    }

    /** Whether the other one has the same objects, users and comments; its partition plan may be another one. */
    public boolean hasSameObjects(Catalog other) {
        return tables.equals(other.tables)
                && procedures.equals(other.procedures)
                && views.equals(other.views)
                && access.equals(other.access)
                && comments.equals(other.comments)
                && schemas.equals(other.schemas)
                && enumerations.equals(other.enumerations);
    }

    /** Tables by name, in name order. */
    public SortedMap<String, Table> tables() {
        return tables;
    }

    /** Procedures by name in upper case, in that order. */
    public SortedMap<String, ProcedureDefinition> procedures() {
        return procedures.procedures();
    }

    /** Functions of users by name, which is in upper case, in that order. */
    public SortedMap<String, UserFunction> functions() {
        return procedures.functions();
    }

    /** A version with the function added, or replaced if one has its name. */
    public Catalog withFunction(UserFunction function) {
        return with(procedures.with(function), access, comments);
    }

    /** A version without the function, and without rights on it. */
    public Catalog withoutFunction(String name) {
        return with(procedures.withoutFunction(name), access.withoutObject(Privilege.Scope.PROCEDURE, name), comments);
    }

    /** The same version, whose functions have their code. */
    public Catalog withCode(SortedMap<String, UserFunction> bound) {
        Invariants.check(bound.equals(functions()), "code changes no function");
        return new Catalog(
                version,
                nextId,
                tables,
                procedures.withFunctions(bound),
                views,
                access,
                comments,
                schemas,
                enumerations,
                plan);
    }

    private Catalog with(Routines changed, AccessRules newAccess, Comments newComments) {
        return new Catalog(
                version + 1, nextId, tables, changed, views, newAccess, newComments, schemas, enumerations, plan);
    }

    /** Users, roles and their rights. */
    public AccessRules access() {
        return access;
    }

    /** A version with other users, roles or rights. */
    public Catalog withAccess(AccessRules changed) {
        return new Catalog(
                version + 1, nextId, tables, procedures, views, changed, comments, schemas, enumerations, plan);
    }

    /** The comments on the catalog's objects. */
    public Comments comments() {
        return comments;
    }

    /** A version with another comment, or with none where the text is empty. */
    public Catalog withComment(Comments.Subject subject, String text) {
        return new Catalog(
                version + 1,
                nextId,
                tables,
                procedures,
                views,
                access,
                comments.with(subject, text),
                schemas,
                enumerations,
                plan);
    }

    /** Views by name, in name order. No table has the name of one. */
    public SortedMap<String, View> views() {
        return views;
    }

    /** A version with the view added, or replaced if one has its name. */
    public Catalog withView(View view) {
        TreeMap<String, View> changed = new TreeMap<>(views);
        changed.put(view.name(), view);
        return new Catalog(
                version + 1, nextId, tables, procedures, changed, access, comments, schemas, enumerations, plan);
    }

    public Catalog withoutView(String name) {
        TreeMap<String, View> changed = new TreeMap<>(views);
        changed.remove(name);
        return new Catalog(
                version + 1,
                nextId,
                tables,
                procedures,
                changed,
                access,
                comments.without(Comments.Kind.VIEW, name),
                schemas,
                enumerations,
                plan);
    }

    /** The table, or an {@link ErrorCode#UNKNOWN_OBJECT} error. */
    public Table table(String name) {
        Table table = tables.get(name);
        if (table == null) {
            throw new FulmarException(ErrorCode.UNKNOWN_OBJECT, noTable(name));
        }
        return table;
    }

    /**
     * The table that is getting the rows of the one with the name, to take its place. Nothing writes that one until
     * then.
     */
    public Optional<Table> successor(String name) {
        return pending().stream()
                .filter(table -> table.successorOf().equals(Optional.of(name)))
                .findFirst();
    }

    /** The tables that are still being made, of which no client knows. */
    public List<Table> pending() {
        return tables.tailMap(SchemaName.PENDING).values().stream()
                .takeWhile(table -> SchemaName.isPending(table.name()))
                .toList();
    }

    /** The message for a name that no table has. */
    public String noTable(String name) {
        return "there is no table " + SimilarNames.written(name)
                + SimilarNames.hint(name, shown().tables().keySet(), "; CREATE TABLE makes one");
    }

    /** The procedure, or null. */
    public @Nullable ProcedureDefinition procedure(String name) {
        return procedures().get(name.toUpperCase(Locale.ROOT));
    }

    /** The same version as operators are shown it: without the tables that are still being made. */
    public Catalog withoutPending() {
        return tables.keySet().stream().anyMatch(SchemaName::isPending)
                ? filtered(name -> !SchemaName.isPending(name))
                : this;
    }

    /** The same version as users are shown it: without the tables that are still being made, and temporary ones. */
    public Catalog shown() {
        return shownTo("");
    }

    /**
     * The same version as a session is shown it.
     *
     * @param temporary schema of its temporary tables; empty for none
     */
    public Catalog shownTo(String temporary) {
        return withoutPending().seenBy(temporary);
    }

    /** The same version without the temporary tables of other sessions. */
    public Catalog seenBy(String temporary) {
        return temporarySchemas().stream().allMatch(temporary::equals)
                ? this
                : filtered(name -> !isTemporary(name) || SchemaName.of(name).equals(temporary));
    }

    /** The schemas in which sessions have temporary tables. */
    public SortedSet<String> temporarySchemas() {
        TreeSet<String> found = new TreeSet<>();
        for (String name : tables.tailMap(SchemaName.TEMPORARY).keySet()) {
            if (!name.startsWith(SchemaName.TEMPORARY)) {
                break;
            }
            if (isTemporary(name)) {
                found.add(SchemaName.of(name));
            }
        }
        return found;
    }

    /** A schema that a user has made is none, whatever its name. */
    private boolean isTemporary(String name) {
        return SchemaName.isInTemporary(name) && !schemas.contains(SchemaName.of(name));
    }

    private Catalog filtered(Predicate<String> isSeen) {
        TreeMap<String, Table> seen = new TreeMap<>(tables);
        seen.keySet().removeIf(isSeen.negate());
        return new Catalog(version, nextId, seen, procedures, views, access, comments, schemas, enumerations, plan);
    }

    /**
     * A version with the table added, or replaced if one has its name; ids up to the table's and its indexes' are used
     * up.
     */
    public Catalog withTable(Table table) {
        TreeMap<String, Table> changed = new TreeMap<>(tables);
        changed.put(table.name(), table);
        int highest = table.indexes().stream().mapToInt(Index::id).max().orElse(0);
        int next = Math.max(nextId, Math.max(table.id(), highest) + 1);
        Table before = tables.get(table.name());
        Comments kept = before == null ? comments : comments.changed(before, table);
        return new Catalog(version + 1, next, changed, procedures, views, access, kept, schemas, enumerations, plan);
    }

    /**
     * A version with the table under its new name, also in rights, and where procedures are partitioned by it or by one
     * of its columns.
     */
    public Catalog withRenamed(Table before, Table after) {
        TreeMap<String, Table> changedTables = new TreeMap<>(tables);
        changedTables.remove(before.name());
        changedTables.put(after.name(), after);
        Routines changed = procedures.changed(procedure -> procedure.withRenamed(before, after));
        AccessRules renamed = before.name().equals(after.name())
                ? access
                : access.withRenamed(Privilege.Scope.TABLE, before.name(), after.name());
        return new Catalog(
                version + 1,
                nextId,
                changedTables,
                changed,
                views,
                renamed,
                comments.changed(before, after),
                schemas,
                enumerations,
                plan);
    }

    /** A version without the table, and without rights on it. */
    public Catalog withoutTable(String name) {
        TreeMap<String, Table> changed = new TreeMap<>(tables);
        Table removed = changed.remove(name);
        return new Catalog(
                version + 1,
                nextId,
                changed,
                procedures,
                views,
                access.withoutObject(Privilege.Scope.TABLE, name),
                removed == null ? comments : comments.without(removed),
                schemas,
                enumerations,
                plan);
    }

    public Catalog withProcedure(ProcedureDefinition procedure) {
        return with(procedures.with(procedure), access, comments);
    }

    /** A version without the procedure, and without rights on it. */
    public Catalog withoutProcedure(String name) {
        String key = name.toUpperCase(Locale.ROOT);
        return with(
                procedures.withoutProcedure(key),
                access.withoutObject(Privilege.Scope.PROCEDURE, key),
                comments.without(Comments.Kind.PROCEDURE, key));
    }
}
