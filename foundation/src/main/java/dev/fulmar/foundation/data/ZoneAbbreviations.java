package dev.fulmar.foundation.data;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The abbreviations of zones with PostgreSQL's offsets. Summer time has an abbreviation of its own. */
final class ZoneAbbreviations {
    /** Seconds east of Greenwich, and the abbreviations that stand for them. */
    private static final String[] TABLE = {
        "-36000 HST TAHT",
        "-34200 MART",
        "-32400 AKST GAMT",
        "-28800 AKDT PST",
        "-25200 MST PDT",
        "-21600 CST GALT MDT",
        "-18000 ACT CDT COT EST PET",
        "-14400 AMT AST BOT EDT",
        "-12600 NFT NST",
        "-10800 ADT BRA BRT CLST GFT PMST PYST UYT WGT",
        "-9000 NDT",
        "-7200 BRST FNT PMDT UYST WGST",
        "-3600 AZOT EGT FNST",
        "0 AZOST EGST GMT UCT UT UTC WET Z ZULU",
        "3600 BST CET MET MEZ WAT WETDST",
        "7200 BDST CEST CETDST EET IST MEST MESZ METDST SAST",
        "10800 EAT EEST EETDST FET IDT",
        "12600 IRT",
        "14400 MSD MUT RET SCT",
        "16200 AFT",
        "18000 MUST MVT PKT TFT TJT UZT",
        "20700 NPT",
        "21600 ALMT BDT BTT KGST PKST UZST XJT YEKST",
        "23400 MMT",
        "25200 ALMST CXT ICT WAST",
        "28800 AWST BNT BORT CCT HKT MYT PHT WADT",
        "31500 ACWST",
        "32400 AWSST JAYT JST KST PWT ULAST WDT",
        "34200 ACST CAST",
        "36000 AEST CHUT DDUT KDT LIGT MPT PGT TRUT YAPT",
        "37800 ACDT ACSST CADT LHST SADT",
        "39600 AEDT AESST PONT VUT",
        "43200 FJT GILT MHT NZST NZT TVT WAKT WFT",
        "45900 CHAST",
        "46800 FJST NZDT TOT",
        "49500 CHADT"
    };

    private static final Map<String, ZoneId> OFFSETS = offsets();

    private ZoneAbbreviations() {}

    private static Map<String, ZoneId> offsets() {
        Map<String, ZoneId> offsets = new HashMap<>();
        for (String line : TABLE) {
            String[] words = line.split(" ", -1);
            for (int i = 1; i < words.length; i++) {
                offsets.put(words[i], ZoneOffset.ofTotalSeconds(Integer.parseInt(words[0])));
            }
        }
        return Map.copyOf(offsets);
    }

    /** The offset of an abbreviation in any case, or the zone that tells its offset at a time. */
    static Optional<ZoneId> offset(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        ZoneId offset = OFFSETS.get(upper);
        return offset == null ? AbbreviatedZones.zone(upper) : Optional.of(offset);
    }
}
