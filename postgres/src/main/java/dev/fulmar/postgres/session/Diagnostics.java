package dev.fulmar.postgres.session;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.postgres.copy.CopyPlace;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.wire.postgres.message.Diagnostic;
import dev.fulmar.wire.postgres.message.Severity;
import dev.fulmar.wire.postgres.message.SqlState;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Errors of the database as clients of PostgreSQL know them. */
final class Diagnostics {
    /** For kinds of objects of which there is none, where it is not that of a table. */
    private static final Map<String, String> UNKNOWN = Map.ofEntries(
            Map.entry("column", "42703"),
            Map.entry("function", "42883"),
            Map.entry("procedure", "42883"),
            Map.entry("schema", "3F000"),
            Map.entry("type", "42704"),
            Map.entry("parameter", "42704"),
            Map.entry("constraint", "42704"),
            Map.entry("user", "42704"),
            Map.entry("role", "42704"),
            Map.entry("window", "42704"),
            Map.entry("index", "42704"));

    /** For kinds of objects that are there already. */
    private static final Map<String, String> EXISTING = Map.of(
            "column", "42701",
            "function", "42723",
            "procedure", "42723",
            "schema", "42P06",
            "type", "42710",
            "label", "42710",
            "constraint", "42710",
            "user", "42710",
            "role", "42710");

    private Diagnostics() {}

    static Diagnostic of(Severity severity, ErrorCode code, Translation.Message message) {
        int context = message.text().indexOf(CopyPlace.CONTEXT);
        String text = context < 0 ? message.text() : message.text().substring(0, context);
        int end = Sentence.of(text).end();
        Diagnostic diagnostic = Diagnostic.of(severity, sqlState(code, text), text.substring(0, end));
        // By its routine a driver knows that it has to prepare the statement again.
        String routine = code == ErrorCode.PLAN_CHANGED ? "RevalidateCachedQuery" : null;
        ErrorObject object = ErrorObject.of(code, text);
        return diagnostic
                .about(object.schema(), object.table(), object.column(), object.constraint())
                .at(message.position())
                .withHint(hint(text, end))
                .withWhere(context < 0 ? null : message.text().substring(context + CopyPlace.CONTEXT.length()))
                .in(routine);
    }

    /** The SQLSTATE; PostgreSQL tells by it which kind of object there is not, or is already. */
    static String sqlState(ErrorCode code, String message) {
        return switch (code) {
            case UNKNOWN_OBJECT -> UNKNOWN.getOrDefault(Sentence.of(message).kind(), SqlState.of(code));
            case OBJECT_EXISTS -> EXISTING.getOrDefault(Sentence.of(message).kind(), SqlState.of(code));
            default -> SqlState.of(code);
        };
    }

    private static @Nullable String hint(String message, int end) {
        String hint = message.substring(Math.min(end + 2, message.length()));
        return hint.isEmpty() ? null : hint.substring(0, 1).toUpperCase(Locale.ROOT) + hint.substring(1) + ".";
    }

    /**
     * The part of a message that tells what is wrong. Behind a semicolon the message tells what to do.
     *
     * @param end of the sentence in the message
     * @param plain the sentence without its quotations, which are names and values of the client
     */
    private record Sentence(int end, String plain) {
        private static final String KIND = "(column|function|procedure|schema|type|label|parameter|constraint|user|role"
                + "|window|table|view|sequence|index|relation)s?(?![\\w$])";

        /** {@code table T has no column C}: the kind of what is missing, and not of where. */
        private static final Pattern MISSING = Pattern.compile("(?<![\\w$])(?:no|two) " + KIND);

        private static final Pattern FIRST = Pattern.compile("(?<![\\w$])" + KIND);

        static Sentence of(String message) {
            StringBuilder plain = new StringBuilder();
            boolean[] neverCloses = new boolean[2]; // a single quote, a double one
            int place = 0;
            while (place < message.length() && !message.startsWith("; ", place)) {
                char character = message.charAt(place);
                int quote = "'\"".indexOf(character);
                boolean mayOpen = quote >= 0 && !neverCloses[quote] && !isLetter(message, place - 1);
                int close = mayOpen ? closing(message, place) : -1;
                if (close > 0) {
                    plain.append('?');
                    place = close + 1;
                } else {
                    neverCloses[Math.max(quote, 0)] |= mayOpen;
                    plain.append(character);
                    place++;
                }
            }
            return new Sentence(place, plain.toString());
        }

        /** The place of the quote that closes the one at the place; negative for none. Another one is an apostrophe. */
        private static int closing(String message, int open) {
            char quote = message.charAt(open);
            int place = message.indexOf(quote, open + 1);
            while (place >= 0) {
                boolean isDoubled = place + 1 < message.length() && message.charAt(place + 1) == quote;
                if (!isDoubled && !isLetter(message, place + 1)) {
                    return place;
                }
                place = message.indexOf(quote, isDoubled ? place + 2 : place + 1);
            }
            return -1;
        }

        private static boolean isLetter(String message, int place) {
            return place >= 0 && place < message.length() && Character.isLetterOrDigit(message.charAt(place));
        }

        /** The kind of object that the sentence is about; empty for none. Names are in capitals, or quoted. */
        String kind() {
            Matcher missing = MISSING.matcher(plain);
            if (missing.find()) {
                return missing.group(1);
            }
            if (plain.contains("does not take")) {
                return "function";
            }
            if (plain.endsWith("which is none of its columns")) {
                return "column";
            }
            Matcher first = FIRST.matcher(
                    plain.isEmpty() ? plain : plain.substring(0, 1).toLowerCase(Locale.ROOT) + plain.substring(1));
            return first.find() ? first.group(1) : "";
        }
    }
}
