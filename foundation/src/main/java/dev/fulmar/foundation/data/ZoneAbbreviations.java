package dev.fulmar.foundation.data;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;

/** The best known abbreviations of zones, with PostgreSQL's offsets. Summer time has an abbreviation of its own. */
final class ZoneAbbreviations {
    private ZoneAbbreviations() {}

    /** The offset of an abbreviation in any case. */
    static Optional<ZoneId> offset(String name) {
        return switch (name.toUpperCase(Locale.ROOT)) {
            case "Z", "UTC", "GMT", "UT", "UCT", "ZULU", "WET" -> Optional.of(ZoneOffset.UTC);
            case "CET", "MET", "BST" -> hours(1);
            case "CEST", "MEST", "EET", "SAST", "IST" -> hours(2);
            case "EEST", "MSK" -> hours(3);
            case "PKT" -> hours(5);
            case "HKT", "SGT", "AWST" -> hours(8);
            case "JST", "KST" -> hours(9);
            case "AEST" -> hours(10);
            case "AEDT" -> hours(11);
            case "NZST" -> hours(12);
            case "NZDT" -> hours(13);
            case "ADT" -> hours(-3);
            case "EDT", "AST" -> hours(-4);
            case "EST", "CDT" -> hours(-5);
            case "CST", "MDT" -> hours(-6);
            case "MST", "PDT" -> hours(-7);
            case "PST", "AKDT" -> hours(-8);
            case "AKST" -> hours(-9);
            case "HST" -> hours(-10);
            default -> Optional.empty();
        };
    }

    private static Optional<ZoneId> hours(int hours) {
        return Optional.of(ZoneOffset.ofHours(hours));
    }
}
