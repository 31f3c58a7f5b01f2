package dev.fulmar.foundation.data;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A word that the text of a date or a time may have.
 *
 * @param value the number of a month or a weekday; else what the kind says
 */
record DatetimeWord(Kind kind, int value) {
    /** Longer words count by so many letters. */
    private static final int MOST_LETTERS = 10;

    /** Meaning of a word. */
    enum Kind {
        MONTH,
        WEEKDAY,
        /** Before noon is 0, behind it 1. */
        HALF_OF_DAY,
        /** Before Christ is 1. */
        ERA,
        /** The unit of the number behind it: its letter. */
        UNIT,
        /** The T before a time. */
        TIME_MARK,
        /** Summer time behind the abbreviation of a zone. */
        SUMMER,
        /** A moment by its name: the ordinal of its form. */
        MOMENT,
        /** Days from today. */
        DAY_FROM_TODAY,
        /** Midnight in UTC. */
        MIDNIGHT,
        IGNORED
    }

    /** The unit of a Julian day. */
    static final char JULIAN = 'j';

    private static final Map<String, DatetimeWord> ALL = all();

    private static Map<String, DatetimeWord> all() {
        Map<String, DatetimeWord> all = new HashMap<>();
        String[] months = {
            "january",
            "february",
            "march",
            "april",
            "may",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december"
        };
        for (int i = 0; i < months.length; i++) {
            all.put(months[i], new DatetimeWord(Kind.MONTH, i + 1));
            all.put(months[i].substring(0, 3), new DatetimeWord(Kind.MONTH, i + 1));
        }
        all.put("sept", new DatetimeWord(Kind.MONTH, 9));
        String[] days = {
            "sunday sun",
            "monday mon",
            "tuesday tues tue",
            "wednesday weds wed",
            "thursday thurs thur thu",
            "friday fri",
            "saturday sat"
        };
        for (int i = 0; i < days.length; i++) {
            for (String name : days[i].split(" ", -1)) {
                all.put(name, new DatetimeWord(Kind.WEEKDAY, i));
            }
        }
        addUnits(all);
        addMoments(all);
        return Map.copyOf(all);
    }

    private static void addUnits(Map<String, DatetimeWord> all) {
        for (String unit : new String[] {"y", "d", "h", "s"}) {
            all.put(unit, new DatetimeWord(Kind.UNIT, unit.charAt(0)));
        }
        all.put("m", new DatetimeWord(Kind.UNIT, 'M'));
        all.put("mm", new DatetimeWord(Kind.UNIT, 'm'));
        for (String julian : new String[] {"j", "jd", "julian"}) {
            all.put(julian, new DatetimeWord(Kind.UNIT, JULIAN));
        }
        for (String unused : new String[] {"dow", "doy", "isodow", "isoyear"}) {
            all.put(unused, new DatetimeWord(Kind.UNIT, '?'));
        }
    }

    private static void addMoments(Map<String, DatetimeWord> all) {
        all.put("am", new DatetimeWord(Kind.HALF_OF_DAY, 0));
        all.put("pm", new DatetimeWord(Kind.HALF_OF_DAY, 1));
        all.put("ad", new DatetimeWord(Kind.ERA, 0));
        all.put("bc", new DatetimeWord(Kind.ERA, 1));
        all.put("t", new DatetimeWord(Kind.TIME_MARK, 0));
        all.put("dst", new DatetimeWord(Kind.SUMMER, 0));
        all.put("now", new DatetimeWord(Kind.MOMENT, WrittenDatetime.Form.NOW.ordinal()));
        all.put("epoch", new DatetimeWord(Kind.MOMENT, WrittenDatetime.Form.EPOCH.ordinal()));
        all.put("infinity", new DatetimeWord(Kind.MOMENT, WrittenDatetime.Form.INFINITY.ordinal()));
        all.put("-infinity", new DatetimeWord(Kind.MOMENT, WrittenDatetime.Form.NEGATIVE_INFINITY.ordinal()));
        all.put("yesterday", new DatetimeWord(Kind.DAY_FROM_TODAY, -1));
        all.put("today", new DatetimeWord(Kind.DAY_FROM_TODAY, 0));
        all.put("tomorrow", new DatetimeWord(Kind.DAY_FROM_TODAY, 1));
        all.put("allballs", new DatetimeWord(Kind.MIDNIGHT, 0));
        all.put("at", new DatetimeWord(Kind.IGNORED, 0));
        all.put("on", new DatetimeWord(Kind.IGNORED, 0));
    }

    /** The word of the letters, which are in lower case; null if there is none. */
    static @Nullable DatetimeWord of(String letters) {
        return ALL.get(letters.length() > MOST_LETTERS ? letters.substring(0, MOST_LETTERS) : letters);
    }
}
