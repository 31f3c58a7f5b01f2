package dev.fulmar.foundation.data;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Instants as microseconds since 1970 in UTC, and the dates and times that clocks of a time zone show then. */
public final class ZonedTime {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int SECONDS_PER_MINUTE = 60;
    private static final int SECONDS_PER_HOUR = 3_600;
    private static final int MOST_CHARACTERS = 100;
    private static final Pattern WRITTEN = Pattern.compile("([+-]?\\d{4,9}-\\d{2}-\\d{2})(?:[ Tt]"
            + "(\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?))?"
            + " ?(?:([Zz])|([+-]\\d{2})(?::?(\\d{2})(?::?(\\d{2}))?)?|([A-Za-z][A-Za-z0-9_/+-]*))?");

    private static final Pattern POSIX =
            Pattern.compile("(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)([+-])(\\d{1,2})(?::(\\d{1,2})(?::(\\d{1,2}))?)?");

    private static final Pattern OFFSET_NAME = Pattern.compile("Z[+-](0\\d|1[0-7]):[0-5]\\d(:[0-5]\\d)?");

    /** By names in lower case. */
    private static final Map<String, String> NAMES = names();

    private ZonedTime() {}

    private static Map<String, String> names() {
        Map<String, String> names = new TreeMap<>();
        ZoneId.getAvailableZoneIds().forEach(name -> names.put(name.toLowerCase(Locale.ROOT), name));
        return names;
    }

    /**
     * The zone of a name as Europe/Oslo or UTC, in any case, or of what {@link #name} calls an offset. An offset by
     * itself is no name, for PostgreSQL reads its sign the other way.
     */
    public static Optional<ZoneId> zone(String name) {
        String stripped = name.strip();
        if (OFFSET_NAME.matcher(stripped).matches()) {
            return Optional.of(ZoneOffset.of(stripped.substring(1)));
        }
        String known = NAMES.get(stripped.toLowerCase(Locale.ROOT));
        return known == null ? Optional.empty() : Optional.of(known.equals("UTC") ? ZoneOffset.UTC : ZoneId.of(known));
    }

    /**
     * The zone that a text or AT TIME ZONE names. As in PostgreSQL an abbreviation comes first, and is an offset: CET
     * has no summer time there, though the zone of that name has.
     */
    public static Optional<ZoneId> writtenZone(String name) {
        Optional<ZoneId> offset = ZoneAbbreviations.offset(name.strip());
        return offset.isPresent() ? offset : givenZone(name);
    }

