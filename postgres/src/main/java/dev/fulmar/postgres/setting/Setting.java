package dev.fulmar.postgres.setting;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A setting that clients of PostgreSQL know.
 *
 * @param name as SHOW prints it
 * @param initial value at the begin of a session
 * @param rule the values that it takes
 * @param isReported whether the client hears of each change
 */
record Setting(String name, String initial, Rule rule, boolean isReported) {
    /** The values that a setting takes. */
    sealed interface Rule {
        /** No value of a client: the server says it. */
        record Fixed() implements Rule {}

        /** Any text: no value changes what a statement yields. */
        record Free() implements Rule {}

        /**
         * One of some words.
         *
         * @param meanings the value that each word stands for, by words in lower case
         */
        record Words(Map<String, String> meanings) implements Rule {}

        /** A time in milliseconds, perhaps with a unit. */
        record Duration() implements Rule {}

        /** A time zone. */
        record Zone() implements Rule {}

        /** A whole number. */
        record Whole(long least, long most) implements Rule {}
    }

    private static final Rule FIXED = new Rule.Fixed();
    private static final Rule FREE = new Rule.Free();
    private static final Rule SWITCH = new Rule.Words(Map.of(
            "on", "on", "true", "on", "yes", "on", "1", "on", "off", "off", "false", "off", "no", "off", "0", "off"));
    private static final Rule ON = only("on", "on", "true", "yes", "1");

    private static final Map<String, Setting> ALL = byName(List.of(
            new Setting("application_name", "", FREE, true),
            new Setting("bytea_output", "hex", only("hex", "hex"), false),
            new Setting("check_function_bodies", "on", FREE, false),
            new Setting("client_encoding", "UTF8", only("UTF8", "utf8", "utf-8", "unicode"), true),
            new Setting("client_min_messages", "notice", FREE, false),
            new Setting("DateStyle", "ISO, MDY", only("ISO, MDY", "iso", "iso, mdy", "iso,mdy"), true),
            new Setting(
                    "default_placement",
                    "partitioned",
                    new Rule.Words(Map.of("partitioned", "partitioned", "replicated", "replicated")),
                    false),
            new Setting("default_transaction_isolation", "serializable", isolation(), false),
            new Setting("default_transaction_read_only", "off", SWITCH, true),
            new Setting("extra_float_digits", "1", new Rule.Whole(1, 3), false),
            new Setting("fulmar.copy_batch", "0", new Rule.Whole(0, Integer.MAX_VALUE), false),
            new Setting("idle_in_transaction_session_timeout", "0", new Rule.Duration(), false),
            new Setting("in_hot_standby", "off", FIXED, true),
            new Setting("integer_datetimes", "on", FIXED, true),
            new Setting("IntervalStyle", "postgres", only("postgres", "postgres"), true),
            new Setting("is_superuser", "off", FIXED, true),
            new Setting("lock_timeout", "0", new Rule.Duration(), false),
            new Setting("max_identifier_length", "63", FIXED, false),
            new Setting("row_security", "on", ON, false),
            new Setting("search_path", "\"$user\", public", searchPath(), false),
            new Setting("server_encoding", "UTF8", FIXED, true),
            new Setting("server_version", "15.0 (Fulmar)", FIXED, true),
            new Setting("server_version_num", "150000", FIXED, false),
            new Setting("session_authorization", "", FIXED, true),
            new Setting("standard_conforming_strings", "on", ON, true),
            new Setting("statement_timeout", "0", new Rule.Duration(), false),
            new Setting("TimeZone", "UTC", new Rule.Zone(), true),
            new Setting("transaction_isolation", "serializable", FIXED, false),
            new Setting("transaction_read_only", "off", FIXED, false),
            new Setting("xmloption", "content", FREE, false)));

    private static Rule only(String meaning, String... words) {
        Map<String, String> meanings = new TreeMap<>();
        for (String word : words) {
            meanings.put(word, meaning);
        }
        return new Rule.Words(meanings);
    }

    private static Rule isolation() {
        return new Rule.Words(Map.of(
                "serializable", "serializable",
                "repeatable read", "repeatable read",
                "read committed", "read committed",
                "read uncommitted", "read uncommitted"));
    }

    private static Rule searchPath() {
        return only(
                "\"$user\", public",
                "public",
                "\"$user\", public",
                "\"$user\",public",
                "$user, public",
                "public, pg_catalog");
    }

    private static Map<String, Setting> byName(List<Setting> settings) {
        Map<String, Setting> byName = new TreeMap<>();
        settings.forEach(setting -> byName.put(setting.name().toLowerCase(Locale.ROOT), setting));
        return byName;
    }

    /** The setting of a name, in any case; null if there is none. */
    static @Nullable Setting find(String name) {
        return ALL.get(name.toLowerCase(Locale.ROOT));
    }

    /** All settings in the order of their names. */
    static List<Setting> all() {
        return List.copyOf(ALL.values());
    }
}
