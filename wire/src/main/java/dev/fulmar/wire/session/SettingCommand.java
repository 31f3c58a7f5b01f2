package dev.fulmar.wire.session;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A statement about a setting of the client's connection: SET, SHOW or RESET. */
public sealed interface SettingCommand {
    /** The name of the setting of {@link Placement}. */
    String PLACEMENT = "DEFAULT_PLACEMENT";

    /** The place of the rows of a new table whose CREATE TABLE does not say it. */
    enum RowPlace {
        /** On partitions, by the table's key or by row ids. */
        PARTITIONED,
        /** On all partitions. */
        REPLICATED
    }

    /** {@code SET default_placement = value}, or RESET; empty for what the node is set to. */
    record SetRowPlace(Optional<RowPlace> placement) implements SettingCommand {}

    /** {@code SHOW default_placement}. */
    record ShowRowPlace() implements SettingCommand {}

    /**
     * The meaning of a text; null for one that is no such statement. Quick.
     *
     * @throws FulmarException {@link ErrorCode#SYNTAX} for a value that the setting has not
     */
    static @Nullable SettingCommand of(String sql) {
        int start = 0;
        while (start < sql.length() && Character.isWhitespace(sql.charAt(start))) {
            start++;
        }
        boolean mayBeOne = sql.regionMatches(true, start, "SET", 0, 3)
                || sql.regionMatches(true, start, "SHOW", 0, 4)
                || sql.regionMatches(true, start, "RESET", 0, 5);
        return mayBeOne ? of(CommandWords.of(sql)) : null;
    }

    private static @Nullable SettingCommand of(List<String> words) {
        if (words.size() < 2) {
            return null;
        }
        boolean isOfSession = words.get(1).equals("SESSION") && words.size() > 2;
        int name = isOfSession ? 2 : 1;
        if (!words.get(name).toUpperCase(Locale.ROOT).equals(PLACEMENT)) {
            return null;
        }
        List<String> rest = words.subList(name + 1, words.size());
        return switch (words.getFirst()) {
            case "SET" -> set(rest);
            case "SHOW" -> isOfSession || !rest.isEmpty() ? null : new ShowRowPlace();
            case "RESET" -> isOfSession || !rest.isEmpty() ? null : new SetRowPlace(Optional.empty());
            default -> null;
        };
    }

    private static SettingCommand set(List<String> rest) {
        boolean isAssigned = rest.size() == 2
                && (rest.getFirst().equals("=") || rest.getFirst().equals("TO"));
        String value = isAssigned ? rest.getLast().toUpperCase(Locale.ROOT) : "";
        return switch (value) {
            case "PARTITIONED" -> new SetRowPlace(Optional.of(RowPlace.PARTITIONED));
            case "REPLICATED" -> new SetRowPlace(Optional.of(RowPlace.REPLICATED));
            case "DEFAULT" -> new SetRowPlace(Optional.empty());
            default ->
                throw new FulmarException(
                        ErrorCode.SYNTAX,
                        "1:1: not understood; SET default_placement = PARTITIONED, REPLICATED or DEFAULT, without quotes");
        };
    }
}
