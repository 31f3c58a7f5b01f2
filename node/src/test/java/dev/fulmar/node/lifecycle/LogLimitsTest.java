package dev.fulmar.node.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogLimitsTest {
    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private long nowNanos;

    @BeforeEach
    void limit() {
        LogLimits limits = new LogLimits(() -> nowNanos);
        limits.setContext(context);
        limits.start();
        context.addTurboFilter(limits);
        lines.setContext(context);
        lines.start();
        Logger root = context.getLogger("ROOT");
        root.setLevel(Level.INFO);
        root.addAppender(lines);
    }

    @Test
    void linesThatDifferByTheirValuesAreOfOneKind() {
        Logger logger = context.getLogger("dev.fulmar.Server");
        for (int i = 0; i < 1_000; i++) {
            logger.info("connection of {} is closed: {}", "10.0.0." + i, "reason " + i);
        }
        assertThat(lines.list).hasSize(LineRates.FIRST_LINES);
    }

    @Test
    void numbersThatLibrariesPutIntoTheirTextsMakeNoKind() {
        Logger logger = context.getLogger("org.apache.zookeeper.ClientCnxn");
        for (int i = 0; i < 1_000; i++) {
            logger.warn(
                    "Session 0x" + Integer.toHexString(0xabc000 + i) + " for server localhost/127.0.0.1:" + i
                            + ", Closing",
                    new IOException());
        }
        assertThat(lines.list).hasSize(LineRates.FIRST_LINES);
    }

    @Test
    void whatIsNotLoggedAnywayIsNotCounted() {
        Logger logger = context.getLogger("dev.fulmar.Server");
        for (int i = 0; i < 100; i++) {
            logger.debug("a detail");
        }
        logger.setLevel(Level.DEBUG);
        logger.debug("a detail");
        assertThat(lines.list).hasSize(1);
        assertThat(logger.isInfoEnabled()).as("a question is no line").isTrue();
    }

    @Test
    void theAuditTrailIsNotItsBusiness() {
        Logger logger = context.getLogger("dev.fulmar.audit");
        for (int i = 0; i < 100; i++) {
            logger.info("{} did it", i);
        }
        assertThat(lines.list).hasSize(100);
    }
}
