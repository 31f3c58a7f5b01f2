package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.KeyName;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.sql.text.Token;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The constraints that a statement names or makes, as its parser meets them, and the statement in which all of their
 * names stand. A name of PostgreSQL's clients is in the schema of its table, so that tables of two schemas may have the
 * same. One statement, one thread.
 */
public final class ConstraintNames {
    /** A word behind PRIMARY KEY by which the name before it counts. Texts of earlier builds lack it. */
    static final String NAMED = "NAMED";

    private final boolean areSought;
    private final boolean isPostgres;
    private final List<Written> all = new ArrayList<>();
    private final List<Edit> edits = new ArrayList<>();

    /** The kinds of constraints, in the order in which PostgreSQL gives them names. */
    private enum Kind {
        CHECK,
        PRIMARY_KEY,
        UNIQUE,
        FOREIGN_KEY
    }

    /**
     * A constraint of the statement.
     *
     * @param name that it has there
     * @param start offset of its first word behind the name
     * @param end offset behind the words PRIMARY KEY, where NAMED belongs; negative if that is there
     * @param columns of its key
     */
    private record Written(Kind kind, Optional<Token> name, int start, int end, List<String> columns) {}

    /** Words that come into the text. */
    private record Edit(int start, int end, String words) {}

    private ConstraintNames(boolean areSought, boolean isPostgres) {
        this.areSought = areSought;
        this.isPostgres = isPostgres;
    }

    /** Names of a statement that is taken as it is. */
    static ConstraintNames unsought() {
        return new ConstraintNames(false, false);
    }

    /** @param isPostgres whether constraints without a name get the names that PostgreSQL gives them */
    public static ConstraintNames sought(boolean isPostgres) {
        return new ConstraintNames(true, isPostgres);
    }

    void check(Optional<Token> name, Token first) {
        all.add(new Written(Kind.CHECK, name, first.start(), first.start(), List.of()));
    }

    /** @param last the word KEY */
    void primaryKey(Optional<Token> name, Token first, Token last, KeyName said, List<String> columns) {
        int end = said instanceof KeyName.Given ? -1 : last.end();
        all.add(new Written(Kind.PRIMARY_KEY, name, first.start(), end, columns));
    }

    void unique(Optional<Token> name, Token first, List<String> columns) {
        all.add(new Written(Kind.UNIQUE, name, first.start(), first.start(), columns));
    }

    void foreignKey(Optional<Token> name, Token first, List<String> columns) {
        all.add(new Written(Kind.FOREIGN_KEY, name, first.start(), first.start(), columns));
    }

    /**
     * The statement makes an index, or gives it another name.
     *
     * @param name as it would be
     * @param other the table of the index, or the index as it is called
     */
    void index(Token written, String name, String other) {
        if (isPostgres && written.name().equals(name) && !SchemaName.isInTemporary(other)) {
            edits.add(new Edit(written.start(), written.end(), quoted(inSchema(other, name))));
        }
    }

    /** The statement names a constraint that is there. */
    void existing(Token written, Table table) {
        table.constraintName(written.name())
                .filter(name -> !name.equals(written.name()))
                .ifPresent(name -> edits.add(new Edit(written.start(), written.end(), quoted(name))));
    }

    /**
     * All constraints of the statement are known.
     *
     * @param before the table as it is; empty for a new one
     * @param columns of the table as it will be
     * @param checks those of the statement, in their order
     */
    void end(
            String table,
            Optional<Table> before,
            List<Column> columns,
            List<Check> checks,
            DdlExpressions expressions) {
        if (!areSought) {
            return;
        }
        TakenNames taken = isPostgres ? expressions.takenNames() : new TakenNames(Set.of(), Set.of());
        List<Written> ofKinds = new ArrayList<>(all);
        ofKinds.sort(Comparator.comparing(Written::kind));
        int check = 0;
        for (Written each : ofKinds) {
            List<String> named = each.kind() == Kind.CHECK ? read(columns, checks.get(check++)) : each.columns();
            Optional<String> name = each.name()
                    .map(given -> Optional.of(given(each.kind(), table, given.name())))
                    .orElseGet(
                            () -> isPostgres ? Optional.of(made(each, named, table, before, taken)) : Optional.empty());
            name.ifPresent(counting -> {
                taken.constraints().add(inSchema(table, counting));
                if (each.kind() == Kind.PRIMARY_KEY || each.kind() == Kind.UNIQUE) {
                    taken.relations().add(inSchema(table, counting));
                }
                write(each, counting, table);
            });
        }
    }

