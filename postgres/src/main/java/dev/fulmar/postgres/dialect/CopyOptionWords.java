package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the options of a COPY in both of PostgreSQL's forms, and checks that they go together. */
final class CopyOptionWords {
    private static final Set<String> ENCODINGS = Set.of("utf8", "utf-8", "unicode");

    /** PostgreSQL takes none of these as a delimiter, for they mean something behind a backslash. */
    private static final String NO_DELIMITERS = "\\.abcdefghijklmnopqrstuvwxyz0123456789";

    /** The key under which FORCE_QUOTE has all columns. */
    private static final String ALL = "*";

    private final LexemeReader words;

    /** The place of each option, by its name. */
    private final Map<String, Lexeme> places = new TreeMap<>();

    private final Map<String, String> texts = new TreeMap<>();
    private final Map<String, List<String>> lists = new TreeMap<>();
    private CopyFormat format = CopyFormat.TEXT;
    private CopyHeader header = CopyHeader.NONE;

    CopyOptionWords(LexemeReader words) {
        this.words = words;
    }

    /** The word between COPY and the table. */
    void leadingBinary(Lexeme place) {
        begin("format", place);
        format = CopyFormat.BINARY;
    }

    /** Reads what stands behind STDIN or STDOUT. */
    void read() {
        Lexeme place = words.peek();
        if (words.takes("USING")) {
            words.expect("DELIMITERS");
            put("delimiter", place, words.text());
        } else if (words.takes("DELIMITERS")) {
            put("delimiter", place, words.text());
        }
        boolean isAnnounced = words.takes("WITH");
        if (words.takesSymbol("(")) {
            do {
                option();
            } while (words.takesSymbol(","));
            words.expectSymbol(")");
            return;
        }
        boolean isAny = earlierOption();
        if (isAnnounced && !isAny && words.peek().kind() != Lexeme.Kind.END) {
            throw words.unexpected(words.peek());
        }
        while (isAny) {
            isAny = earlierOption();
        }
    }

    private void begin(String name, Lexeme place) {
        if (places.put(name, place) != null) {
            throw words.error(ErrorCode.SYNTAX, place, "conflicting or redundant options");
        }
    }

    private void put(String name, Lexeme place, String value) {
        begin(name, place);
        texts.put(name, value);
    }

    // The form with parentheses.

    private void option() {
        Lexeme place = words.peek();
        String name = words.name();
        switch (name) {
            case "format" -> {
                begin(name, place);
                format = format(value(), place);
            }
            case "delimiter", "null", "quote", "escape", "encoding" -> put(name, place, value());
            case "header" -> {
                begin(name, place);
                header = header(place);
            }
            case "freeze" -> {
                begin(name, place);
                truth(valueOrTrue(), place, name); // rows here need no freezing
            }
            case "force_quote" -> {
                begin(name, place);
                lists.put(name, words.takesSymbol(ALL) ? List.of(ALL) : words.names());
            }
            case "force_null", "force_not_null" -> {
                begin(name, place);
                lists.put(name, words.names());
            }
            default ->
                throw words.error(
                        ErrorCode.SYNTAX,
                        place,
                        "option \"" + name + "\" not recognized; COPY takes FORMAT, DELIMITER, NULL, HEADER, QUOTE,"
                                + " ESCAPE, FORCE_QUOTE, FORCE_NULL, FORCE_NOT_NULL, ENCODING and FREEZE");
        }
    }

    private String value() {
        if (words.isText()) {
            return words.text();
        }
        return words.peek().kind() == Lexeme.Kind.NUMBER ? words.next().text() : words.name();
    }

    private @Nullable String valueOrTrue() {
        boolean isOmitted = words.peek().isSymbol(",") || words.peek().isSymbol(")");
        return isOmitted ? null : value();
    }

    private boolean truth(@Nullable String value, Lexeme place, String name) {
        return switch (value == null ? "true" : value.toLowerCase(Locale.ROOT)) {
            case "true", "on", "1" -> true;
            case "false", "off", "0" -> false;
            default -> throw words.error(ErrorCode.SYNTAX, place, name + " requires a Boolean value");
        };
    }

    private CopyHeader header(Lexeme place) {
        String value = valueOrTrue();
        if ("match".equalsIgnoreCase(value)) {
            return CopyHeader.MATCH;
        }
        return truth(value, place, "header") ? CopyHeader.NAMES : CopyHeader.NONE;
    }

    private CopyFormat format(String name, Lexeme place) {
        return switch (name) {
            case "text" -> CopyFormat.TEXT;
            case "csv" -> CopyFormat.CSV;
            case "binary" -> CopyFormat.BINARY;
            default ->
                throw words.error(
                        ErrorCode.SYNTAX,
                        place,
                        "COPY format \"" + name + "\" not recognized; there are text, csv and binary");
        };
    }

    // The form without them.

