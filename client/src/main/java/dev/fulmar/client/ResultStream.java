package dev.fulmar.client;

import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a query, of any number, fetched in parts over one connection. All of them are of one state of the
 * database, that of its opening. While one part is read the next one is on its way, so the client holds two of them at
 * most. It is open until {@link #next} has returned false, or until {@link #close}.
 *
 * <p>A stream that is not read for long is ended by the server, as is one whose state is too old to be kept: then
 * {@link #next} fails with {@link ErrorCode#PORTAL_ENDED} or {@link ErrorCode#SNAPSHOT_TOO_OLD}, at each call. After
 * {@link ErrorCode#SERVER_BUSY} it may be called again. Not thread-safe.
 */
public final class ResultStream implements AutoCloseable {
    static final String PROCEDURE = "@Portal";

    private final ClientConnections connections;
    private final int procedure;
    private final Consistency consistency;
    private final int connection;
    private final long number;
    private final int fetchSize;
    private ResultTable part;
    private long snapshot;

    /** The part that is on its way; null if none is. */
    private @Nullable RunningCall coming;

    /** Whether the server may have it open. */
    private boolean isOpen = true;

    /** Why there are no more rows, if that is not the end of the result. */
    private @Nullable FulmarException failure;

    private ResultStream(
            ClientConnections connections,
            int procedure,
            Consistency consistency,
            int fetchSize,
            String sql,
            @Nullable Object... arguments) {
        if (fetchSize < 1) {
            throw new FulmarException(ErrorCode.WRONG_PARAMETERS, "a fetch size is at least 1 row, not " + fetchSize);
        }
        this.connections = connections;
        this.procedure = procedure;
        this.consistency = consistency;
        this.connection = connections.oneConnection();
        this.number = connections.nextTransaction();
        this.fetchSize = fetchSize;
        try {
            this.part = await(send(fetchSize, sql, arguments));
        } catch (FulmarException e) {
            close();
            throw e;
        }
    }

    /**
     * Opens one, with its first part.
     *
     * @param procedure the client's number of {@value #PROCEDURE}
     */
    static ResultStream open(
            ClientConnections connections,
            int procedure,
            Consistency consistency,
            int fetchSize,
            String sql,
            @Nullable Object... arguments) {
        return new ResultStream(connections, procedure, consistency, fetchSize, sql, arguments);
    }

    /** Moves to the next row, and waits for its part if need be; false at the end. */
    public boolean next() {
        while (!part.next()) {
            FulmarException why = failure;
            if (why != null) {
                throw why;
            }
            if (!isOpen) {
                return false;
            }
            RunningCall awaited = coming;
            coming = null;
            part = await(awaited == null ? send(fetchSize, null) : awaited);
        }
        return true;
    }

    /** Takes the part, and asks for the next one. */
    private ResultTable await(RunningCall call) {
        CallResult result;
        try {
            result = connections.await(call.outcome());
        } catch (FulmarException e) {
            if (e.code() != ErrorCode.SERVER_BUSY) { // else the part may be fetched again
                failure = e;
            }
            throw e;
        }
        isOpen = result.hasMore();
        snapshot = result.snapshotTimestamp();
        if (isOpen) {
            coming = send(fetchSize, null);
        }
        return result.table();
    }

    /** Bytes of the part that is read; another one of about so many may be on its way. */
    public int partBytes() {
        return part.bytes();
    }

    public List<ResultColumn> columns() {
        return part.columns();
    }

    public int columnCount() {
        return part.columnCount();
    }

    /** Position of the column with the name, whatever its case. */
    public int column(String name) {
        return part.column(name);
    }

    /** Timestamp of the state of the database that is read. */
    public long snapshotTimestamp() {
        return snapshot;
    }

    public boolean isNull(int column) {
        return part.isNull(column);
    }

    /** An integer, boolean (0 or 1), date (days), time or timestamp (microseconds). */
    public long getLong(int column) {
        return part.getLong(column);
    }

    public int getInt(int column) {
        return part.getInt(column);
    }

    public boolean getBoolean(int column) {
        return part.getBoolean(column);
    }

    /** Any number, rounded to the nearest double. */
    public double getDouble(int column) {
        return part.getDouble(column);
    }

    /** The characters of a CHAR or VARCHAR, the text of any other value, or null. */
    public @Nullable String getString(int column) {
        return part.getString(column);
    }

    public byte @Nullable [] getBytes(int column) {
        return part.getBytes(column);
    }

    public @Nullable BigDecimal getDecimal(int column) {
        return part.getDecimal(column);
    }

    public @Nullable UUID getUuid(int column) {
        return part.getUuid(column);
    }

    /** The value as the Java type that fits its SQL type best, or null. */
    public @Nullable Object getObject(int column) {
        return part.getObject(column);
    }

    /** Closes it at the server, if that may have more rows, which are gone then. Does not wait. */
    @Override
    public void close() {
        if (isOpen) {
            isOpen = false;
            coming = null;
            if (failure == null) {
                failure = new FulmarException(ErrorCode.PORTAL_ENDED, "the stream is closed; open another one");
            }
            send(0, null);
        }
    }

    private RunningCall send(int rows, @Nullable String sql, @Nullable Object... arguments) {
        ParameterWriter parameters = CallSize.newParameterWriter(CallSize.INITIAL_PARAMETER_BYTES);
        parameters.add(number).add(rows);
        if (sql != null) {
            parameters.add(sql);
            for (Object argument : arguments) {
                parameters.addObject(argument);
            }
        }
        FutureOutcome outcome = new FutureOutcome();
        int length = parameters.end();
        PendingCall call =
                new PendingCall(procedure, PROCEDURE, false, parameters.array(), length, consistency, outcome);
        call.onlyConnection = connection;
        connections.submit(call, connections.callTimeout(), StatementCall.PATIENCE);
        return new RunningCall(connections, call, outcome);
    }
}
