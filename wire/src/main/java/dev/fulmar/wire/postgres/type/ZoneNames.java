package dev.fulmar.wire.postgres.type;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Time zones by the names and offsets that PostgreSQL takes. */
public final class ZoneNames {
    /** Most hours of an offset from UTC. */
    static final int MOST_OFFSET_HOURS = 15;

    private static final int LONGEST_NAME = 60;

    private ZoneNames() {}

    /** The zone with the offset from UTC, which is below 16 hours. Those of 18 hours and less are Java's own. */
    static ZoneId offset(int seconds) {
        return ZoneOffset.ofTotalSeconds(seconds);
    }

    /** The zone with the name, such as {@code Europe/Berlin}, {@code UTC} or {@code EST}; null if there is none. */
    public static @Nullable ZoneId named(String name) {
        if (name.isEmpty() || name.length() > LONGEST_NAME) {
            return null;
        }
        ZoneId abbreviated = abbreviated(name.toUpperCase(Locale.ROOT));
        if (abbreviated != null || name.indexOf('/') < 0) {
            return abbreviated;
        }
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Abbreviations are offsets: summer time has one of its own. */
    private static @Nullable ZoneId abbreviated(String name) {
        return switch (name) {
            case "Z", "UTC", "GMT", "UT", "ZULU", "WET" -> ZoneOffset.UTC;
            case "CET" -> ZoneOffset.ofHours(1);
            case "CEST", "EET" -> ZoneOffset.ofHours(2);
            case "EDT" -> ZoneOffset.ofHours(-4);
            case "EST", "CDT" -> ZoneOffset.ofHours(-5);
            case "CST", "MDT" -> ZoneOffset.ofHours(-6);
            case "MST", "PDT" -> ZoneOffset.ofHours(-7);
            case "PST" -> ZoneOffset.ofHours(-8);
            default -> null;
        };
    }
}
