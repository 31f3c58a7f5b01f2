package dev.fulmar.node.jmx;

import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.checkpoint.Checkpoints;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.server.ConnectionListener;
import dev.fulmar.node.server.ConnectionStatistics;
import dev.fulmar.node.server.NodeServer;
import dev.fulmar.pmemlog.backend.Backend;
import dev.fulmar.reconfig.move.Reconfiguration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes a node's figures. All beans have the key {@code node}, so that several nodes can live in one process.
 * Except for the listener's methods, all calls come from the one thread of the executor.
 */
public final class FigureBoard implements ConnectionListener {
    private static final Logger LOG = LoggerFactory.getLogger(FigureBoard.class);

    private final MBeanServer beans;
    private final int node;
    private final Executor executor;
    private final Set<ObjectName> published = new HashSet<>();
    private final List<Beans.Sampled> sampled = new ArrayList<>();
    private final Map<String, Beans.ProcedureBean> procedures = new TreeMap<>();
    private final Map<String, Beans.TableBean> tables = new TreeMap<>();
    private boolean closed;

    /** @param executor one thread, on which beans come and go */
    public FigureBoard(MBeanServer beans, int node, Executor executor) {
        this.beans = beans;
        this.node = node;
        this.executor = executor;
    }

    /** Publishes what exists as long as the node does. */
    public void open(NodeServer server, FigureSource database) {
        NodeBean whole = new NodeBean(node, server, database);
        publish(name("Node", "", ""), whole);
        sampled.add(whole);
        for (int site = 0; site < database.siteCount(); site++) {
            Beans.SiteBean bean = new Beans.SiteBean(site, database.site(site));
            publish(name("Site", "site", Integer.toString(site)), bean);
            sampled.add(bean);
        }
        for (int partition = 0; partition < database.partitionCount(); partition++) {
            Beans.PartitionBean bean = new Beans.PartitionBean(partition, database);
            publish(name("Partition", "partition", Integer.toString(partition)), bean);
            sampled.add(bean);
        }
    }

    /** Publishes the reconfigurations of a database of one node. */
    public void openReconfiguration(Reconfiguration reconfiguration) {
        publish(name("Reconfiguration", "", ""), new ReconfigurationBean(reconfiguration));
    }

    /** Publishes the node's part in its cluster. */
    public void openCluster(ClusterFigureSource cluster) {
        publish(name("Member", "", ""), cluster.member());
        for (int partition = 0; partition < cluster.partitions(); partition++) {
            publish(name("Copy", "partition", Integer.toString(partition)), cluster.copy(partition));
        }
    }

    /** Publishes the figures of a durable database's log. */
    public void openLog(Durability durability, Backend backend) {
        LogBean bean = new LogBean(durability, backend);
        publish(name("Log", "", ""), bean);
        sampled.add(bean);
        Checkpoints checkpoints = durability.checkpoints();
        if (checkpoints != null && checkpoints.isTaking()) {
            publish(name("Checkpoint", "", ""), new CheckpointBean(durability, checkpoints));
            publish(name("Backup", "", ""), new BackupBean(durability));
        }
    }

    /** Publishes how far the recovery is, before it begins. */
    public void openRecovery(Durability durability) {
        publish(name("Recovery", "", ""), new RecoveryBean(durability.recovery()));
    }

    /** Samples all figures; to be called once a second. */
    public void sample(long nowNanos, FigureSource database) {
        if (closed) {
            return;
        }
        sampled.forEach(bean -> bean.sample(nowNanos));
        sampleProcedures(nowNanos, database.procedures());
        sampleTables(database.tables());
    }

    /** Takes everything down. */
    public void close() {
        closed = true;
        List.copyOf(published).forEach(this::withdraw);
    }

    @Override
    public void opened(ConnectionStatistics client) {
        executor.execute(() -> {
            if (!closed) {
                publish(name("Client", "client", Long.toString(client.id())), new Beans.ClientBean(client));
            }
        });
    }

    @Override
    public void closed(ConnectionStatistics client) {
        executor.execute(() -> withdraw(name("Client", "client", Long.toString(client.id()))));
    }

    private void sampleProcedures(long nowNanos, List<ProcedureFigures> figures) {
        Set<String> present = new HashSet<>();
        for (ProcedureFigures procedure : figures) {
            present.add(procedure.name());
            procedures
                    .computeIfAbsent(procedure.name(), key -> {
                        Beans.ProcedureBean bean = new Beans.ProcedureBean(procedure);
                        publish(name("Procedure", "procedure", ObjectName.quote(key)), bean);
                        return bean;
                    })
                    .update(nowNanos, procedure);
        }
        procedures.keySet().removeIf(key -> gone(present, "Procedure", "procedure", key));
    }

    private void sampleTables(List<TableFigures> figures) {
        Set<String> present = new HashSet<>();
        for (TableFigures table : figures) {
            present.add(table.name());
            tables.computeIfAbsent(table.name(), key -> {
                        Beans.TableBean bean = new Beans.TableBean(table);
                        publish(name("Table", "table", ObjectName.quote(key)), bean);
                        return bean;
                    })
                    .update(table);
        }
        tables.keySet().removeIf(key -> gone(present, "Table", "table", key));
    }

    private boolean gone(Set<String> present, String type, String property, String key) {
        if (present.contains(key)) {
            return false;
        }
        withdraw(name(type, property, ObjectName.quote(key)));
        return true;
    }

    private void publish(ObjectName name, Object bean) {
        try {
            beans.registerMBean(DescribedBean.of(bean), name);
            published.add(name);
        } catch (InstanceAlreadyExistsException e) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a node " + node
                            + " publishes its figures in this process already; give this one another number, or set jmx=false",
                    e);
        } catch (JMException e) {
            throw new FulmarException(ErrorCode.INTERNAL, "the figures " + name + " could not be published", e);
        }
    }

    private void withdraw(ObjectName name) {
        if (published.remove(name)) {
            try {
                beans.unregisterMBean(name);
            } catch (InstanceNotFoundException e) {
                LOG.debug("{} was taken down by somebody else", name, e);
            } catch (JMException e) {
                LOG.warn("{} could not be taken down", name, e);
            }
        }
    }

    private ObjectName name(String type, String property, String value) {
        String text =
                "fulmar:type=" + type + ",node=" + node + (property.isEmpty() ? "" : "," + property + "=" + value);
        try {
            return new ObjectName(text);
        } catch (JMException e) {
            throw new FulmarException(ErrorCode.INTERNAL, text + " is no name for figures", e);
        }
    }
}
