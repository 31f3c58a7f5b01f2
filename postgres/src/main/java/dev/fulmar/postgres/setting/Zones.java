package dev.fulmar.postgres.setting;

import dev.fulmar.foundation.data.ZonedTime;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Time zones as clients of PostgreSQL name them. */
final class Zones {
    private static final Pattern HOURS = Pattern.compile("([+-]?)(\\d{1,2})");

    /** Behind a name the sign is that of POSIX: hours west of Greenwich. */
    private static final Pattern WEST = Pattern.compile("(?:UTC|GMT)([+-])(\\d{1,2})(?::?(\\d{2}))?");

    /** Hours and minutes by themselves have the sign of POSIX too. */
    private static final Pattern WEST_ALONE = Pattern.compile("([+-]?)(\\d{1,2}):(\\d{2})");

    private Zones() {}

    /** The zone of a name, or of hours east of Greenwich; empty if it is none. */
    static Optional<ZoneId> of(String value) {
        String text = value.strip();
        Matcher hours = HOURS.matcher(text);
        Matcher west = WEST.matcher(text);
        if (hours.matches()) {
            return offset(hours.group(1).equals("-") ? -1 : 1, hours.group(2), null);
        }
        Matcher alone = WEST_ALONE.matcher(text);
        Matcher offset = alone.matches() ? alone : west;
        return offset == alone || west.matches()
                ? offset(offset.group(1).equals("-") ? 1 : -1, offset.group(2), offset.group(3))
                : ZonedTime.zone(text);
    }

    private static Optional<ZoneId> offset(int sign, String hours, @Nullable String minutes) {
        try {
            int minute = minutes == null ? 0 : Integer.parseInt(minutes);
            return Optional.of(ZoneOffset.ofHoursMinutes(sign * Integer.parseInt(hours), sign * minute));
        } catch (DateTimeException none) {
            return Optional.empty();
        }
    }
}
