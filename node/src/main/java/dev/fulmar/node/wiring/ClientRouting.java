package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.access.AccessControl;
import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partitioning.KeyRanges;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.node.server.NodeServer;
import dev.fulmar.node.server.RoutingKeys;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.proto.Bound;
import dev.fulmar.wire.proto.Host;
import dev.fulmar.wire.proto.KeyKind;
import dev.fulmar.wire.proto.Topology;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Notifies clients of the nodes that serve keys, so that they send calls straight there. The information may be old:
 * nodes forward calls that reach the wrong node.
 */
final class ClientRouting implements RoutingKeys {
    private final Database database;
    private final NodeServer server;
    private @Nullable Seen seen;
    private @Nullable Topology told;
    private @Nullable Catalog toldOf;

    /** Describing a plan takes as long as it has ranges, so it is not done again for what has not changed. */
    private record Seen(
            PartitionPlan plan, dev.fulmar.coordinator.cluster.Topology known, Map<NodeId, String> clientAddresses) {
        Seen {
            clientAddresses = Map.copyOf(clientAddresses);
        }
    }

    ClientRouting(Database database, NodeServer server) {
        this.database = database;
        this.server = server;
    }

    /** Tells what has changed since it looked last. One thread at a time. */
    void look(dev.fulmar.coordinator.cluster.@Nullable Topology known, Map<NodeId, String> clientAddresses) {
        if (known == null) {
            return;
        }
        Seen looked = new Seen(database.plans().newest(), known, clientAddresses);
        if (!looked.equals(seen)) {
            seen = looked;
            Topology now = describe(looked.plan(), known, clientAddresses);
            if (!now.equals(told)) {
                told = now;
                server.announce(now);
            }
        }
        Catalog catalog = database.catalog();
        if (!catalog.equals(toldOf)) {
            toldOf = catalog;
            server.announceKeys();
        }
    }

    static Topology describe(
            PartitionPlan plan, dev.fulmar.coordinator.cluster.Topology known, Map<NodeId, String> clientAddresses) {
        Topology.Builder topology = Topology.newBuilder();
        clientAddresses.forEach((node, address) -> {
            HostAddress parsed = HostAddress.parse(address);
            topology.addHosts(Host.newBuilder()
                    .setNode(node.number())
                    .setAddress(parsed.host())
                    .setPort(parsed.port()));
        });
        for (int partition = 0; partition < plan.partitionCount(); partition++) {
            PartitionRecord record = known.recordOf(new PartitionId(partition));
            topology.addNodes(record == null ? -1 : record.primary().node().number());
            topology.addEpochs(record == null ? 0 : record.epoch());
        }
        KeyRanges hashes = plan.hashes();
        KeyRanges integers = plan.integers();
        return topology.setPlanVersion(plan.version())
                .addAllHashStarts(hashes.starts())
                .addAllHashPartitions(hashes.owners())
                .addAllIntegerStarts(integers.starts())
                .addAllIntegerPartitions(integers.owners())
                .build();
    }

    @Override
    public @Nullable Bound keyOf(String procedure, Caller caller) {
        Catalog catalog = database.catalog();
        ProcedureDefinition known = catalog.procedures().get(procedure);
        ProcedureDefinition definition =
                known != null ? known : catalog.procedures().get(procedure.toUpperCase(Locale.ROOT));
        if (definition == null || !AccessControl.sees(caller, catalog, definition)) {
            return null;
        }
        ProcedureDefinition.Partitioning partitioning =
                definition.partitioning().orElse(null);
        if (partitioning == null) {
            return null;
        }
        Table table = catalog.table(partitioning.table());
        KeyKind kind = kindOf(table.columns()
                .get(table.columnIndex(partitioning.column()))
                .type()
                .kind());
        return kind == KeyKind.NO_KEY
                ? null
                : Bound.newBuilder()
                        .setParameter(partitioning.parameter() + 1)
                        .setKey(kind)
                        .build();
    }

    private static KeyKind kindOf(TypeKind kind) {
        return switch (kind) {
            case TINYINT, SMALLINT, INTEGER, BIGINT -> KeyKind.INTEGER_KEY;
            case VARCHAR -> KeyKind.TEXT_KEY;
            case UUID -> KeyKind.UUID_KEY;
            case BOOLEAN,
                    DECIMAL,
                    REAL,
                    DOUBLE,
                    CHAR,
                    VARBINARY,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    ENUM,
                    NUMERIC -> KeyKind.NO_KEY;
        };
    }
}
