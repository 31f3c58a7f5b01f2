package dev.fulmar.benchmarks.experiment;

/**
 * Goal of a measured value.
 *
 * @param comparison how the measured value must stand to {@code value}
 */
public record Goal(String name, Comparison comparison, double value, String unit) {
    /** Direction of a goal. */
    public enum Comparison {
        AT_LEAST("at least"),
        AT_MOST("at most"),
        EXACTLY("exactly");

        private final String words;

        Comparison(String words) {
            this.words = words;
        }
    }

    public boolean isMetBy(double measured) {
        return switch (comparison) {
            case AT_LEAST -> measured >= value;
            case AT_MOST -> measured <= value;
            case EXACTLY -> measured == value;
        };
    }

    /** The goal in words, without its unit. */
    public String text() {
        String number = value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
        return comparison.words + " " + number;
    }
}
