package dev.fulmar.pmemlog.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.recovery.LogReader;
import dev.fulmar.pmemlog.recovery.LogScan;
import java.util.ArrayList;
import java.util.List;

/** A log of small segments on a simulated device. */
abstract class LogFixture {
    static final NodeId NODE = new NodeId(0);
    static final long SEAL_NANOS = 50_000_000;
    static final LogSettings SETTINGS =
            new LogSettings("data/olog", 16_384, 512, 4_096, 8_192, 1_024, 4, 1, SEAL_NANOS);

    final SimulatedWorld world = new SimulatedWorld(1);
    final List<String> heard = new ArrayList<>();
    SimulatedProcess process = world.startProcess(NODE);

    final DurabilityListener listener = new DurabilityListener() {
        @Override
        public void durable(PartitionLogBuffer lane) {
            heard.add("stream " + lane.stream() + " at " + lane.durablePosition());
        }

        @Override
        public void failed(FulmarException failure) {
            heard.add(failure.code().toString());
        }
    };

    OperationLog open() {
        return open(SETTINGS);
    }

    OperationLog open(LogSettings settings) {
        return LogOpening.open(process.storage(), process.clock(), world.random("log id"), settings, listener);
    }

    LogScan scan() {
        return LogReader.scan(process.storage(), SETTINGS.directory());
    }

    static long append(PartitionLogBuffer lane, int payloadBytes) {
        return append(lane, RecordKind.COMMAND, payloadBytes);
    }

    static long append(PartitionLogBuffer lane, RecordKind kind, int payloadBytes) {
        assertThat(lane.begin(kind, payloadBytes)).isNotNull();
        return lane.commit(payloadBytes);
    }

    static ErrorCode codeOf(Throwable failure) {
        return ((FulmarException) failure).code();
    }

    static void prepare(OperationLog log) {
        while (log.preparer().doWork() > 0) {
            assertThat(log.failure()).isNull();
        }
    }

    static void work(OperationLog log) {
        while (log.doWork() + log.preparer().doWork() > 0) {
            assertThat(log.failure()).isNull();
        }
    }

    static void fillUp(OperationLog log, PartitionLogBuffer lane) {
        while (log.shortage() == null) {
            append(lane, 200);
            work(log);
        }
    }
}
