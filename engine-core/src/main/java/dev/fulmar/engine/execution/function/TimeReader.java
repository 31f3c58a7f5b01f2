package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.execution.function.TimeTemplate.Part;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one date or time by a template, as PostgreSQL's to_date and to_timestamp do (manual, 9.8). */
final class TimeReader {
    private static final Pattern NUMBER = Pattern.compile("\\s*[+-]?\\d+");
    private static final Pattern GROUPED_YEAR = Pattern.compile("(\\d+),(\\d{3})");

    /** A number of more digits is out of every range. */
    private static final int MOST_DIGITS = 9;

    private final List<Part> parts;
    private final String text;
    private final TimeParts found = new TimeParts();
    private int place;

    /** Blanks that were left out beyond those of the template. */
    private int extraBlanks;

    private boolean isFixed;

    TimeReader(List<Part> parts, String text) {
        this.parts = split(parts);
        this.text = text;
    }

    /** A part for each character that is no field. */
    private static List<Part> split(List<Part> parts) {
        List<Part> split = new ArrayList<>();
        for (Part part : parts) {
            if (part.isField()) {
                split.add(part);
            } else {
                part.word()
                        .codePoints()
                        .forEach(each ->
                                split.add(new Part(Character.toString(each), false, part.isBare(), part.ordinal())));
            }
        }
        return split;
    }

    LocalDateTime read() {
        for (int i = 0; i < parts.size() && place < text.length(); i++) {
            Part part = parts.get(i);
            if (!isFixed && (part.isField() ? !isFixedMark(part) : i == 0)) {
                skipBlanks();
            }
            if (place == text.length()) {
                break;
            }
            if (!part.isField()) {
                pass(part);
            } else if (isFixedMark(part)) {
                isFixed = true;
            } else {
                field(part, i);
                if (!isFixed) {
                    extraBlanks = 0;
                    skipBlanks();
                }
            }
        }
        return found.moment();
    }

    private static boolean isFixedMark(Part part) {
        return part.word().equalsIgnoreCase("FX");
    }

    private void skipBlanks() {
        while (place < text.length() && isBlank(text.charAt(place))) {
            place++;
            extraBlanks++;
        }
    }

    private static boolean isBlank(char character) {
        return character == ' ' || (character >= '\t' && character <= '\r');
    }

    private static boolean isSeparator(char character) {
        boolean isLetter = (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
        return character > ' ' && character < 0x7f && !isLetter && !(character >= '0' && character <= '9');
    }

    /** Passes over a character of the text for one of the template. */
    private void pass(Part part) {
        char written = part.word().charAt(0);
        boolean isMark = !part.isBare() && (isBlank(written) || isSeparator(written));
        if (isFixed) {
            place += characterLength();
        } else if (isMark) {
            extraBlanks--;
            if (isBlank(text.charAt(place)) || isSeparator(text.charAt(place))) {
                place++;
                extraBlanks++;
            }
        } else if (extraBlanks > 0) {
            extraBlanks--;
        } else {
            place += characterLength();
        }
    }

    private int characterLength() {
        return Character.charCount(text.codePointAt(place));
    }

    private void field(Part part, int index) {
        String name = part.word().toUpperCase(Locale.ROOT);
        found.hold(name);
        switch (name) {
            case "AM", "PM" -> found.noon = word(part, List.of("am", "pm"));
            case "A.M.", "P.M." -> found.noon = word(part, List.of("a.m.", "p.m."));
            case "AD", "BC" -> found.era = word(part, List.of("ad", "bc"));
            case "A.D.", "B.C." -> found.era = word(part, List.of("a.d.", "b.c."));
            case "MONTH" -> found.set("MM", word(part, TimeTemplate.MONTHS) + 1);
            case "MON" -> found.set("MM", word(part, abbreviated(TimeTemplate.MONTHS)) + 1);
            case "RM" -> found.set("MM", word(part, TimeTemplate.ROMAN) + 1);
            case "DAY" -> found.set("ID", word(part, TimeTemplate.DAYS) + 1);
            case "DY" -> found.set("ID", word(part, abbreviated(TimeTemplate.DAYS)) + 1);
            case "Y,YYY" -> groupedYear(part);
            case "TZ", "TZH", "TZM", "OF" ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED, "time zones are not read by a template; CAST the text instead");
            default -> number(part, name, index);
        }
    }

    private static List<String> abbreviated(List<String> names) {
        return names.stream()
                .map(name -> name.substring(0, TimeTemplate.SHORT_NAME))
                .toList();
    }

