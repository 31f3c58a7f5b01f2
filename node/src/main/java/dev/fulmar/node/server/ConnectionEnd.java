package dev.fulmar.node.server;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import io.netty.handler.ssl.NotSslRecordException;
import java.io.IOException;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notes in figures and log why a client's connection ends, whatever its protocol. On the connection's event loop. */
record ConnectionEnd(ServerStatistics.Part statistics, ClientOrigin origin) {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionEnd.class);

    /** The client is refused, perhaps for what it has sent. */
    void refused(FulmarException error) {
        if (error.code() != ErrorCode.TOO_MANY_CONNECTIONS
                && error.code() != ErrorCode.PERMISSION_DENIED
                && error.code() != ErrorCode.NODE_STOPPING) {
            statistics.malformed.increment();
            LOG.info("connection of {} is closed: {}", origin.address(), error.getMessage());
        }
    }

    /** Whether what serves the connection failed, and not the connection. */
    static boolean isDefect(Throwable thrown) {
        return !FatalErrors.isFatal(thrown)
                && !(thrown instanceof IOException)
                && !(thrown.getCause() instanceof SSLException);
    }

    /** The reason that the client hears of. */
    static FulmarException defect() {
        return new FulmarException(
                ErrorCode.INTERNAL, "the node failed while it served this connection; connect again, and read its log");
    }

    /** The connection broke, or what serves it did; a fatal error ends the node. */
    void broke(Throwable thrown) {
        FatalErrors.handIfFatal(thrown);
        if (thrown instanceof IOException) {
            LOG.debug("connection of {} broke", origin.address(), thrown);
        } else if (thrown.getCause() instanceof SSLException refused) {
            // The message of this one is all that came, whatever its length.
            String why = refused instanceof NotSslRecordException ? "what came is no TLS" : refused.getMessage();
            LOG.info("no TLS connection with {}: {}", origin.address(), why);
        } else {
            LOG.error("connection of {} is closed after a failure", origin.address(), thrown);
        }
    }
}
