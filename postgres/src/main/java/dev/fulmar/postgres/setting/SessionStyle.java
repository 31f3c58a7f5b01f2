package dev.fulmar.postgres.setting;

import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.IntervalStyle;
import java.util.Locale;

/** How a session reads texts of dates and intervals, by the values of its settings. */
public final class SessionStyle {
    private static final int ORDER_LETTERS = 3;

    private SessionStyle() {}

    /** The order in a value of DateStyle, whose last word it is. */
    public static DateOrder dateOrder(String dateStyle) {
        String letters = dateStyle.substring(Math.max(0, dateStyle.length() - ORDER_LETTERS));
        for (DateOrder order : DateOrder.values()) {
            if (order.name().equals(letters)) {
                return order;
            }
        }
        return DateOrder.MDY;
    }

    /** The style of a value of IntervalStyle. */
    public static IntervalStyle intervals(String intervalStyle) {
        for (IntervalStyle style : IntervalStyle.values()) {
            if (style.name().equals(intervalStyle.toUpperCase(Locale.ROOT))) {
                return style;
            }
        }
        return IntervalStyle.POSTGRES;
    }
}
