package dev.fulmar.node.lifecycle;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Keeps the log from filling a disk, whichever code writes it. Of each kind of line the first ones are written, and
 * then one a minute with the number of those that were left out. It is there whatever the configuration of the log
 * says. Lines of the audit trail are exempt, for those that any client can cause have a bound of their own.
 * Thread-safe.
 */
public final class LogLimits extends TurboFilter {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LogLimits.class);
    private static final String AUDIT = "dev.fulmar.audit";

    private final LineRates rates = new LineRates();
    private final LongSupplier clockNanos;

    LogLimits(LongSupplier clockNanos) {
        this.clockNanos = clockNanos;
    }

    /**
     * Begins to count what this process logs; nothing where it logs by other means. After {@link LoggedErrors#watch},
     * which sees every line.
     */
    public static void begin() {
        if (context().flatMap(LogLimits::of).isEmpty()) {
            context().ifPresent(context -> {
                LogLimits limits = new LogLimits(System::nanoTime);
                limits.setContext(context);
                limits.start();
                context.addTurboFilter(limits);
            });
        }
    }

    /** Tells what was left out, if it is time to; to be called now and then. */
    public static void tell() {
        context().flatMap(LogLimits::of).ifPresent(LogLimits::tellLeftOut);
    }

    private static Optional<LoggerContext> context() {
        ILoggerFactory factory = LoggerFactory.getILoggerFactory();
        return factory instanceof LoggerContext context ? Optional.of(context) : Optional.empty();
    }

    private static Optional<LogLimits> of(LoggerContext context) {
        return context.getTurboFilterList().stream()
                .filter(LogLimits.class::isInstance)
                .map(LogLimits.class::cast)
                .findFirst();
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] parameters,
            @Nullable Throwable thrown) {
        // Without a text it is the question whether the level is logged at all.
        if (format == null || !level.isGreaterOrEqual(logger.getEffectiveLevel())) {
            return FilterReply.NEUTRAL;
        }
        String name = logger.getName();
        if (name.equals(AUDIT) || name.equals(LOG.getName())) {
            return FilterReply.NEUTRAL;
        }
        boolean isWritten = rates.admits(new LineRates.Kind(name, template(format)), clockNanos.getAsLong());
        return isWritten ? FilterReply.NEUTRAL : FilterReply.DENY;
    }

    /** Libraries put values into the text themselves: sessions, addresses, times. */
    private static String template(String format) {
        StringBuilder text = new StringBuilder(format.length());
        boolean inNumber = false;
        for (int i = 0; i < format.length(); i++) {
            char each = format.charAt(i);
            boolean isDigit = Character.digit(each, 10) >= 0 || (inNumber && Character.digit(each, 16) >= 0);
            if (!isDigit) {
                text.append(each);
            } else if (!inNumber) {
                text.append('N');
            }
            inNumber = isDigit || (inNumber && each == 'x');
        }
        return text.toString();
    }

    void tellLeftOut() {
        List<LineRates.LeftOut> all = rates.leftOut(clockNanos.getAsLong());
        for (LineRates.LeftOut each : all) {
            String logger = each.kind().logger();
            LOG.info(
                    "{} more lines of {} were left out in the last {} s, like: {}",
                    each.lines(),
                    logger.substring(logger.lastIndexOf('.') + 1),
                    each.seconds(),
                    each.kind().template());
        }
    }
}
