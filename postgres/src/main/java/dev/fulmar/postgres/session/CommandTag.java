package dev.fulmar.postgres.session;

import java.util.List;
import java.util.Set;

/** Tags by which CommandComplete says which command is complete (PostgreSQL manual §55.7). */
final class CommandTag {
    private static final Set<String> OPTIONS = Set.of(
            "OR", "REPLACE", "UNIQUE", "TEMPORARY", "TEMP", "GLOBAL", "LOCAL", "UNLOGGED", "RECURSIVE", "ASSUMEUNIQUE");

    private CommandTag() {}

    /** The tag of a statement that has yielded rows, or changed so many. */
    static String ofRows(List<String> words, long rows) {
        String first = words.isEmpty() ? "SELECT" : words.getFirst();
        return switch (first) {
            case "INSERT", "UPSERT" -> "INSERT 0 " + rows;
            case "UPDATE", "DELETE", "MERGE", "FETCH", "MOVE" -> first + " " + rows;
            case "TRUNCATE" -> "TRUNCATE TABLE";
            case "EXPLAIN", "SHOW" -> first;
            case "CALL" -> "CALL";
            default -> "SELECT " + rows;
        };
    }

    /** The tag of a statement that yields nothing. */
    static String of(List<String> words) {
        String first = words.isEmpty() ? "" : words.getFirst();
        return switch (first) {
            case "CREATE", "ALTER", "DROP" -> first + object(words);
            case "START", "BEGIN" -> first.equals("START") ? "START TRANSACTION" : "BEGIN";
            case "COMMIT", "END" -> "COMMIT";
            case "ROLLBACK", "ABORT" -> "ROLLBACK";
            case "TRUNCATE" -> "TRUNCATE TABLE";
            case "DECLARE" -> "DECLARE CURSOR";
            case "CLOSE" -> second(words).equals("ALL") ? "CLOSE CURSOR ALL" : "CLOSE CURSOR";
            case "DISCARD" -> "DISCARD " + (second(words).equals("TEMPORARY") ? "TEMP" : second(words));
            case "REFRESH" -> "REFRESH MATERIALIZED VIEW";
            default -> first;
        };
    }

    private static String second(List<String> words) {
        return words.size() > 1 ? words.get(1) : "";
    }

    private static String object(List<String> words) {
        for (String word : words.subList(1, words.size())) {
            if (word.equals("MATERIALIZED")) {
                return " MATERIALIZED VIEW";
            }
            if (word.equals("USER") || word.equals("GROUP")) {
                return " ROLE";
            }
            if (!OPTIONS.contains(word)) {
                return " " + word;
            }
        }
        return "";
    }
}
