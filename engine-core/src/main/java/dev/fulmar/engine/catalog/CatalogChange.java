package dev.fulmar.engine.catalog;

import dev.fulmar.engine.catalog.access.AccessChange;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.engine.userfunction.UserFunction;
import java.util.List;
import java.util.Optional;

/**
 * A change of the catalog as its author asked for it: names, not ids. {@code sql} makes it from DDL, the engine applies
 * it.
 */
public sealed interface CatalogChange {
    /** The treatment of an object that exists already, or that does not exist. */
    enum Presence {
        /** An error. */
        STRICT,
        /** Nothing happens (IF EXISTS, IF NOT EXISTS). */
        LENIENT
    }

    /** The moment from which rows that exist already are known to keep a new constraint. */
    enum Validity {
        /** The constraint is refused if one of them breaks it. */
        NOW,
        /** Writes keep it from now on. VALIDATE CONSTRAINT looks at the others (NOT VALID). */
        LATER
    }

    /**
     * @param primaryKey column names; empty for none
     * @param keyName of the primary key, if there is one
     * @param primaryKeyKind kind asked for with USING; empty for both kinds
     * @param uniques further unique constraints
     * @param checks conditions on every row
     * @param foreignKeys to this or other tables; without columns of the parent they are to its primary key
     * @param identities columns that draw from a sequence of their own
     * @param expiry when rows go by themselves
     * @param partitioning of its rows
     */
    record CreateTable(
            String name,
            List<Column> columns,
            List<String> primaryKey,
            KeyName keyName,
            Optional<IndexKind> primaryKeyKind,
            List<Unique> uniques,
            List<Check> checks,
            List<ForeignKey> foreignKeys,
            List<Identity> identities,
            Optional<Expiry> expiry,
            TablePartitioning partitioning,
            Presence presence)
            implements CatalogChange {
        public CreateTable {
            columns = List.copyOf(columns);
            primaryKey = List.copyOf(primaryKey);
            uniques = List.copyOf(uniques);
            checks = List.copyOf(checks);
            foreignKeys = List.copyOf(foreignKeys);
            identities = List.copyOf(identities);
        }

        /** A table whose primary key has the usual name. */
        public CreateTable(
                String name,
                List<Column> columns,
                List<String> primaryKey,
                Optional<IndexKind> primaryKeyKind,
                List<Unique> uniques,
                List<Check> checks,
                List<ForeignKey> foreignKeys,
                List<Identity> identities,
                Optional<Expiry> expiry,
                TablePartitioning partitioning,
                Presence presence) {
            this(
                    name,
                    columns,
                    primaryKey,
                    new KeyName.Unsaid(),
                    primaryKeyKind,
                    uniques,
                    checks,
                    foreignKeys,
                    identities,
                    expiry,
                    partitioning,
                    presence);
        }

        /** A table without conditions. */
        public CreateTable(
                String name,
                List<Column> columns,
                List<String> primaryKey,
                Optional<IndexKind> primaryKeyKind,
                List<Unique> uniques,
                Presence presence) {
            this(
                    name,
                    columns,
                    primaryKey,
                    primaryKeyKind,
                    uniques,
                    List.of(),
                    List.of(),
                    List.of(),
                    Optional.empty(),
                    new TablePartitioning.Unsaid(),
                    presence);
        }
    }

    /**
     * A column that draws from a sequence of its own.
     *
     * @param always whether it takes no other values
     */
    record Identity(String column, SequenceRule rule, boolean always) {}

    /** A unique constraint; its name may be made up by the parser. */
    record Unique(String name, List<String> columns) {
        public Unique {
            columns = List.copyOf(columns);
        }
    }

    /**
     * Changes a table.
     *
     * @param presence what to do where there is no such table
     * @param basis the table when the alteration was made, which is refused if it has changed since; empty if there was
     *     none
     */
    record AlterTable(String table, Presence presence, Optional<Table> basis, TableAlteration alteration)
            implements CatalogChange {}

    /** @param cascade whether views that use the table go too */
    record DropTable(String name, Presence presence, boolean cascade) implements CatalogChange {
        /** Drops a table that no view uses. */
        public DropTable(String name, Presence presence) {
            this(name, presence, false);
        }
    }

    /**
     * Makes a view.
     *
     * @param replace whether a view of that name goes
     * @param presence what to do where something has that name
     */
    record CreateView(View view, boolean replace, Presence presence) implements CatalogChange {}

    /**
     * Makes a materialized view.
     *
     * @param bases its sources when the view was planned; it is refused if one has changed since
     */
    record CreateMaterializedView(String name, List<Table> bases, Aggregation aggregation, Presence presence)
            implements CatalogChange {
        public CreateMaterializedView {
            bases = List.copyOf(bases);
        }
    }

    /** @param cascade whether views that use the view go too */
    record DropView(String name, Presence presence, boolean cascade) implements CatalogChange {}

    record CreateSequence(String name, SequenceRule rule, Presence presence) implements CatalogChange {}

    /**
     * Has a dense sequence go on at another number.
     *
     * @param value the next number, or the last one if it counts as drawn
     * @param isDrawn whether the next number is the one behind it
     * @param yieldsValue whether the answer is the value, as that of a query
     */
    record RestartSequence(String name, long value, boolean isDrawn, boolean yieldsValue) implements CatalogChange {}