    /** The only column that the condition reads, if there is such a one. */
    private static List<String> read(List<Column> columns, Check check) {
        List<String> read = IntStream.range(0, columns.size())
                .filter(check::reads)
                .mapToObj(place -> columns.get(place).name())
                .toList();
        return read.size() == 1 ? read : List.of();
    }

    /** The name that counts where the statement has one. */
    private String given(Kind kind, String table, String name) {
        boolean isOfIndex = kind == Kind.PRIMARY_KEY || (isPostgres && kind != Kind.CHECK);
        return isOfIndex && !isUsual(kind, table, name) ? inSchema(table, name) : name;
    }

    private static boolean isUsual(Kind kind, String table, String name) {
        return kind == Kind.PRIMARY_KEY && name.equals(KeyName.usual(table));
    }

    private static String inSchema(String table, String name) {
        return SchemaName.of(name).equals(SchemaName.PUBLIC) ? SchemaName.qualified(SchemaName.of(table), name) : name;
    }

    /** A name as PostgreSQL gives it. A statement that is sent again goes on with what an earlier one has left. */
    private static String made(
            Written written, List<String> columns, String table, Optional<Table> before, TakenNames taken) {
        String schema = SchemaName.of(table);
        String local = SchemaName.local(table);
        Predicate<String> isConstraint = name -> taken.constraints().contains(SchemaName.qualified(schema, name));
        Predicate<String> isAny =
                isConstraint.or(name -> taken.relations().contains(SchemaName.qualified(schema, name)));
        Optional<String> left = before.flatMap(there -> left(written, there));
        if (left.isPresent()) {
            return left.get();
        }
        String name = switch (written.kind()) {
            case CHECK -> PostgresName.free(local, columns, "check", isConstraint);
            case PRIMARY_KEY -> PostgresName.free(local, List.of(), "pkey", isAny);
            case UNIQUE -> PostgresName.free(local, columns, "key", isAny);
            case FOREIGN_KEY -> PostgresName.free(local, columns, "fkey", isConstraint);
        };
        return written.kind() == Kind.CHECK ? name : SchemaName.qualified(schema, name);
    }

    private static Optional<String> left(Written written, Table table) {
        return switch (written.kind()) {
            case CHECK -> Optional.empty();
            case PRIMARY_KEY -> table.primaryIndex().map(Index::name);
            case UNIQUE ->
                table.indexes().stream()
                        .filter(index -> index.isConstraint() && !index.isValidated())
                        .filter(index -> index.columns().stream()
                                .map(column -> column.text(table))
                                .toList()
                                .equals(written.columns()))
                        .map(Index::name)
                        .findFirst();
            case FOREIGN_KEY ->
                table.foreignKeys().stream()
                        .filter(key -> !key.isValidated() && key.columns().equals(written.columns()))
                        .map(ForeignKey::name)
                        .findFirst();
        };
    }

    private void write(Written written, String name, String table) {
        Optional<Token> given = written.name();
        if (given.isEmpty()) {
            edits.add(new Edit(written.start(), written.start(), "CONSTRAINT " + quoted(name) + " "));
        } else if (!given.get().name().equals(name)) {
            edits.add(new Edit(given.get().start(), given.get().end(), quoted(name)));
        }
        boolean counts = given.isEmpty() || !isUsual(written.kind(), table, name);
        if (written.kind() == Kind.PRIMARY_KEY && counts && written.end() >= 0) {
            edits.add(new Edit(written.end(), written.end(), " " + NAMED));
        }
    }

    /** The statement with the names. */
    public String in(String sql) {
        StringBuilder text = new StringBuilder(sql);
        List<Edit> last = new ArrayList<>(edits);
        last.sort(Comparator.comparingInt(Edit::start).reversed());
        TreeSet<Integer> places = new TreeSet<>();
        for (Edit edit : last) {
            Invariants.check(places.add(edit.start()), "a word of a statement has one name before it");
            text.replace(edit.start(), edit.end(), edit.words());
        }
        return text.toString();
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