    /** Reads one option; false if none follows. */
    private boolean earlierOption() {
        Lexeme place = words.peek();
        switch (place.word()) {
            case "BINARY", "CSV" -> {
                words.next();
                begin("format", place);
                format = place.isWord("CSV") ? CopyFormat.CSV : CopyFormat.BINARY;
            }
            case "DELIMITER", "NULL", "QUOTE", "ESCAPE" -> {
                words.next();
                words.takes("AS");
                put(place.word().toLowerCase(Locale.ROOT), place, words.text());
            }
            case "HEADER" -> {
                words.next();
                begin("header", place);
                header = CopyHeader.NAMES;
            }
            case "FREEZE" -> {
                words.next();
                begin("freeze", place);
            }
            case "ENCODING" -> {
                words.next();
                put("encoding", place, words.text());
            }
            case "FORCE" -> {
                words.next();
                force(place);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void force(Lexeme place) {
        String name;
        if (words.takes("QUOTE")) {
            name = "force_quote";
        } else if (words.takes("NULL")) {
            name = "force_null";
        } else {
            words.expect("NOT");
            words.expect("NULL");
            name = "force_not_null";
        }
        begin(name, place);
        if (name.equals("force_quote") && words.takesSymbol(ALL)) {
            lists.put(name, List.of(ALL));
            return;
        }
        List<String> columns = new ArrayList<>();
        do {
            columns.add(words.name());
        } while (words.takesSymbol(","));
        lists.put(name, columns);
    }

    // Checks.

    /** The options, if they go together. */
    CopyOptions checked(boolean isFrom) {
        CopyOptions usual = CopyOptions.of(format);
        checkEncoding();
        for (String name : List.of("delimiter", "null", "header")) {
            require(format != CopyFormat.BINARY, name, "cannot specify " + name + " in BINARY mode");
        }
        for (String name : List.of("quote", "escape", "force_quote", "force_null", "force_not_null")) {
            require(format == CopyFormat.CSV, name, "COPY " + name + " available only in CSV mode");
        }
        require(!isFrom, "force_quote", "COPY force_quote only available using COPY TO");
        require(isFrom, "force_null", "COPY force_null only available using COPY FROM");
        require(isFrom, "force_not_null", "COPY force_not_null only available using COPY FROM");
        require(isFrom || header != CopyHeader.MATCH, "header", "cannot use \"match\" with HEADER in COPY TO");
        byte delimiter = single("delimiter", usual.delimiter());
        byte quote = single("quote", usual.quote());
        byte escape = single("escape", quote);
        String nullText = texts.getOrDefault("null", usual.nullText());
        check(delimiter, quote, nullText);
        List<String> quoted = lists.getOrDefault("force_quote", List.of());
        boolean isAll = quoted.equals(List.of(ALL));
        return new CopyOptions(
                format,
                delimiter,
                nullText,
                header,
                quote,
                escape,
                isAll,
                isAll ? List.of() : quoted,
                lists.getOrDefault("force_null", List.of()),
                lists.getOrDefault("force_not_null", List.of()));
    }

    private void check(byte delimiter, byte quote, String nullText) {
        boolean isCsv = format == CopyFormat.CSV;
        require(
                delimiter != '\n' && delimiter != '\r',
                "delimiter",
                "COPY delimiter cannot be newline or carriage return");
        require(
                nullText.indexOf('\n') < 0 && nullText.indexOf('\r') < 0,
                "null",
                "COPY null representation cannot use newline or carriage return");
        require(
                isCsv || NO_DELIMITERS.indexOf(delimiter) < 0,
                "delimiter",
                "COPY delimiter cannot be \"" + (char) delimiter + "\"");
        require(!isCsv || delimiter != quote, "delimiter", "COPY delimiter and quote must be different");
        require(!isCsv || delimiter != quote, "quote", "COPY delimiter and quote must be different");
        boolean isBinary = format == CopyFormat.BINARY;
        require(
                isBinary || nullText.indexOf(delimiter) < 0,
                "delimiter",
                "COPY delimiter must not appear in the NULL specification");
        require(
                isBinary || nullText.indexOf(delimiter) < 0,
                "null",
                "COPY delimiter must not appear in the NULL specification");
        require(
                !isCsv || nullText.indexOf(quote) < 0,
                "null",
                "CSV quote character must not appear in the NULL specification");
    }

    private void checkEncoding() {
        String encoding = texts.get("encoding");
        require(
                encoding == null || ENCODINGS.contains(encoding.toLowerCase(Locale.ROOT)),
                "encoding",
                "COPY takes and gives text in UTF8 only; convert it at the client");
    }

    /** Fails at the place of an option, if that is given. */
    private void require(boolean isRight, String option, String message) {
        Lexeme place = places.get(option);
        if (!isRight && place != null) {
            ErrorCode code = option.equals("encoding") ? ErrorCode.NOT_SUPPORTED : ErrorCode.SYNTAX;
            throw words.error(code, place, message);
        }
    }

    private byte single(String option, byte usual) {
        String text = texts.get(option);
        if (text == null) {
            return usual;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Lexeme place = places.get(option);
        if (bytes.length != 1 && place != null) {
            throw words.error(
                    ErrorCode.NOT_SUPPORTED, place, "COPY " + option + " must be a single one-byte character");
        }
        return bytes[0];
    }
}
