package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.cluster.Topology;
import dev.fulmar.coordinator.durability.replica.ReplicaStatus;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.detection.FailureDetector;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.network.real.LinkState;
import dev.fulmar.node.jmx.ClusterFigureSource;
import dev.fulmar.node.jmx.CopyMXBean;
import dev.fulmar.node.jmx.MemberMXBean;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows the node's part in its cluster. */
record ClusterFigures(ClusterPart part, Database database) implements ClusterFigureSource {
    @Override
    public MemberMXBean member() {
        return new Member(part, database);
    }

    @Override
    public int partitions() {
        return part.cluster().partitions();
    }

    @Override
    public CopyMXBean copy(int partition) {
        return new Copy(part, database, new PartitionId(partition));
    }

    private record Member(ClusterPart part, Database database) implements MemberMXBean {
        @Override
        public String getCluster() {
            return part.cluster().name();
        }

        @Override
        public long getIncarnation() {
            return part.member().incarnation();
        }

        @Override
        public String getSession() {
            return part.member().session().name();
        }

        @Override
        public Map<String, String> getHeartbeats() {
            Map<String, String> trust = new TreeMap<>();
            for (FailureDetector.Change change : part.member().trust()) {
                trust.put(change.node().toString(), change.suspected() ? "suspected" : "trusted");
            }
            return trust;
        }

        @Override
        public Map<String, String> getLinks() {
            Map<String, String> links = new TreeMap<>();
            for (LinkState link : part.network().links()) {
                links.put(
                        link.node().toString(),
                        (link.isUp() ? "up" : "down" + (link.problem().isEmpty() ? "" : " (" + link.problem() + ")"))
                                + ", " + link.sessions() + " sessions, sent " + link.sentMessages() + " messages of "
                                + link.sentBytes() + " bytes, received " + link.receivedMessages() + " of "
                                + link.receivedBytes() + ", waiting " + link.waitingBytes());
            }
            return links;
        }

        @Override
        public int getServedPartitions() {
            return (int) database.copies().all().stream()
                    .filter(copy -> copy.status().serves())
                    .count();
        }

        @Override
        public long getCatalogVersion() {
            return database.catalog().version();
        }

        @Override
        public boolean isCatalogCurrent() {
            return database.copies().knowsCatalog();
        }

        @Override
        public long getForwardedRequests() {
            return part.forwarding().forwarded();
        }

        @Override
        public int getOutstandingRequests() {
            return part.forwarding().outstanding();
        }

        @Override
        public long getLostRequests() {
            return part.forwarding().lost();
        }
    }

    private record Copy(ClusterPart part, Database database, PartitionId partition) implements CopyMXBean {
        private ReplicaStatus status() {
            return database.copies().of(partition).status();
        }

        private @Nullable PartitionRecord term() {
            Topology topology = part.member().topology();
            return topology == null ? null : topology.recordOf(partition);
        }

        @Override
        public int getPartition() {
            return partition.number();
        }

        @Override
        public String getRole() {
            return status().role().name();
        }

        @Override
        public long getEpoch() {
            return status().epoch();
        }

        @Override
        public boolean isServing() {
            return status().serves();
        }

        @Override
        public boolean isBroken() {
            return status().isBroken();
        }

        @Override
        public long getSnapshotsServed() {
            return database.copies().of(partition).reads().servedCount();
        }

        @Override
        public long getSnapshotsPassedOn() {
            return database.copies().of(partition).reads().passedOnCount();
        }

        @Override
        public int getPrimary() {
            PartitionRecord known = term();
            return known == null ? -1 : known.primary().node().number();
        }

        @Override
        public String getInSync() {
            PartitionRecord known = term();
            return known == null
                    ? ""
                    : known.inSync().stream()
                            .map(copy -> Integer.toString(copy.node().number()))
                            .collect(Collectors.joining(" "));
        }
    }
}
