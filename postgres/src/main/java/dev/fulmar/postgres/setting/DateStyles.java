package dev.fulmar.postgres.setting;

import dev.fulmar.foundation.data.DateOrder;
import java.util.Locale;
import java.util.Optional;

/** Values of the setting DateStyle: a style in which dates are written, and the order in which they are read. */
final class DateStyles {
    private DateStyles() {}

    /** The value with the words that SET gives, of which each changes the one or the other; empty if one is unknown. */
    static Optional<String> changed(String value, String words) {
        DateOrder order = SessionStyle.dateOrder(value);
        for (String word : words.split(",", -1)) {
            switch (word.strip().toUpperCase(Locale.ROOT)) {
                case "ISO" -> {}
                case "MDY", "US", "NONEURO", "NONEUROPEAN" -> order = DateOrder.MDY;
                case "DMY", "EURO", "EUROPEAN" -> order = DateOrder.DMY;
                case "YMD" -> order = DateOrder.YMD;
                default -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.of("ISO, " + order);
    }
}
