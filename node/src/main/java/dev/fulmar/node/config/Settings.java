package dev.fulmar.node.config;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Texts by name, read as values of their types. After the last was read, {@link #refuseUnknown()} finds misspelled
 * names.
 */
final class Settings {
    private final TreeMap<String, String> texts;
    private final TreeSet<String> known = new TreeSet<>();

    Settings(Map<String, String> texts) {
        this.texts = new TreeMap<>(texts);
    }

    String text(String name, String defaultValue) {
        known.add(name);
        return texts.getOrDefault(name, defaultValue).trim();
    }

    int number(String name, int defaultValue, int least, int most) {
        return (int) number(name, (long) defaultValue, least, most);
    }

    long number(String name, long defaultValue, long least, long most) {
        String text = text(name, Long.toString(defaultValue));
        try {
            return within(name, text, Long.parseLong(text), least, most);
        } catch (NumberFormatException e) {
            throw refused(name, text, "a whole number from " + least + " to " + most, e);
        }
    }

    boolean truth(String name, boolean defaultValue) {
        String text = text(name, Boolean.toString(defaultValue));
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw refused(name, text, "true or false", null);
        };
    }

    /** A number of bytes, perhaps with the unit {@code k}, {@code m} or {@code g}. */
    long bytes(String name, long defaultValue, long least, long most) {
        String text = text(name, Long.toString(defaultValue));
        String form = "bytes from " + least + " to " + most + ", perhaps with the unit k, m or g";
        int shift = switch (text.isEmpty() ? ' ' : Character.toLowerCase(text.charAt(text.length() - 1))) {
            case 'k' -> 10;
            case 'm' -> 20;
            case 'g' -> 30;
            default -> 0;
        };
        try {
            long count = Long.parseLong(shift == 0 ? text : text.substring(0, text.length() - 1));
            return within(name, text, Math.multiplyExact(count, 1L << shift), least, most);
        } catch (NumberFormatException | ArithmeticException e) {
            throw refused(name, text, form, e);
        }
    }

    /** A duration with the unit {@code ms}, {@code s} or {@code m}. */
    Duration duration(String name, Duration defaultValue, Duration least, Duration most) {
        String text = text(name, defaultValue.toMillis() + "ms");
        String form = "a duration from " + least.toMillis() + "ms to " + most.toSeconds() + "s; units are ms, s and m";
        String digits = text.replaceFirst("(ms|s|m)$", "");
        try {
            long count = Long.parseLong(digits);
            Duration duration = switch (text.substring(digits.length())) {
                case "ms" -> Duration.ofMillis(count);
                case "s" -> Duration.ofSeconds(count);
                case "m" -> Duration.ofMinutes(count);
                default -> throw refused(name, text, form, null);
            };
            if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
                throw refused(name, text, form, null);
            }
            return duration;
        } catch (NumberFormatException | ArithmeticException e) {
            throw refused(name, text, form, e);
        }
    }

    void refuseUnknown() {
        for (String name : texts.keySet()) {
            if (!known.contains(name)) {
                throw new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION, "there is no setting " + name + "; there are " + known);
            }
        }
    }

    static FulmarException refused(String name, String text, String form, @Nullable Throwable cause) {
        return new FulmarException(
                ErrorCode.INVALID_CONFIGURATION,
                "the setting " + name + " cannot be '" + text + "'; write " + form,
                cause);
    }

    private static long within(String name, String text, long value, long least, long most) {
        if (value < least || value > most) {
            throw refused(name, text, "a value from " + least + " to " + most, null);
        }
        return value;
    }
}
