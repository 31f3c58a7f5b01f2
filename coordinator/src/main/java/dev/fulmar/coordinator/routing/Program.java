package dev.fulmar.coordinator.routing;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.loading.ProcedureJars;
import dev.fulmar.engine.procedure.loading.ProcedureRegistry;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One version of the catalog with its procedures, jars and partition plan: all that can run under it, and where.
 * Immutable; its identity says which version a request was prepared for. So a request, its fragments and the partitions
 * that they run on have one plan.
 */
public final class Program {
    /** Place of the figures of ad hoc statements. */
    public static final int AD_HOC = 0;

    private final Catalog catalog;
    private final ProcedureRegistry registry;
    private final ProcedureJars jars;
    private final List<String> names;
    private final long statementsRoutedSince;

    /** The first catalog since which all have had the same objects, but for temporary tables. */
    private final Catalog objects;

    private final PartitionPlan configured;
    private final PartitionPlan plan;

    /** Procedures by their names as defined and in upper case; asked for single names only. */
    private final Map<String, CallTarget> targets = new HashMap<>();

    private Program(
            ProcedureRegistry registry,
            ProcedureJars jars,
            List<String> names,
            PartitionPlan configured,
            @Nullable Program predecessor) {
        this.configured = configured;
        this.plan = planOf(registry.catalog(), configured);
        Invariants.check(
                plan.partitionCount() == configured.partitionCount(),
                "a catalog's newest plan is for the partitions that there are");
        this.catalog = registry.catalog();
        this.registry = registry;
        this.jars = jars;
        this.names = names;
        this.objects = predecessor != null && catalog.seenBy("").hasSameObjects(predecessor.catalog.seenBy(""))
                ? predecessor.objects
                : catalog;
        // Only hand-offs bring the outcomes of requests to where their keys are.
        Program before = predecessor != null
                        && predecessor.catalog.outcomesMoveSince()
                                == registry.catalog().outcomesMoveSince()
                ? predecessor
                : null;
        this.statementsRoutedSince = before != null && RoutedStatements.areSame(before.catalog, registry.catalog())
                ? before.statementsRoutedSince
                : registry.catalog().version();
        Map<String, Integer> places = new HashMap<>(); // asked for single names only
        for (int place = 0; place < names.size(); place++) {
            places.put(names.get(place), place);
        }
        registry.procedures().forEach((name, procedure) -> {
            PartitioningParameter partitioning = partitioning(procedure);
            CallTarget known = before == null ? null : before.find(name);
            CallTarget target = new CallTarget(
                    procedure,
                    places.getOrDefault(name, -1),
                    partitioning,
                    known != null && isRoutedAs(known, procedure, partitioning)
                            ? known.routedSince()
                            : registry.catalog().version());
            targets.put(name, target);
            targets.put(procedure.name(), target);
        });
    }

    /** The program of an empty catalog, with the plan that the nodes are configured with. */
    public static Program empty(PartitionPlan configured) {
        return new Program(ProcedureRegistry.empty(), ProcedureJars.NONE, List.of("(ad hoc SQL)"), configured, null);
    }

    /** The first program after a recovery; where earlier versions routed the same requests is not known. */
    public static Program recovered(ProcedureRegistry registry, ProcedureJars jars, PartitionPlan configured) {
        return new Program(registry, jars, empty(configured).namesWith(registry), configured, null);
    }

    /**
     * The successor with another catalog or other classes, one change later. A name keeps its place among the figures
     * for ever. Where versions that never counted are taken back, nothing is known of earlier routing. Otherwise the
     * successor would refuse what clients know of it.
     */
    public Program next(ProcedureRegistry newRegistry, ProcedureJars newJars) {
        boolean goesBack = newRegistry.catalog().version() < catalog.version();
        return new Program(newRegistry, newJars, namesWith(newRegistry), configured, goesBack ? null : this);
    }