    /** The place in the list of the word that stands in the text, in any case. */
    private int word(Part part, List<String> words) {
        List<String> longestFirst = words.stream()
                .sorted(Comparator.comparing(String::length).reversed())
                .toList();
        for (String word : longestFirst) {
            if (text.regionMatches(true, place, word, 0, word.length())) {
                place += word.length();
                return words.indexOf(word);
            }
        }
        throw wrong(part, "it takes one of " + String.join(", ", words));
    }

    private void groupedYear(Part part) {
        Matcher matcher = GROUPED_YEAR.matcher(text).region(place, text.length());
        if (!matcher.lookingAt() || matcher.group(1).length() > 3) {
            throw wrong(part, "it takes a year as 2,024");
        }
        place = matcher.end();
        int year = Integer.parseInt(matcher.group(1)) * 1_000 + Integer.parseInt(matcher.group(2));
        found.year(year, year, 4);
        skipOrdinal(part);
    }

    private void number(Part part, String name, int index) {
        int width = width(name);
        int start = place;
        int number = part.isBare() || endsBefore(index) ? anyNumber(part) : fixedNumber(part, width);
        int length = place - start;
        switch (name) {
            case "MS" -> found.set(name, number * power(length, 3));
            case "US", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6" -> found.set("US", number * power(length, 6));
            case "D" -> found.set("ID", number == 1 ? 7 : number - 1);
            case "YYYY", "IYYY" -> found.year(number, number, 4);
            case "YYY", "IYY", "YY", "IY", "Y", "I" -> found.year(number, length < 4 ? nearNow(number) : number, width);
            default -> found.set(name, number);
        }
        skipOrdinal(part);
    }

    /** 25 is a quarter, as 250 is. */
    private static int power(int digits, int all) {
        int power = 1;
        for (int i = digits; i < all; i++) {
            power *= 10;
        }
        return power;
    }

    /** The year nearest to 2020 that ends so. */
    private static int nearNow(int year) {
        if (year < 70) {
            return year + 2_000;
        }
        if (year < 100) {
            return year + 1_900;
        }
        return year < 520 ? year + 2_000 : year < 1_000 ? year + 1_000 : year;
    }

    private static int width(String name) {
        return switch (name) {
            case "HH24", "HH12" -> 2;
            case "ID" -> 1;
            case "MS", "IDDD" -> 3;
            case "US" -> 6;
            case "FF1", "FF2", "FF3", "FF4", "FF5", "FF6" -> name.charAt(2) - '0';
            default -> name.length();
        };
    }

    /** Whether no digit of another field follows the field. */
    private boolean endsBefore(int index) {
        if (!parts.get(index).ordinal().isEmpty() || index + 1 == parts.size()) {
            return true;
        }
        Part next = parts.get(index + 1);
        return next.isField()
                ? !TimeParts.isNumber(next.word())
                : !Character.isDigit(next.word().charAt(0));
    }

    private int anyNumber(Part part) {
        Matcher matcher = NUMBER.matcher(text).region(place, text.length());
        if (!matcher.lookingAt()) {
            throw wrong(part, "it takes a number");
        }
        place = matcher.end();
        return parsed(part, matcher.group().strip());
    }

    private int fixedNumber(Part part, int width) {
        while (place < text.length() && isBlank(text.charAt(place))) {
            place++;
        }
        if (text.length() - place < width) {
            throw wrong(part, "it takes " + width + " characters, and the text ends before");
        }
        String digits = text.substring(place, place + width);
        Matcher matcher = NUMBER.matcher(digits);
        if (!matcher.matches()) {
            throw wrong(part, "it takes " + width + " digits");
        }
        place += width;
        return parsed(part, digits.strip());
    }

    private static int parsed(Part part, String digits) {
        String magnitude = digits.replaceFirst("^[+-]?0*", "");
        if (magnitude.length() > MOST_DIGITS) {
            throw new FulmarException(
                    ErrorCode.DATETIME_OUT_OF_RANGE,
                    "'" + magnitude.substring(0, MOST_DIGITS) + "...' is too large for " + part.word());
        }
        return Integer.parseInt(digits);
    }

    private void skipOrdinal(Part part) {
        if (!part.ordinal().isEmpty()) {
            place = Math.min(text.length(), place + 2);
        }
    }

    private FulmarException wrong(Part part, String expected) {
        String rest = text.substring(Math.min(place, text.length()));
        String shown = rest.length() > 20 ? rest.substring(0, 20) + "..." : rest;
        return new FulmarException(
                ErrorCode.INVALID_DATETIME, "'" + shown + "' is not for " + part.word() + ": " + expected);
    }
}
