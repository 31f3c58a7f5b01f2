package dev.fulmar.postgres.setting;

import dev.fulmar.engine.spi.StatementStyle;
import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.IntervalStyle;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.type.OutputStyle;
import dev.fulmar.wire.session.Isolation;
import dev.fulmar.wire.session.SessionCommand;
import dev.fulmar.wire.session.TransactionMode;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The settings of one session. Not thread-safe. */
public final class SessionSettings {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,18})\\s*(us|ms|s|min|h|d)?");
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final String ISOLATION = "transaction_isolation";
    private static final String READ_ONLY = "transaction_read_only";
    private static final String DEFERRABLE = "transaction_deferrable";
    private static final String PLACEMENT = "default_placement";
    private static final String TIMEOUT = "statement_timeout";

    private static final String PATH = "search_path";
    private static final String ZONE = "timezone";
    private static final String DATES = "datestyle";
    private static final String INTERVALS = "intervalstyle";
    private static final String BYTES = "bytea_output";

    /** A setting and its value. */
    public record Value(String name, String value) {}

    private static final Set<String> OF_TRANSACTION = Set.of(ISOLATION, READ_ONLY, DEFERRABLE);

    private final BiConsumer<String, String> report;
    private final Consumer<String> warn;
    private Consumer<String> placed = value -> {};
    private long timeoutNanos;
    private StatementStyle statementStyle = StatementStyle.USUAL;
    private OutputStyle outputStyle = OutputStyle.ofZone(ZoneOffset.UTC);

    /** Values of this moment, by names in lower case. */
    private final Map<String, String> values = new TreeMap<>();

    /** Values that RESET brings back. */
    private final Map<String, String> initial = new TreeMap<>();

    /** Values that have changed since the transaction began, as they were then; null outside of one. */
    private @Nullable Map<String, String> before;

    /** Values that SET LOCAL hides until the end of the transaction. Each change makes a new map. */
    private Map<String, String> local = Map.of();

    private final SettingMarks marks = new SettingMarks();

    /**
     * @param report hears of changes that the client must know: the name and the value
     * @param warn hears of statements without effect
     */
    public SessionSettings(BiConsumer<String, String> report, Consumer<String> warn) {
        this.report = report;
        this.warn = warn;
        for (Setting setting : Setting.all()) {
            initial.put(key(setting.name()), setting.initial());
        }
        values.putAll(initial);
    }

    /** A value that the server gives a setting which clients cannot set, before the session begins. */
    public void fix(String name, String value) {
        initial.put(key(name), value);
        values.put(key(name), value);
        noteValue(name, value);
    }

    private void noteValue(String name, String value) {
        switch (key(name)) {
            case PLACEMENT -> placed.accept(value);
            case TIMEOUT -> timeoutNanos = millis(value) * NANOS_PER_MILLI;
            case ZONE ->
                style(Zones.of(value).orElse(ZoneOffset.UTC), statementStyle.order(), statementStyle.intervals());
            case DATES -> style(statementStyle.zone(), SessionStyle.dateOrder(value), statementStyle.intervals());
            case INTERVALS -> style(statementStyle.zone(), statementStyle.order(), SessionStyle.intervals(value));
            case PATH -> statementStyle = statementStyle.withPath(SearchPath.schemas(value));
            case BYTES ->
                outputStyle = new OutputStyle(outputStyle.zone(), outputStyle.intervals(), value.equals("escape"));
            default -> {}
        }
    }

    private void style(ZoneId zone, DateOrder order, IntervalStyle intervals) {
        statementStyle = new StatementStyle(zone, order, intervals, statementStyle.path());
        outputStyle = new OutputStyle(zone, intervals, outputStyle.areBytesEscaped());
    }

    /** A value of the client's first message. Names that are unknown are refused as SET refuses them. */
    public void begin(String name, String value) {
        String checked = checked(known(name), value);
        fix(name, checked);
    }

    /** Tells all values that the client is to know from the begin. */
    public void reportAll() {
        for (Setting setting : Setting.all()) {
            if (setting.isReported()) {
                report.accept(setting.name(), value(setting.name()));
            }
        }
    }

    public String value(String name) {
        String value = values.get(key(known(name).name()));
        return value == null ? "" : value;
    }

    /** A setting as SHOW prints it. */
    public Value show(String name) {
        Setting setting = known(name);
        boolean isOfTransaction = OF_TRANSACTION.contains(key(name));
        // Outside of a transaction they are those of the next one.
        return new Value(
                setting.name(), value(isOfTransaction && before == null ? "default_" + key(name) : setting.name()));
    }

    /** The time zone in which instants without one are read and shown. */
    public ZoneId zone() {
        return statementStyle.zone();
    }

    /** How statements read and write texts of dates, times and intervals, and what their plain names mean. */
    public StatementStyle statementStyle() {
        return statementStyle;
    }

    /** How values of results are written as texts. */
    public OutputStyle outputStyle() {
        return outputStyle;
    }

    public List<Value> all() {
        return Setting.all().stream().map(setting -> show(setting.name())).toList();
    }

    public void set(String name, String value, boolean isLocal) {
        warnIfWithoutEffect(isLocal);
        setByFunction(name, value, isLocal);
    }

    /** The same without a warning. */
    public void setByFunction(String name, String value, boolean isLocal) {
        Setting setting = known(name);
        put(setting, checked(setting, value), isLocal);
    }

    private void warnIfWithoutEffect(boolean isLocal) {
        if (isLocal && before == null) {
            warn.accept("SET LOCAL can only be used in transaction blocks");
        }
    }

    public void reset(String name, boolean isLocal) {
        warnIfWithoutEffect(isLocal);
        Setting setting = known(name);
        if (setting.rule() instanceof Setting.Rule.Fixed) {
            throw fixed(setting);
        }
        String value = initial.get(key(name));
        put(setting, value == null ? setting.initial() : value, isLocal);
    }

    public void resetAll() {
        for (Setting setting : Setting.all()) {
            if (!(setting.rule() instanceof Setting.Rule.Fixed)) {
                reset(setting.name(), false);
            }
        }
    }

    /** A transaction begins with the modes, or is given them: what is set from now on is taken back with it. */
    public void transactionHas(TransactionMode mode) {
        if (before == null) {
            before = new TreeMap<>();
        }
        put(ISOLATION, level(mode));
        put(READ_ONLY, mode.readOnly().orElse(false) ? "on" : "off");
        put(DEFERRABLE, mode.deferrable().orElse(false) ? "on" : "off");
    }

    /** PostgreSQL's name of the level of a transaction. */
    private static String level(TransactionMode mode) {
        return switch (mode.isolation().orElse(Isolation.SERIALIZABLE)) {
            case READ_COMMITTED -> "read committed";
            case SNAPSHOT -> "repeatable read";
            case SERIALIZABLE -> "serializable";
        };
    }

    public void transactionEnds(boolean isCommitted) {
        Map<String, String> earlier = isCommitted ? local : before;
        before = null;
        local = Map.of();
        marks.clear();
        if (earlier != null) {
            change(earlier);
        }
    }

    /** The transaction has executed a statement, which may be one about savepoints. */
    public void executed(SessionCommand command) {
        switch (command) {
            case SessionCommand.Savepoint(String name) -> marks.set(name, local);
            case SessionCommand.Release(String name) -> marks.release(name);
            case SessionCommand.RollbackTo(String name) -> {
                SettingMarks.Mark mark = marks.backTo(name);
                if (mark != null) {
                    change(mark.changed());
                    mark.changed().clear();
                    local = mark.local();
                }
            }
            default -> {
                // It is about none.
            }
        }
    }

    private void change(Map<String, String> changed) {
        new TreeMap<>(changed).forEach((key, value) -> {
            Setting setting = Setting.find(key);
            if (setting != null) {
                change(setting, value);
            }
        });
    }

    /** Puts a value, which the end of the transaction may take back; the value before. */
    private @Nullable String put(String key, String value) {
        String earlier = values.put(key, value);
        if (before != null && earlier != null) {
            before.putIfAbsent(key, earlier);
            if (!OF_TRANSACTION.contains(key)) { // the transaction keeps its modes
                marks.changes(key, earlier);
            }
        }
        return earlier;
    }

    /** Rows of a COPY that are committed by themselves; 0 if all are committed together. */
    public long copyBatchRows() {
        return Long.parseLong(value("fulmar.copy_batch"));
    }

    /** Time that a statement may take; 0 for the node's own limit. Each statement asks, so it is read once. */
    public long statementTimeoutNanos() {
        return timeoutNanos;
    }

    /** Time to wait for a lock; 0 for no limit. */
    public long lockTimeoutNanos() {
        return millis(value("lock_timeout")) * NANOS_PER_MILLI;
    }

    private void put(Setting setting, String value, boolean isLocal) {
        String key = key(setting.name());
        if (isLocal && before == null) {
            return; // it would end at once, with the statement
        }
        Map<String, String> hidden = new TreeMap<>(local);
        if (isLocal) {
            hidden.putIfAbsent(key, value(setting.name()));
        } else {
            hidden.remove(key);
        }
        local = hidden;
        change(setting, value);
    }

    /** Has a listener hear of the place of new tables, now and at each change. */
    public void onPlacement(Consumer<String> listener) {
        placed = listener;
        listener.accept(value(PLACEMENT));
    }

    private void change(Setting setting, String value) {
        noteValue(setting.name(), value);
        String earlier = put(key(setting.name()), value);
        if (setting.isReported() && !value.equals(earlier)) {
            report.accept(setting.name(), value);
        }
    }

    private String checked(Setting setting, String value) {
        return switch (setting.rule()) {
            case Setting.Rule.Fixed _ -> throw fixed(setting);
            case Setting.Rule.Free _ -> value;
            case Setting.Rule.Words(Map<String, String> meanings) -> {
                String meaning = meanings.get(value.strip().toLowerCase(Locale.ROOT));
                if (meaning == null) {
                    throw refused(setting, value, "it takes " + String.join(", ", new TreeMap<>(meanings).keySet()));
                }
                yield meaning;
            }
            case Setting.Rule.Dates _ ->
                DateStyles.changed(value(DATES), value)
                        .orElseThrow(() -> refused(
                                setting,
                                value,
                                "it takes ISO, with MDY, DMY or YMD for the order of a date's numbers"));
            case Setting.Rule.Duration _ -> {
                if (!DURATION.matcher(value.strip()).matches()) {
                    throw refused(setting, value, "it takes milliseconds, or a number with ms, s, min, h or d");
                }
                yield value.strip();
            }
            case Setting.Rule.Zone _ -> {
                if (Zones.of(value).isEmpty()) {
                    throw refused(setting, value, "it takes a time zone, such as UTC or Europe/Oslo");
                }
                yield value.strip();
            }
            case Setting.Rule.Path _ -> {
                String problem = SearchPath.problem(value).orElse(null);
                if (problem != null) {
                    throw refused(setting, value, problem);
                }
                yield value.strip();
            }
            case Setting.Rule.Whole(long least, long most) -> {
                if (!isWhole(value.strip(), least, most)) {
                    throw refused(setting, value, "it takes whole numbers from " + least + " to " + most);
                }
                yield value.strip();
            }
        };
    }

    private static boolean isWhole(String value, long least, long most) {
        try {
            long number = Long.parseLong(value);
            return number >= least && number <= most;
        } catch (NumberFormatException none) {
            return false;
        }
    }

    private static long millis(String value) {
        Matcher duration = DURATION.matcher(value);
        if (!duration.matches()) {
            return 0;
        }
        long number = Math.min(Long.parseLong(duration.group(1)), Integer.MAX_VALUE);
        String unit = duration.group(2);
        return switch (unit == null ? "ms" : unit) {
            case "us" -> number / 1_000;
            case "s" -> number * 1_000;
            case "min" -> number * 60_000;
            case "h" -> number * 3_600_000;
            case "d" -> number * 86_400_000;
            default -> number;
        };
    }

    private static Setting known(String name) {
        Setting setting = Setting.find(name);
        if (setting == null) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_OBJECT,
                    "unrecognized configuration parameter \"" + name + "\"; SHOW ALL lists those that there are");
        }
        return setting;
    }

    private static FulmarException fixed(Setting setting) {
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED, "parameter \"" + setting.name() + "\" cannot be changed: the server says it");
    }

    private static FulmarException refused(Setting setting, String value, String what) {
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED,
                "parameter \"" + setting.name() + "\" cannot be \"" + value + "\" here: " + what);
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
