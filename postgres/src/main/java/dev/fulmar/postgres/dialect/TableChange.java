package dev.fulmar.postgres.dialect;

import org.jspecify.annotations.Nullable;

/** A change of one table by a statement, as far as it concerns which temporary tables a session has. */
public sealed interface TableChange {
    /**
     * A temporary table, or a sequence, is made.
     *
     * @param name as the catalog has it, without the schema
     * @param isLenient whether one that is there already stays as it is
     */
    record Made(String name, boolean isLenient, AtCommit atCommit, boolean isSequence) implements TableChange {}

    /** A table that may be a temporary one gets an index, or other columns or constraints. */
    record Altered(String name) implements TableChange {}

    /** A table is dropped that may be a temporary one. */
    record Dropped(String name) implements TableChange {}

    /** A table is renamed that may be a temporary one. */
    record Renamed(String name, String newName) implements TableChange {}

    /** The change of the statement; null for any other statement. */
    static @Nullable TableChange of(Translation statement) {
        return switch (statement.firstWord()) {
            case "CREATE" -> made(words(statement));
            case "DROP" -> dropped(words(statement));
            case "ALTER" -> renamed(words(statement));
            default -> null;
        };
    }

    private static Words words(Translation statement) {
        return new Words(Lexer.lexemes(statement.source()));
    }

    private static @Nullable TableChange made(Words words) {
        int kind = TemporaryWords.isScope(words.at(1).word()) ? 2 : 1;
        boolean isTemporary = TemporaryWords.isTemporary(words.at(kind).word());
        int object = isTemporary ? kind + 1 : kind;
        if (!words.areAt(object, "TABLE") && !words.areAt(object, "SEQUENCE")) {
            return indexed(words);
        }
        boolean isLenient = words.areAt(object + 1, "IF", "NOT", "EXISTS");
        int name = isLenient ? object + 4 : object + 1;
        boolean isInSchema = words.areAt(name, TemporaryWords.SCHEMA, ".");
        if (!isTemporary && !isInSchema) {
            return null;
        }
        int clause = AtCommit.place(words, name);
        AtCommit said = clause == words.count() ? null : AtCommit.at(words, clause);
        return new Made(
                nameAt(words, isInSchema ? name + 2 : name),
                isLenient,
                said == null ? AtCommit.PRESERVE_ROWS : said,
                words.areAt(object, "SEQUENCE"));
    }

    private static @Nullable TableChange indexed(Words words) {
        int kind = words.areAt(1, "UNIQUE") ? 2 : 1;
        int table = words.outside(kind + 1, "ON") + 1;
        return words.areAt(kind, "INDEX") && table < words.count()
                ? new Altered(nameAt(words, local(words, table)))
                : null;
    }

    private static @Nullable TableChange dropped(Words words) {
        if (!words.areAt(1, "TABLE")) {
            return null;
        }
        return new Dropped(nameAt(words, local(words, words.areAt(2, "IF", "EXISTS") ? 4 : 2)));
    }

    private static @Nullable TableChange renamed(Words words) {
        if (!words.areAt(1, "TABLE")) {
            return null;
        }
        int first = words.areAt(2, "IF", "EXISTS") ? 4 : 2;
        boolean isOnly = words.areAt(first, "ONLY") && words.at(first + 1).isName();
        int name = local(words, isOnly ? first + 1 : first);
        return words.areAt(name + 1, "RENAME", "TO")
                ? new Renamed(nameAt(words, name), nameAt(words, name + 3))
                : new Altered(nameAt(words, name));
    }

    /** The place of the name behind pg_temp; another schema's table has the place of the dot, which is no name. */
    private static int local(Words words, int place) {
        if (!words.areAt(place + 1, ".")) {
            return place;
        }
        return words.areAt(place, TemporaryWords.SCHEMA) ? place + 2 : place + 1;
    }

    private static String nameAt(Words words, int place) {
        return NameFolding.mirrored(words.at(place).name());
    }
}
