package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import java.util.Set;

/**
 * Words of PostgreSQL that say how a table or an index is stored on disk: {@code WITH (fillfactor = 70)}, {@code
 * TABLESPACE fast}, {@code UNLOGGED}. Rows are in memory here, and all of them are logged, so the words mean nothing.
 */
final class StorageWords {
    private static final Set<String> PARAMETERS = Set.of(
            "fillfactor",
            "parallel_workers",
            "toast_tuple_target",
            "vacuum_index_cleanup",
            "vacuum_truncate",
            "log_autovacuum_min_duration",
            "user_catalog_table",
            "deduplicate_items",
            "oids");

    private final String source;
    private final Words words;

    private StorageWords(String source, Words words) {
        this.source = source;
        this.words = words;
    }

    static void replace(String source, Words words) {
        StorageWords storage = new StorageWords(source, words);
        if (words.areAt(0, "CREATE")) {
            storage.create();
        } else if (words.areAt(0, "ALTER", "TABLE")) {
            storage.alter();
        }
    }

    /** The words stay, for a change of a table that has no others: the engine takes them. */
    private void alter() {
        for (int i = 2; i < words.count(); i++) {
            boolean isOfTable = words.at(i - 1).isName() || words.at(i - 1).isSymbol(",");
            boolean isOfColumn =
                    words.at(i - 2).isWord("ALTER") || words.at(i - 2).isWord("COLUMN");
            if (isOfTable && !isOfColumn && (words.areAt(i, "SET", "(") || words.areAt(i, "RESET", "("))) {
                check(i + 2, words.closing(i + 1));
            }
        }
    }

    private void create() {
        if (words.areAt(1, "UNLOGGED", "TABLE") || words.areAt(1, "UNLOGGED", "SEQUENCE")) {
            words.replace(1, 2, "");
        }
        if (words.areAt(1, "OR", "REPLACE", "VIEW")) { // which keeps its columns
            words.replace(2, 3, "EXTEND");
        }
        boolean isTable = words.areAt(1, "TABLE");
        if (isTable || words.areAt(1, "INDEX") || words.areAt(1, "UNIQUE", "INDEX")) {
            options(isTable);
        }
    }

    /** Those behind the columns, and before the query of a table. */
    private void options(boolean isTable) {
        for (int i = 0; i < words.count(); i++) {
            if (words.at(i).isSymbol("(")) {
                i = words.closing(i);
            } else if (isTable && words.at(i).isWord("AS")) {
                return;
            } else if (words.areAt(i, "WITH", "(")) {
                int end = words.closing(i + 1);
                check(i + 2, end);
                words.replace(i, end + 1, "");
                i--;
            } else if (isTable && words.areAt(i, "WITHOUT", "OIDS")) {
                words.replace(i, i + 2, "");
                i--;
            } else if (words.at(i).isWord("TABLESPACE") && words.at(i + 1).isName()) {
                words.replace(i, i + 2, "");
                i--;
            }
        }
    }

    /** An unknown parameter may be one that is to matter. */
    private void check(int from, int to) {
        for (int i = from; i < to; i++) {
            boolean isFirst = i == from || words.at(i - 1).isSymbol(",");
            if (!isFirst) {
                continue;
            }
            int name = words.areAt(i, "TOAST", ".") ? i + 2 : i;
            String text = words.at(name).name();
            if (!PARAMETERS.contains(text) && !text.startsWith("autovacuum_")) {
                throw Place.error(
                        ErrorCode.NOT_SUPPORTED,
                        source,
                        words.at(i).start(),
                        "unrecognized parameter \"" + text + "\"; leave it out");
            }
        }
    }
}