    /**
     * The zone that a name with an offset behind it stands for, as {@code GMT+8}: POSIX counts hours west of Greenwich.
     */
    private static Optional<ZoneId> posixZone(String name) {
        Matcher parts = POSIX.matcher(name.strip());
        if (!parts.matches()) {
            return Optional.empty();
        }
        int sign = "-".equals(parts.group(1)) ? 1 : -1;
        try {
            return Optional.of(ZoneOffset.ofHoursMinutesSeconds(
                    sign * number(parts.group(2)), sign * number(parts.group(3)), sign * number(parts.group(4))));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** The zone of a name, or of one with an offset behind it; no abbreviation. */
    static Optional<ZoneId> givenZone(String name) {
        Optional<ZoneId> known = zone(name);
        return known.isPresent() ? known : posixZone(name);
    }

    /** The name by which {@link #zone} finds the zone. */
    public static String name(ZoneId zone) {
        if (zone.equals(ZoneOffset.UTC)) {
            return "UTC";
        }
        return zone instanceof ZoneOffset ? "Z" + zone.getId() : zone.getId();
    }

    /** The timestamp that clocks of the zone show at the instant; an infinity is the same everywhere. */
    public static long local(long instantMicros, ZoneId zone) {
        if (zone.equals(ZoneOffset.UTC) || InfiniteTime.isMoment(instantMicros)) {
            return instantMicros;
        }
        return InfiniteTime.finiteMicros(instantMicros + offsetSeconds(instantMicros, zone) * MICROS_PER_SECOND);
    }

    private static int offsetSeconds(long instantMicros, ZoneId zone) {
        Instant second = Instant.ofEpochSecond(Math.floorDiv(instantMicros, MICROS_PER_SECOND));
        return zone.getRules().getOffset(second).getTotalSeconds();
    }

    /** The instant at which clocks of the zone show the timestamp; an infinity is the same everywhere. */
    public static long instant(long localMicros, ZoneId zone) {
        if (zone.equals(ZoneOffset.UTC) || InfiniteTime.isMoment(localMicros)) {
            return localMicros;
        }
        return InfiniteTime.finiteMicros(localMicros - localOffsetSeconds(localMicros, zone) * MICROS_PER_SECOND);
    }

    /**
     * The offset with which the timestamp is read. One that clocks leave out has the offset before; of two instants
     * with the same timestamp the later one counts.
     */
    public static int localOffsetSeconds(long localMicros, ZoneId zone) {
        LocalDateTime local =
                LocalDateTime.ofEpochSecond(Math.floorDiv(localMicros, MICROS_PER_SECOND), 0, ZoneOffset.UTC);
        ZoneOffsetTransition transition = zone.getRules().getTransition(local);
        ZoneOffset offset;
        if (transition == null) {
            offset = zone.getRules().getOffset(local);
        } else {
            boolean isBefore = transition.isGap() && !AbbreviatedZones.hasLaterOffset(zone);
            offset = isBefore ? transition.getOffsetBefore() : transition.getOffsetAfter();
        }
        return offset.getTotalSeconds();
    }

    /** The instant as Java has it. */
    public static Instant instant(long micros) {
        return InfiniteTime.isMoment(micros)
                ? InfiniteTime.moment(micros)
                : Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** Microseconds of the instant since 1970; what is finer is cut off. */
    public static long micros(Instant instant) {
        return CellValues.micros(InfiniteTime.inUtc(instant));
    }

    /** The instant as SQL shows it in the zone: 2024-02-29 12:00:00+01. */
    public static String text(long instantMicros, ZoneId zone) {
        if (InfiniteTime.isMoment(instantMicros)) {
            return InfiniteTime.text(instantMicros);
        }
        int offset = offsetSeconds(instantMicros, zone);
        LocalDateTime local = CellValues.timestamp(instantMicros + offset * MICROS_PER_SECOND);
        return local.toLocalDate() + " " + clock(local.toLocalTime()) + offset(offset);
    }

    private static String clock(LocalTime time) {
        String whole = time.truncatedTo(ChronoUnit.SECONDS).toString();
        String seconds = time.getSecond() == 0 ? whole + ":00" : whole;
        if (time.getNano() == 0) {
            return seconds;
        }
        return seconds
                + String.format(Locale.ROOT, ".%06d", time.getNano() / 1_000).replaceAll("0+$", "");
    }

    private static String offset(int seconds) {
        int magnitude = Math.abs(seconds);
        StringBuilder text = new StringBuilder(seconds < 0 ? "-" : "+");
        text.append(String.format(Locale.ROOT, "%02d", magnitude / SECONDS_PER_HOUR));
        if (magnitude % SECONDS_PER_HOUR != 0) {
            text.append(String.format(Locale.ROOT, ":%02d", magnitude / SECONDS_PER_MINUTE % SECONDS_PER_MINUTE));
        }
        if (magnitude % SECONDS_PER_MINUTE != 0) {
            text.append(String.format(Locale.ROOT, ":%02d", magnitude % SECONDS_PER_MINUTE));
        }
        return text.toString();
    }

    /**
     * The instant of a date, or a date and a time, with an offset or a zone's name behind it, or in the given zone.
     * Fails with a {@link DateTimeException} if it is none.
     */
    public static long parse(String text, ZoneId zone) {
        Matcher parts = WRITTEN.matcher(text.strip());
        if (text.length() > MOST_CHARACTERS || !parts.matches()) {
            throw new DateTimeException("no timestamp with a time zone");
        }
        LocalDate day = LocalDate.parse(parts.group(1));
        LocalTime time = parts.group(2) == null ? LocalTime.MIDNIGHT : LocalTime.parse(parts.group(2));
        try {
            return instant(
                    Math.addExact(
                            Math.multiplyExact(day.toEpochDay(), 86_400 * MICROS_PER_SECOND), CellValues.micros(time)),
                    zoneOf(parts, zone));
        } catch (ArithmeticException e) {
            throw new DateTimeException("too far from 1970", e);
        }
    }

    private static ZoneId zoneOf(Matcher parts, ZoneId otherwise) {
        if (parts.group(3) != null) {
            return ZoneOffset.UTC;
        }
        if (parts.group(4) != null) {
            int sign = parts.group(4).startsWith("-") ? -1 : 1;
            int hours = Integer.parseInt(parts.group(4));
            return ZoneOffset.ofHoursMinutesSeconds(
                    hours, sign * number(parts.group(5)), sign * number(parts.group(6)));
        }
        String name = parts.group(7);
        return name == null
                ? otherwise
                : writtenZone(name).orElseThrow(() -> new DateTimeException("there is no time zone " + name));
    }

    private static int number(@Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }
}
