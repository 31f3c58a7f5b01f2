package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Conversions between instants and the timestamps or texts that stand for them in a time zone. */
final class Zones {
    private Zones() {}

    /**
     * Converts a TIMESTAMP WITH TIME ZONE to TIMESTAMP or text, or one of these to it.
     *
     * @param zone the time zone, which a null name makes null
     */
    static Evaluator compile(Evaluator value, ColumnType from, Zone zone, ColumnType to) {
        if (from.kind().isCharacter() && value instanceof BytesEvaluator text) {
            return ofText(text, zone);
        }
        if (!(value instanceof LongEvaluator number)) {
            throw Invariants.breach("a " + from + " is no timestamp");
        }
        if (to.kind().isCharacter()) {
            return (BytesEvaluator) frame -> {
                long x = number.evaluate(frame);
                ZoneId known = frame.isNull ? ZoneOffset.UTC : zone.of(frame);
                if (!frame.isNull) {
                    Results.text(frame, ZonedTime.text(x, known));
                }
            };
        }
        boolean isInstant = from.kind() == TypeKind.TIMESTAMP_TZ;
        return (LongEvaluator) frame -> {
            long x = number.evaluate(frame);
            ZoneId known = frame.isNull ? ZoneOffset.UTC : zone.of(frame);
            if (frame.isNull || InfiniteTime.isMoment(x)) {
                return x;
            }
            return Temporals.checked(isInstant ? ZonedTime.local(x, known) : ZonedTime.instant(x, known), to.kind());
        };
    }

    private static LongEvaluator ofText(BytesEvaluator text, Zone zone) {
        return frame -> {
            text.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            String written = NativeText.decode(frame.bytesAddress, frame.bytesLength);
            ZoneId known = zone.of(frame);
            return frame.isNull ? 0 : Temporals.parseTimestampTz(written, known);
        };
    }

    /** The time zone of a conversion. */
    @FunctionalInterface
    interface Zone {
        /** The zone; any one if the frame then says that it is null. */
        ZoneId of(Frame frame);

        /** The zone of the name. */
        static Zone named(String name) {
            ZoneId zone = Zones.known(name);
            return frame -> zone;
        }

        /** The zone of a name that is known for each row only, and mostly stays the same. */
        static Zone computed(BytesEvaluator name) {
            Known[] last = {new Known("UTC", ZoneOffset.UTC)};
            return frame -> {
                name.evaluate(frame);
                if (frame.isNull) {
                    return ZoneOffset.UTC;
                }
                String wanted = NativeText.decode(frame.bytesAddress, frame.bytesLength);
                Known known = last[0];
                if (!wanted.equals(known.name)) {
                    known = new Known(wanted, Zones.known(wanted));
                    last[0] = known;
                }
                return known.zone;
            };
        }
    }

    private record Known(String name, ZoneId zone) {}

    private static ZoneId known(String name) {
        return ZonedTime.writtenZone(name)
                .orElseThrow(() -> new FulmarException(
                        ErrorCode.INVALID_TEXT,
                        "there is no time zone '" + name + "'; write its name, as UTC or Europe/Oslo"));
    }
}
