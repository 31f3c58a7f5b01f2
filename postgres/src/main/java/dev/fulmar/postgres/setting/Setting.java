package dev.fulmar.postgres.setting;

import dev.fulmar.engine.catalog.SequenceRule;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
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

        /** A style of dates, and the order of their numbers. */
        record Dates() implements Rule {}

        /** A time in milliseconds, perhaps with a unit. */
        record Duration() implements Rule {}

        /** A time zone. */
        record Zone() implements Rule {}

        /** Schemas in which plain names are looked for. */
        record Path() implements Rule {}

        /** A whole number. */
        record Whole(long least, long most) implements Rule {}
    }

    private static final Rule FIXED = new Rule.Fixed();
    private static final Rule FREE = new Rule.Free();
    private static final Rule SWITCH = new Rule.Words(Map.of(
            "on", "on", "true", "on", "yes", "on", "1", "on", "off", "off", "false", "off", "no", "off", "0", "off"));
    private static final Rule ON = only("on", "on", "true", "yes", "1");

    /** Settings by which PostgreSQL chooses a plan, or how it writes its log: no result depends on them. */
    private static final List<Setting> OF_PLANS = Stream.concat(
                    Stream.of(
                                    "enable_bitmapscan enable_gathermerge enable_hashagg enable_hashjoin enable_incremental_sort"
                                            + " enable_indexonlyscan enable_indexscan enable_material enable_memoize"
                                            + " enable_mergejoin enable_nestloop enable_parallel_append enable_parallel_hash"
                                            + " enable_partition_pruning enable_partitionwise_aggregate"
                                            + " enable_partitionwise_join enable_seqscan enable_sort enable_tidscan geqo jit"
                                            + " parallel_leader_participation")
                            .flatMap(names -> Stream.of(names.split(" ", -1)))
                            .map(name -> new Setting(name, "on", SWITCH, false)),
                    Map.ofEntries(
                                    Map.entry("constraint_exclusion", "partition"),
                                    Map.entry("cpu_tuple_cost", "0.01"),
                                    Map.entry("default_statistics_target", "100"),
                                    Map.entry("effective_cache_size", "4GB"),
                                    Map.entry("force_parallel_mode", "off"),
                                    Map.entry("from_collapse_limit", "8"),
                                    Map.entry("hash_mem_multiplier", "2"),
                                    Map.entry("join_collapse_limit", "8"),
                                    Map.entry("maintenance_work_mem", "64MB"),
                                    Map.entry("max_parallel_workers", "8"),
                                    Map.entry("max_parallel_workers_per_gather", "2"),
                                    Map.entry("min_parallel_index_scan_size", "512kB"),
                                    Map.entry("min_parallel_table_scan_size", "8MB"),
                                    Map.entry("parallel_setup_cost", "1000"),
                                    Map.entry("parallel_tuple_cost", "0.1"),
                                    Map.entry("plan_cache_mode", "auto"),
                                    Map.entry("random_page_cost", "4"),
                                    Map.entry("seq_page_cost", "1"),
                                    Map.entry("synchronous_commit", "on"),
                                    Map.entry("work_mem", "4MB"))
                            .entrySet()
                            .stream()
                            .map(entry -> new Setting(entry.getKey(), entry.getValue(), FREE, false)))
            .toList();

    private static final Map<String, Setting> ALL = byName(List.of(
            new Setting("application_name", "", FREE, true),
            new Setting("bytea_output", "hex", new Rule.Words(Map.of("hex", "hex", "escape", "escape")), false),
            new Setting("check_function_bodies", "on", FREE, false),
            new Setting("client_encoding", "UTF8", only("UTF8", "utf8", "utf-8", "unicode"), true),
            new Setting("client_min_messages", "notice", FREE, false),
            new Setting("DateStyle", "ISO, MDY", new Rule.Dates(), true),
            new Setting(
                    "default_placement",
                    "partitioned",
                    new Rule.Words(Map.of("partitioned", "partitioned", "replicated", "replicated")),
                    false),
            new Setting("default_table_access_method", "heap", only("heap", "heap"), false),
            new Setting("default_tablespace", "", only("", "", "pg_default"), false),
            new Setting("default_transaction_deferrable", "off", SWITCH, false),
            new Setting("default_transaction_isolation", "serializable", isolation(), false),
            new Setting("default_transaction_read_only", "off", SWITCH, true),
            new Setting("default_with_oids", "off", only("off", "off", "false", "no", "0"), false),
            new Setting("extra_float_digits", "1", new Rule.Whole(1, 3), false),
            new Setting("fulmar.copy_batch", "0", new Rule.Whole(0, Integer.MAX_VALUE), false),
            new Setting("fulmar.sequence_cache", "32", new Rule.Whole(0, SequenceRule.MOST_CACHED), false),
            new Setting("idle_in_transaction_session_timeout", "0", new Rule.Duration(), false),
            new Setting("in_hot_standby", "off", FIXED, true),
            new Setting("integer_datetimes", "on", FIXED, true),
            new Setting(
                    "IntervalStyle",
                    "postgres",
                    new Rule.Words(Map.of(
                            "postgres", "postgres",
                            "postgres_verbose", "postgres_verbose",
                            "sql_standard", "sql_standard",
                            "iso_8601", "iso_8601")),
                    true),
            new Setting("is_superuser", "off", FIXED, true),
            new Setting("lock_timeout", "0", new Rule.Duration(), false),
            new Setting("max_identifier_length", "63", FIXED, false),
            new Setting("row_security", "on", SWITCH, false),
            new Setting("search_path", "\"$user\", public", new Rule.Path(), false),
            new Setting("server_encoding", "UTF8", FIXED, true),
            new Setting("server_version", "15.0 (Fulmar)", FIXED, true),
            new Setting("server_version_num", "150000", FIXED, false),
            new Setting("session_authorization", "", FIXED, true),
            new Setting("standard_conforming_strings", "on", ON, true),
            new Setting("statement_timeout", "0", new Rule.Duration(), false),
            new Setting("TimeZone", "UTC", new Rule.Zone(), true),
            new Setting("transaction_deferrable", "off", FIXED, false),
            new Setting("transaction_isolation", "serializable", FIXED, false),
            new Setting("transaction_read_only", "off", FIXED, false),
            new Setting("transaction_timeout", "0", only("0", "0", "0ms", "0s"), false),
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

    private static Map<String, Setting> byName(List<Setting> settings) {
        Map<String, Setting> byName = new TreeMap<>();
        Stream.concat(settings.stream(), OF_PLANS.stream())
                .forEach(setting -> byName.put(setting.name().toLowerCase(Locale.ROOT), setting));
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
