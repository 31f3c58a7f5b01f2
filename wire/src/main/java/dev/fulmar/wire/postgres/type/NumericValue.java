package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.data.Numeric;
import java.math.BigDecimal;

/** Value of PostgreSQL's {@code numeric}, which may be no number. */
public sealed interface NumericValue {
    /** The value of a NUMERIC. */
    static NumericValue of(Numeric value) {
        return switch (value.kind()) {
            case NUMBER -> new Finite(value.number());
            case NAN -> Special.NAN;
            case INFINITY -> Special.INFINITY;
            case NEGATIVE_INFINITY -> Special.NEGATIVE_INFINITY;
        };
    }

    /** A number. Its scale is that with which it is shown, if it is not negative. */
    record Finite(BigDecimal number) implements NumericValue {}

    /** A value that is no number, and that no type of Fulmar holds. */
    enum Special implements NumericValue {
        NAN("NaN"),
        INFINITY("Infinity"),
        NEGATIVE_INFINITY("-Infinity");

        private final String text;

        Special(String text) {
            this.text = text;
        }

        /** As PostgreSQL writes it. */
        public String text() {
            return text;
        }
    }
}
