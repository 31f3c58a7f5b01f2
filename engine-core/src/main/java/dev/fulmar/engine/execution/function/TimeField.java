package dev.fulmar.engine.execution.function;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The fields of a template for dates and times. */
final class TimeField {
    /** Longer ones before those that begin them. */
    private static final List<String> WORDS = List.of(
            "A.D.", "A.M.", "AD", "AM", "B.C.", "BC", "CC", "DAY", "DDD", "DD", "DY", "D", "FF1", "FF2", "FF3", "FF4",
            "FF5", "FF6", "FX", "HH24", "HH12", "HH", "IDDD", "ID", "IW", "IYYY", "IYY", "IY", "I", "J", "MI", "MM",
            "MONTH", "MON", "MS", "OF", "P.M.", "PM", "Q", "RM", "SSSSS", "SSSS", "SS", "TZH", "TZM", "TZ", "US", "WW",
            "W", "Y,YYY", "YYYY", "YYY", "YY", "Y");

    /** Fields that may also have a first letter in upper case alone. */
    private static final Set<String> NAMES = Set.of("DAY", "DY", "MONTH", "MON");

    private TimeField() {}

    /** The field that begins at the place, as it is written there; empty if none does. */
    static String at(String template, int place) {
        for (String word : WORDS) {
            int end = place + word.length();
            if (end <= template.length()) {
                String written = template.substring(place, end);
                if (written.equals(word)
                        || written.equals(word.toLowerCase(Locale.ROOT))
                        || (NAMES.contains(word) && written.equals(capital(word)))) {
                    return written;
                }
            }
        }
        return "";
    }

    private static String capital(String word) {
        return word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT);
    }
}