    /**
     * Refuses a plan that cannot follow this one.
     *
     * @throws FulmarException {@link ErrorCode#INVALID_CONFIGURATION} if it is for another number of partitions
     */
    public void checkSuccessor(PartitionPlan next) {
        if (next.partitionCount() != plan.partitionCount()) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a partition plan for " + next.partitionCount() + " partitions cannot follow one for "
                            + plan.partitionCount() + "; the number of partitions never changes");
        }
    }

    private List<String> namesWith(ProcedureRegistry newRegistry) {
        LinkedHashSet<String> known = new LinkedHashSet<>(names);
        known.addAll(newRegistry.procedures().keySet());
        return List.copyOf(known);
    }

    /** Compares a procedure that the registry has kept by identity only: it may not be planned yet. */
    private static boolean isRoutedAs(
            CallTarget before, LoadedProcedure procedure, @Nullable PartitioningParameter partitioning) {
        if (before.procedure() == procedure) {
            return Objects.equals(before.partitioning(), partitioning);
        }
        return before.procedure().scope() == procedure.scope()
                && before.procedure().isReadOnly() == procedure.isReadOnly()
                && Objects.equals(before.partitioning(), partitioning);
    }

    private @Nullable PartitioningParameter partitioning(LoadedProcedure procedure) {
        ProcedureDefinition.Partitioning partitioning =
                procedure.definition().partitioning().orElse(null);
        if (partitioning == null) {
            return null;
        }
        Table table = catalog.table(partitioning.table());
        return new PartitioningParameter(
                partitioning.parameter(),
                table.columns().get(table.columnIndex(partitioning.column())).type());
    }

    public Catalog catalog() {
        return catalog;
    }

    private static PartitionPlan planOf(Catalog catalog, PartitionPlan configured) {
        PartitionPlan changed = catalog.plan();
        return changed == null ? configured : changed;
    }

    /**
     * Whether the statement has the same plan by both: at most the partitions of keys differ, and temporary tables that
     * it does not see.
     */
    public boolean plansLike(Program other, String sql) {
        String temporary = TemporaryMark.of(sql);
        return objects == other.objects
                && (temporary.isEmpty() || catalog.seenBy(temporary).hasSameObjects(other.catalog.seenBy(temporary)));
    }

    /** The plan that counts until a catalog has one. */
    public PartitionPlan configured() {
        return configured;
    }

    /** The plan that counts in another version of the catalog. */
    public PartitionPlan planOf(Catalog other) {
        return planOf(other, configured);
    }

    /** The plan by which requests and rows of this version find their partitions. */
    public PartitionPlan plan() {
        return plan;
    }

    public ProcedureRegistry registry() {
        return registry;
    }

    public ProcedureJars jars() {
        return jars;
    }

    /**
     * The version of the catalog since which the same SQL with the same parameters goes to the same place, where it
     * writes.
     */
    public long statementsRoutedSince() {
        return statementsRoutedSince;
    }

    /** Names of procedures, present and past, by the place of their figures. */
    public List<String> names() {
        return names;
    }

    /** The procedure, or null; case does not matter. */
    public @Nullable CallTarget find(String name) {
        CallTarget target = targets.get(name);
        return target != null ? target : targets.get(name.toUpperCase(Locale.ROOT));
    }

    /**
     * The same of a procedure that there is.
     *
     * @throws FulmarException {@link ErrorCode#UNKNOWN_PROCEDURE} if there is none
     */
    public CallTarget target(String name) {
        CallTarget target = find(name);
        if (target == null) {
            throw unknown(name);
        }
        return target;
    }

    /** The refusal of a call of what is no procedure. */
    public static FulmarException unknown(String procedure) {
        return new FulmarException(
                ErrorCode.UNKNOWN_PROCEDURE, "there is no procedure " + procedure + "; CREATE PROCEDURE makes one");
    }

    /** Why calls of the procedure are logged by value; empty if they are logged as commands, or change nothing. */
    public List<String> valueReasons(String procedure) {
        CallTarget target = find(procedure);
        if (target == null || target.procedure().isReadOnly()) {
            return List.of();
        }
        return target.procedure().scope() == LoadedProcedure.Scope.MULTI_PARTITION
                ? List.of("it is not partitioned")
                : target.procedure().determinism().reasons();
    }
}
