package dev.fulmar.foundation.data;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesException;
import java.time.zone.ZoneRulesProvider;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Zones of abbreviations whose offset has changed. The time zone database has no abbreviation for most of them, so
 * PostgreSQL takes the zone itself. MSK is one, and has no summer time: it is a zone of its own here.
 */
final class AbbreviatedZones extends ZoneRulesProvider {
    private static final String MOSCOW = "Abbreviation/MSK";
    private static final int WINTER_HOURS = 3;
    private static final int LATER_HOURS = 4;

    private static final Map<String, String> ZONES = Map.ofEntries(
            Map.entry("MSK", MOSCOW),
            Map.entry("VET", "America/Caracas"),
            Map.entry("CLT", "America/Santiago"),
            Map.entry("GYT", "America/Guyana"),
            Map.entry("PYT", "America/Asuncion"),
            Map.entry("ART", "America/Argentina/Buenos_Aires"),
            Map.entry("SGT", "Asia/Singapore"),
            Map.entry("GET", "Asia/Tbilisi"),
            Map.entry("AZT", "Asia/Baku"),
            Map.entry("LKT", "Asia/Colombo"),
            Map.entry("IRKT", "Asia/Irkutsk"),
            Map.entry("KRAT", "Asia/Krasnoyarsk"),
            Map.entry("NOVT", "Asia/Novosibirsk"),
            Map.entry("OMST", "Asia/Omsk"),
            Map.entry("VLAT", "Asia/Vladivostok"),
            Map.entry("YAKT", "Asia/Yakutsk"),
            Map.entry("YEKT", "Asia/Yekaterinburg"),
            Map.entry("ULAT", "Asia/Ulaanbaatar"));

    static {
        registerProvider(new AbbreviatedZones());
    }

    private AbbreviatedZones() {}

    /** The zone of an abbreviation in upper case. */
    static Optional<ZoneId> zone(String abbreviation) {
        return Optional.ofNullable(ZONES.get(abbreviation)).map(ZoneId::of);
    }

    /** Whether a time that clocks leave out has the offset behind the change, as with an abbreviation. */
    static boolean hasLaterOffset(ZoneId zone) {
        return zone.getId().equals(MOSCOW);
    }

    @Override
    protected Set<String> provideZoneIds() {
        return Set.of(MOSCOW);
    }

    @Override
    protected ZoneRules provideRules(String zone, boolean isForCaching) {
        if (!zone.equals(MOSCOW)) {
            throw new ZoneRulesException("there is no zone " + zone);
        }
        ZoneOffset winter = ZoneOffset.ofHours(WINTER_HOURS);
        ZoneOffset later = ZoneOffset.ofHours(LATER_HOURS);
        List<ZoneOffsetTransition> changes = List.of(
                ZoneOffsetTransition.of(LocalDateTime.of(2011, 3, 27, 2, 0), winter, later),
                ZoneOffsetTransition.of(LocalDateTime.of(2014, 10, 26, 2, 0), later, winter));
        return ZoneRules.of(winter, winter, changes, changes, List.of());
    }

    @Override
    protected NavigableMap<String, ZoneRules> provideVersions(String zone) {
        NavigableMap<String, ZoneRules> versions = new TreeMap<>();
        versions.put("1", provideRules(zone, false));
        return versions;
    }
}
