package dev.fulmar.engine.execution.function;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.time.temporal.JulianFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A template by which a date or time is written, as PostgreSQL's to_char has it (manual, 9.8). Immutable. */
final class TimeTemplate {
    static final List<String> MONTHS = List.of(
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December");
    static final List<String> DAYS =
            List.of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday");
    static final List<String> ROMAN = List.of("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII");
    static final int SHORT_NAME = 3;
    private static final int LONGEST_NAME = 9;
    private static final int LONGEST_ROMAN = 4;
    private static final int HOURS = 12;
    private static final int SECONDS_PER_HOUR = 3_600;
    private static final int SECONDS_PER_MINUTE = 60;

    private final List<Part> parts;

    /**
     * A part of the template.
     *
     * @param word the field's letters as they are written; with no field, text that is copied
     * @param isField whether the word is a field
     * @param isBare whether the field has no blanks and zeros in front or behind it (FM)
     * @param ordinal what stands behind the number to make it an ordinal, as {@code th}; empty for nothing
     */
    record Part(String word, boolean isField, boolean isBare, String ordinal) {}

    private TimeTemplate(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    static TimeTemplate of(String template) {
        List<Part> parts = new ArrayList<>();
        int place = 0;
        while (place < template.length()) {
            boolean isBare = template.startsWith("FM", place) || template.startsWith("fm", place);
            int start = isBare ? place + 2 : place;
            if (template.startsWith("TM", start) || template.startsWith("tm", start)) {
                start += 2;
            }
            String word = TimeField.at(template, start);
            if (word.isEmpty()) {
                place = literal(template, start > place ? start : place, parts);
            } else {
                int end = start + word.length();
                String ordinal = template.startsWith("TH", end) || template.startsWith("th", end)
                        ? template.substring(end, end + 2)
                        : "";
                parts.add(new Part(word, true, isBare, ordinal));
                place = end + ordinal.length();
            }
        }
        return new TimeTemplate(parts);
    }

    /** Reads a moment that is written by the template; what the text leaves out is that of the first year's begin. */
    LocalDateTime read(String text) {
        return new TimeReader(parts, text).read();
    }

    /** Reads text that is copied; the place behind it. */
    private static int literal(String template, int place, List<Part> parts) {
        if (place >= template.length()) {
            return place;
        }
        StringBuilder text = new StringBuilder();
        int next = place;
        if (template.charAt(place) == '"') {
            next++;
            while (next < template.length() && template.charAt(next) != '"') {
                next += template.charAt(next) == '\\' && next + 1 < template.length() ? 1 : 0;
                text.append(template.charAt(next++));
            }
            next++;
        } else {
            next += template.startsWith("\\\"", place) ? 1 : 0;
            text.append(template.charAt(next++));
        }
        parts.add(new Part(text.toString(), false, false, ""));
        return Math.min(next, template.length());
    }

    /**
     * The moment by the template.
     *
     * @param offset of an instant from UTC; null for a timestamp without a time zone
     */
    String text(LocalDateTime moment, @Nullable ZoneOffset offset) {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            text.append(part.isField ? field(part, moment, offset) : part.word);
        }
        return text.toString();
    }

    /** Whether the abbreviation of a time zone is to be written. */
    boolean namesZone() {
        return parts.stream().anyMatch(part -> part.isField && part.word.equalsIgnoreCase("TZ"));
    }

    private static String field(Part part, LocalDateTime moment, @Nullable ZoneOffset offset) {
        String name = part.word.toUpperCase(Locale.ROOT);
        return switch (name) {
            case "MONTH" -> name(part, MONTHS.get(moment.getMonthValue() - 1), LONGEST_NAME);
            case "MON" -> name(part, MONTHS.get(moment.getMonthValue() - 1).substring(0, SHORT_NAME), 0);
            case "DAY" -> name(part, DAYS.get(moment.getDayOfWeek().getValue() - 1), LONGEST_NAME);
            case "DY" ->
                name(part, DAYS.get(moment.getDayOfWeek().getValue() - 1).substring(0, SHORT_NAME), 0);
            case "RM" -> name(part, ROMAN.get(moment.getMonthValue() - 1), LONGEST_ROMAN);
            case "AM", "PM" -> inCase(part, moment.getHour() < HOURS ? "AM" : "PM");
            case "A.M.", "P.M." -> inCase(part, moment.getHour() < HOURS ? "A.M." : "P.M.");
            case "AD", "BC" -> inCase(part, moment.getYear() > 0 ? "AD" : "BC");
            case "A.D.", "B.C." -> inCase(part, moment.getYear() > 0 ? "A.D." : "B.C.");
            case "TZ", "OF", "TZH", "TZM" -> zone(part, name, offset);
            case "FX" -> "";
            default -> ordinal(part, number(part, name, moment));
        };
    }

    /** With blanks behind it up to the width, unless they are not wanted. */
    private static String name(Part part, String name, int width) {
        String written = inCase(part, name);
        return part.isBare ? written : written + " ".repeat(Math.max(0, width - written.length()));
    }

    /** In the case of the template's letters. */
    private static String inCase(Part part, String text) {
        String word = part.word;
        if (word.equals(word.toLowerCase(Locale.ROOT))) {
            return text.toLowerCase(Locale.ROOT);
        }
        return word.equals(word.toUpperCase(Locale.ROOT)) ? text.toUpperCase(Locale.ROOT) : text;
    }

    private static String zone(Part part, String name, @Nullable ZoneOffset offset) {
        int seconds = offset == null ? 0 : offset.getTotalSeconds();
        int magnitude = Math.abs(seconds);
        String sign = seconds < 0 ? "-" : "+";
        String hours = sign + padded(magnitude / SECONDS_PER_HOUR, 2);
        String minutes = padded(magnitude / SECONDS_PER_MINUTE % SECONDS_PER_MINUTE, 2);
        return switch (name) {
            case "TZH" -> hours;
            case "TZM" -> minutes;
            case "OF" ->
                sign + number(part, magnitude / SECONDS_PER_HOUR, 2) + (minutes.equals("00") ? "" : ":" + minutes);
            default -> offset == null ? "" : inCase(part, "UTC");
        };
    }

    private static String number(Part part, String name, LocalDateTime moment) {
        int year = moment.getYear();
        int isoYear = moment.get(IsoFields.WEEK_BASED_YEAR);
        int hour = moment.getHour();
        int micros = moment.getNano() / 1_000;
        return switch (name) {
            case "HH24" -> number(part, hour, 2);
            case "HH", "HH12" -> number(part, (hour + HOURS - 1) % HOURS + 1, 2);
            case "MI" -> number(part, moment.getMinute(), 2);
            case "SS" -> number(part, moment.getSecond(), 2);
            case "MS" -> padded(micros / 1_000, 3);
            case "US" -> padded(micros, 6);
            case "FF1", "FF2", "FF3", "FF4", "FF5", "FF6" -> padded(micros, 6).substring(0, name.charAt(2) - '0');
            case "SSSS", "SSSSS" -> Integer.toString(moment.toLocalTime().toSecondOfDay());
            case "MM" -> number(part, moment.getMonthValue(), 2);
            case "DD" -> number(part, moment.getDayOfMonth(), 2);
            case "DDD" -> number(part, moment.getDayOfYear(), 3);
            case "IDDD" -> number(part, dayOfIsoYear(moment), 3);
            case "D" -> number(part, moment.getDayOfWeek().getValue() % 7 + 1, 1);
            case "ID" -> number(part, moment.getDayOfWeek().getValue(), 1);
            case "WW" -> number(part, (moment.getDayOfYear() - 1) / 7 + 1, 2);
            case "W" -> number(part, (moment.getDayOfMonth() - 1) / 7 + 1, 1);
            case "IW" -> number(part, moment.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2);
            case "Q" -> number(part, moment.get(IsoFields.QUARTER_OF_YEAR), 1);
            case "CC" -> number(part, (year + 99) / 100, 2);
            case "J" -> Long.toString(moment.getLong(JulianFields.JULIAN_DAY));
            case "Y,YYY" -> year / 1_000 + "," + padded(year % 1_000, 3);
            case "YYYY" -> number(part, year, 4);
            case "YYY" -> number(part, year % 1_000, 3);
            case "YY" -> number(part, year % 100, 2);
            case "Y" -> number(part, year % 10, 1);
            case "IYYY" -> number(part, isoYear, 4);
            case "IYY" -> number(part, isoYear % 1_000, 3);
            case "IY" -> number(part, isoYear % 100, 2);
            default -> number(part, isoYear % 10, 1);
        };
    }

    private static int dayOfIsoYear(LocalDateTime moment) {
        return (moment.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR) - 1) * 7 + moment.get(ChronoField.DAY_OF_WEEK);
    }

    private static String number(Part part, int number, int width) {
        return part.isBare ? Integer.toString(number) : padded(number, width);
    }

    private static String padded(int number, int width) {
        String digits = Integer.toString(number);
        return "0".repeat(Math.max(0, width - digits.length())) + digits;
    }

    private static String ordinal(Part part, String number) {
        if (part.ordinal.isEmpty()) {
            return number;
        }
        String ending = ordinalOf(number);
        return number + (part.ordinal.equals("th") ? ending.toLowerCase(Locale.ROOT) : ending);
    }

    /** The letters that make a number an ordinal. */
    static String ordinalOf(String number) {
        int length = number.length();
        boolean isTeen = length > 1 && number.charAt(length - 2) == '1';
        return switch (isTeen ? '0' : number.charAt(length - 1)) {
            case '1' -> "ST";
            case '2' -> "ND";
            case '3' -> "RD";
            default -> "TH";
        };
    }
}