    /**
     * Gives a sequence another rule.
     *
     * @param basis the rule when the statement was planned, which is refused if it has changed since
     * @param restarts whether the next number is the first one of the new rule
     */
    record AlterSequence(String name, SequenceRule basis, SequenceRule rule, boolean restarts)
            implements CatalogChange {}

    record DropSequence(String name, Presence presence) implements CatalogChange {}

    /** Turns a replicated table, which must be empty, into a partitioned one. */
    record PartitionTable(String table, String column) implements CatalogChange {}

    record CreateSchema(String name, Presence presence) implements CatalogChange {}

    /** @param cascade whether what is in the schema goes too */
    record DropSchema(String name, Presence presence, boolean cascade) implements CatalogChange {}

    /** @param filter which rows the index has; empty for all */
    record CreateIndex(
            String name,
            String table,
            IndexKind kind,
            boolean unique,
            List<NamedColumn> columns,
            Presence presence,
            Optional<IndexFilter> filter,
            Validity validity)
            implements CatalogChange {
        public CreateIndex {
            columns = List.copyOf(columns);
        }

        /** An index of which no row may break what it says. */
        public CreateIndex(
                String name,
                String table,
                IndexKind kind,
                boolean unique,
                List<NamedColumn> columns,
                Presence presence,
                Optional<IndexFilter> filter) {
            this(name, table, kind, unique, columns, presence, filter, Validity.NOW);
        }

        /** An index of all rows. */
        public CreateIndex(
                String name,
                String table,
                IndexKind kind,
                boolean unique,
                List<NamedColumn> columns,
                Presence presence) {
            this(name, table, kind, unique, columns, presence, Optional.empty());
        }
    }

    /** @param basis the table when the condition was made, which is refused if it has changed since */
    record IndexFilter(Table basis, Check condition) {}

    /**
     * A key.
     *
     * @param column its name; empty of a computed one
     */
    record NamedColumn(String column, boolean descending, Optional<ComputedKey> computed) {
        /** A column of the table. */
        public NamedColumn(String column, boolean descending) {
            this(column, descending, Optional.empty());
        }

        /** A computed key. */
        public NamedColumn(ComputedKey computed, boolean descending) {
            this("", descending, Optional.of(computed));
        }
    }

    /** @param basis the table when the expression was made, which is refused if it has changed since */
    record ComputedKey(Table basis, KeyExpression expression) {}

    /** An index under another name. */
    record RenameIndex(String name, String newName) implements CatalogChange {}

    record DropIndex(String name, Presence presence) implements CatalogChange {}

    /** Replaces a procedure of that name when {@code replace} is set. */
    record CreateProcedure(ProcedureDefinition definition, boolean replace) implements CatalogChange {}

    /** Has the procedure's calls logged by value, or as commands where that is possible. */
    record AlterProcedure(String name, boolean byValue) implements CatalogChange {}

    record DropProcedure(String name, Presence presence) implements CatalogChange {}

    /** Replaces a function of that name when {@code replace} is set. */
    record CreateFunction(UserFunction function, boolean replace, boolean hidesBuiltIn) implements CatalogChange {}

    /** @param name in upper case */
    record DropFunction(String name, Presence presence) implements CatalogChange {}

    /** Makes a type of labels, which are in their order. */
    record CreateEnumeration(String name, List<String> labels) implements CatalogChange {
        public CreateEnumeration {
            labels = List.copyOf(labels);
        }
    }

    /**
     * Adds a label to a type.
     *
     * @param neighbour the label next to which it comes; empty for the end
     * @param presence what to do where the type has the label
     */
    record AddLabel(String name, String label, Optional<Neighbour> neighbour, Presence presence)
            implements CatalogChange {}

    /** A label, and the side of it on which another one comes. */
    record Neighbour(String label, boolean isBefore) {}

    /** Another word for a label of a type. */
    record RenameLabel(String name, String label, String newLabel) implements CatalogChange {}

    record DropEnumeration(String name, Presence presence) implements CatalogChange {}

    /** @param text empty to take the comment away */
    record Comment(Comments.Subject subject, String text) implements CatalogChange {}

    /**
     * Another partition plan.
     *
     * @param handOffs the buckets that change their partition with it. Other rows stay: a range that changes its
     *     partition otherwise must be empty
     */
    record UsePlan(PartitionPlan plan, List<HandOff> handOffs) implements CatalogChange {
        public UsePlan {
            handOffs = List.copyOf(handOffs);
        }
    }

    /** Buckets change their partitions, and the plan with them. */
    record HandOver(List<HandOff> handOffs) implements CatalogChange {
        public HandOver {
            handOffs = List.copyOf(handOffs);
        }
    }

    /**
     * A reconfiguration begins or changes its state.
     *
     * @param configured the plan that counts, if the catalog has none
     */
    record Retarget(TargetChange change, Optional<PartitionPlan> configured) implements CatalogChange {}

    /** Changes users, roles or rights. */
    record ChangeAccess(AccessChange change) implements CatalogChange {}
}
