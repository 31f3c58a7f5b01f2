package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.GlobalKeys;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Says where foreign keys are enforced. Rows that refer to each other are <em>together</em> if they are on one
 * partition whatever the plan is, or if the parent is replicated. A partition then checks them itself, and applies
 * their actions. Foreign keys between rows on different partitions are enforced by further steps of the statements that
 * write (see {@link dev.fulmar.engine.plan.Upkeep}). So is an action that would delete or change rows which have such
 * keys.
 */
public final class ReferencePlaces {
    private ReferencePlaces() {}

    /** A foreign key of a table. */
    public record Referring(Table table, ForeignKey key) {}

    /** Whether the rows that refer by the key are on the partition of those that they refer to. */
    public static boolean isTogether(Table table, ForeignKey key, Catalog catalog) {
        Table parent = catalog.table(key.parent());
        int place = key.columns().indexOf(partitioning(table));
        return parent.isReplicated()
                || (place >= 0 && key.parentColumns().get(place).equals(partitioning(parent)));
    }

    /** The table's foreign keys that a partition checks by itself. */
    static List<ForeignKey> together(Table table, Catalog catalog) {
        return table.foreignKeys().stream()
                .filter(key -> isTogether(table, key, catalog))
                .toList();
    }

    /** The foreign keys of all tables to the table. */
    public static List<Referring> referring(Table parent, Catalog catalog) {
        List<Referring> all = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            for (ForeignKey key : table.foreignKeys()) {
                if (key.parent().equals(parent.name())) {
                    all.add(new Referring(table, key));
                }
            }
        }
        return all;
    }

    /** The foreign keys to the table that a partition does not follow by itself. */
    public static List<Referring> overPartitions(Table parent, Catalog catalog) {
        return referring(parent, catalog).stream()
                .filter(each -> !isFollowedInPlace(each, catalog))
                .toList();
    }

    /**
     * Whether a partition does by itself what follows for the rows that refer by the key. That is so if they are
     * together, and the key's action on them concerns no key over partitions.
     */
    public static boolean isFollowedInPlace(Referring referring, Catalog catalog) {
        return isFollowedInPlace(referring, catalog, new TreeSet<>());
    }

    private static boolean isFollowedInPlace(Referring referring, Catalog catalog, Set<String> met) {
        Table table = referring.table();
        ForeignKey key = referring.key();
        if (!isTogether(table, key, catalog)) {
            return false;
        }
        if (setsOtherKey(key, table, catalog)) {
            return false;
        }
        return key.onDelete() != ForeignKey.Action.CASCADE
                || !met.add(table.name())
                || referring(table, catalog).stream().allMatch(each -> isFollowedInPlace(each, catalog, met));
    }

    /** Whether an action of the key gives its columns values that a key over partitions must be looked at for. */
    private static boolean setsOtherKey(ForeignKey key, Table table, Catalog catalog) {
        boolean setsValues = key.setsDefaults() || key.onUpdate() == ForeignKey.Action.CASCADE;
        boolean breaksGlobal = key.setsDefaults()
                && GlobalKeys.of(table).stream()
                        .anyMatch(index -> Arrays.stream(key.places(table)).anyMatch(index::dependsOn));
        return breaksGlobal
                || (setsValues
                        && table.foreignKeys().stream()
                                .filter(other -> !other.equals(key) && !isTogether(table, other, catalog))
                                .anyMatch(other -> other.columns().stream().anyMatch(key.columns()::contains)));
    }

    /**
     * Refuses the table's foreign keys that no statement could enforce. Their actions would move rows, or rows that
     * expire by themselves would break them.
     */
    public static void check(Table table, Catalog catalog) {
        for (ForeignKey key : table.foreignKeys()) {
            refusal(new Referring(table, key), catalog).ifPresent(message -> {
                throw new FulmarException(ErrorCode.NOT_SUPPORTED, message);
            });
        }
    }

    /**
     * The keys that no statement could enforce after a change of the catalog, and that were not refused before. No row
     * may refer by them.
     */
    public static List<Referring> newlyRefused(Catalog before, Catalog after) {
        List<Referring> refused = new ArrayList<>();
        for (Table table : after.tables().values()) {
            Table known = before.tables().get(table.name());
            for (ForeignKey key : table.foreignKeys()) {
                Referring referring = new Referring(table, key);
                boolean wasRefused = known != null
                        && known.foreignKeys().contains(key)
                        && refusal(new Referring(known, key), before).isPresent();
                if (!wasRefused && refusal(referring, after).isPresent()) {
                    refused.add(referring);
                }
            }
        }
        return refused;
    }

    /**
     * The reason why no statement could enforce the key; empty if that is possible. No row refers by a key that is
     * refused, for writes of its table are.
     */
    public static Optional<String> refusal(Referring referring, Catalog catalog) {
        Table table = referring.table();
        ForeignKey key = referring.key();
        Table parent = catalog.table(key.parent());
        String partitioning = partitioning(table);
        boolean changes = key.onDelete().setsColumns()
                || (key.onUpdate() != ForeignKey.Action.NO_ACTION && parent.isReplicated());
        if (changes && key.columns().contains(partitioning)) {
            return Optional.of("the foreign key " + key.name() + " would change " + partitioning
                    + ", the partitioning column of " + table.name()
                    + ", by itself, and rows would have to move; use ON DELETE CASCADE or NO ACTION, or PARTITION ON"
                    + " another column");
        }
        return isFollowedInPlace(referring, catalog)
                ? Optional.empty()
                : refusalOverPartitions(referring, parent, catalog);
    }

    private static Optional<String> refusalOverPartitions(Referring referring, Table parent, Catalog catalog) {
        ForeignKey key = referring.key();
        String name =
                "the foreign key " + key.name() + " of " + referring.table().name();
        if (key.onUpdate() != ForeignKey.Action.NO_ACTION) {
            return Optional.of(
                    name + " reaches over partitions, and changes nothing by itself ON UPDATE; use NO ACTION,"
                            + " PARTITION ON COLUMN with the one that refers to " + parent.name() + ", or declare "
                            + parent.name() + " REPLICATED");
        }
        boolean isSet = parent.foreignKeys().stream()
                .filter(above -> above.onDelete().setsColumns() || above.onUpdate() != ForeignKey.Action.NO_ACTION)
                .anyMatch(above -> above.columns().stream().anyMatch(key.parentColumns()::contains));
        if (isSet) {
            return Optional.of(name + " reaches over partitions to columns of " + parent.name()
                    + " that another foreign key changes by itself; changes are not passed on");
        }
        for (Table table : catalog.tables().values()) {
            if (table.expiry().isPresent() && leadsBack(table, parent, catalog)) {
                return Optional.of(name + " reaches over partitions, and rows of " + table.name()
                        + " expire by themselves; drop the one or the other");
            }
        }
        return Optional.empty();
    }

    /** Whether ON DELETE CASCADE of the key may delete rows of its table that refer to others that it deletes. */
    public static boolean leadsBack(Referring referring, Catalog catalog) {
        return referring.key().onDelete() == ForeignKey.Action.CASCADE
                && leadsBack(referring.table(), catalog.table(referring.key().parent()), catalog);
    }

    /** Whether the deletion of rows of one table may, by ON DELETE CASCADE, delete rows of the other, or of itself. */
    private static boolean leadsBack(Table from, Table to, Catalog catalog) {
        Set<String> met = new TreeSet<>();
        List<Table> deleted = new ArrayList<>(List.of(from));
        for (int i = 0; i < deleted.size(); i++) {
            Table each = deleted.get(i);
            if (each.name().equals(to.name())) {
                return true;
            }
            if (met.add(each.name())) {
                referring(each, catalog).stream()
                        .filter(referring -> referring.key().onDelete() == ForeignKey.Action.CASCADE)
                        .forEach(referring -> deleted.add(referring.table()));
            }
        }
        return false;
    }

    /**
     * Refuses an upsert where rows refer to another key than the primary one. An upsert keeps the primary key. It may
     * change others, and rows that refer to them would not be changed.
     */
    static void checkUpsert(Table table, Catalog catalog) {
        for (Referring each : referring(table, catalog)) {
            boolean isPrimary = each.key().parentColumns().stream()
                    .allMatch(column -> table.primaryKey().contains(table.columnIndex(column)));
            if (!isPrimary) {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "UPSERT INTO " + table.name() + " might change "
                                + each.key().parentColumns() + ", to which "
                                + each.key().name()
                                + " refers; use UPDATE and INSERT");
            }
        }
    }

    /** Name of the partitioning column; empty of a replicated table, and of one that is spread by row ids. */
    private static String partitioning(Table table) {
        return table.isReplicated() || table.hasRowId()
                ? ""
                : table.columns().get(table.partitioningColumn().getAsInt()).name();
    }
}
