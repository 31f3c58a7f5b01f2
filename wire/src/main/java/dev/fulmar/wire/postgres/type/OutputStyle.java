package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.data.IntervalStyle;
import java.time.ZoneId;

/**
 * How the text of values is, as the settings of a session say.
 *
 * @param zone in which the text of a {@code timestamptz} is
 * @param areBytesEscaped whether bytes are characters and octal numbers; else they are hexadecimal
 */
public record OutputStyle(ZoneId zone, IntervalStyle intervals, boolean areBytesEscaped) {
    /** The usual style in a zone. */
    public static OutputStyle ofZone(ZoneId zone) {
        return new OutputStyle(zone, IntervalStyle.POSTGRES, false);
    }
}
