package dev.fulmar.node.jmx;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.planning.PlanningFigures;
import dev.fulmar.coordinator.portal.PortalFigures;
import dev.fulmar.coordinator.session.SessionFigures;
import dev.fulmar.engine.partition.counter.PartitionCounters;
import dev.fulmar.engine.partition.counter.SiteCounters;
import java.util.List;

/** Source of the database's figures. Thread-safe. */
public interface FigureSource {
    int siteCount();

    SiteCounters site(int site);

    int partitionCount();

    /** Partitions without the spare ones. */
    int partitionsWithKeys();

    PartitionCounters partition(int partition);

    /** Requests that wait for the partition, roughly. */
    int queueDepth(int partition);

    /** Age of the oldest reader of a snapshot at the partition, 0 if there is none. */
    double snapshotOldestSeconds(int partition);

    /** Multi-partition transactions under way. */
    int liveTransactions();

    /** Whether a transaction commits on each partition that is led here; may wait for a second or two. */
    boolean servesTransactions();

    PlanningFigures planning();

    /** Open transactions of clients. */
    SessionFigures sessions();

    /** Results that clients fetch in parts. */
    PortalFigures portals();

    long catalogVersion();

    DurabilityMode durability();

    long memoryUsedBytes();

    long memoryLimitBytes();

    List<ProcedureFigures> procedures();

    List<TableFigures> tables();
}
