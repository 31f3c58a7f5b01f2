package dev.fulmar.node.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.planning.PlanningFigures;
import dev.fulmar.coordinator.portal.PortalFigures;
import dev.fulmar.coordinator.session.OpenSession;
import dev.fulmar.coordinator.session.SessionFigures;
import dev.fulmar.engine.partition.counter.LatencyHistogram;
import dev.fulmar.engine.partition.counter.PartitionCounters;
import dev.fulmar.engine.partition.counter.SiteCounters;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.server.ConnectionListener;
import dev.fulmar.node.server.NodeServer;
import dev.fulmar.node.server.ServerConfiguration;
import dev.fulmar.node.server.ServerSecurity;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.limit.WireLimits;
import dev.fulmar.wire.session.Isolation;
import dev.fulmar.wire.session.TransactionMode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.Test;

class FigureBoardTest {
    private static final long SECOND = 1_000_000_000L;

    private final MBeanServer beans = MBeanServerFactory.newMBeanServer();
    private final FigureBoard board = new FigureBoard(beans, 2, Runnable::run);
    private final FakeDatabase database = new FakeDatabase();

    /** A database whose figures the test sets. */
    private static final class FakeDatabase implements FigureSource {
        private List<ProcedureFigures> procedures = List.of();
        private List<TableFigures> tables = List.of();

        private final List<SiteCounters> sites = List.of(new SiteCounters(), new SiteCounters());
        private final PartitionCounters partition = new PartitionCounters();

        @Override
        public int siteCount() {
            return sites.size();
        }

        @Override
        public SiteCounters site(int site) {
            return sites.get(site);
        }

        @Override
        public int partitionCount() {
            return 1;
        }

        @Override
        public int partitionsWithKeys() {
            return 1;
        }

        @Override
        public PartitionCounters partition(int number) {
            return partition;
        }

        @Override
        public int queueDepth(int number) {
            return 33;
        }

        @Override
        public double snapshotOldestSeconds(int number) {
            return 1.5;
        }

        @Override
        public int liveTransactions() {
            return 44;
        }

        @Override
        public DurabilityMode durability() {
            return DurabilityMode.ASYNC;
        }

        @Override
        public boolean servesTransactions() {
            return true;
        }

        @Override
        public PlanningFigures planning() {
            return new PlanningFigures(7, 3, 1_500_000_000, 2, 1);
        }

        @Override
        public PortalFigures portals() {
            return new PortalFigures() {
                @Override
                public int openPortals() {
                    return 8;
                }

                @Override
                public long takenBytes() {
                    return 9;
                }

                @Override
                public long opened() {
                    return 10;
                }

                @Override
                public long timedOut() {
                    return 11;
                }
            };
        }

        @Override
        public SessionFigures sessions() {
            return new SessionFigures() {
                @Override
                public int openTransactions() {
                    return 5;
                }

                @Override
                public long takenBytes() {
                    return 640;
                }

                @Override
                public long begun() {
                    return 70;
                }

                @Override
                public long serializationFailures() {
                    return 8;
                }

                @Override
                public long timedOut() {
                    return 2;
                }

                @Override
                public List<OpenSession> oldest(int most) {
                    return IntStream.rangeClosed(1, most)
                            .mapToObj(number -> new OpenSession(
                                    "10.0.0.7:5000",
                                    "ADA",
                                    number,
                                    1_000_001,
                                    OpenSession.State.WAITING,
                                    SECOND / 2,
                                    12,
                                    345,
                                    6,
                                    TransactionMode.USUAL.isolation(Isolation.READ_COMMITTED)))
                            .toList();
                }
            };
        }

        @Override
        public long catalogVersion() {
            return 6;
        }

        @Override
        public long memoryUsedBytes() {
            return 100;
        }

        @Override
        public long memoryLimitBytes() {
            return 200;
        }

        @Override
        public List<ProcedureFigures> procedures() {
            return procedures;
        }

        @Override
        public List<TableFigures> tables() {
            return tables;
        }
    }

    @Test
    void theNodeTellsWhatItsPartsCount() throws Exception {
        board.open(server(), database);
        board.sample(SECOND, database);
        ObjectName node = new ObjectName("fulmar:type=Node,node=2");
        assertThat(beans.getAttribute(node, "MemoryUsedBytes")).isEqualTo(100L);
        assertThat(beans.getAttribute(node, "MemoryLimitBytes")).isEqualTo(200L);
        assertThat(beans.getAttribute(node, "CatalogVersion")).isEqualTo(6L);
        assertThat(beans.getAttribute(node, "StatementsPlanned")).isEqualTo(7L);
        assertThat(beans.getAttribute(node, "StatementsNotPlanned")).isEqualTo(3L);
        assertThat(beans.getAttribute(node, "StatementsWaiting")).isEqualTo(2);
        assertThat(beans.getAttribute(node, "PlanningSeconds")).isEqualTo(1.5);
        assertThat(beans.getAttribute(node, "Requests")).isEqualTo(0L);
        for (var attribute : beans.getMBeanInfo(node).getAttributes()) {
            assertThat(beans.getAttribute(node, attribute.getName())).isNotNull();
        }
        board.close();
        assertThat(names()).isEmpty();
    }

    @Test
    void theNodeListsOpenTransactionsUpToABound() throws Exception {
        board.open(server(), database);
        assertThat(transactions(2)).hasSize(2);
        assertThat(transactions(1)[0].getAll(new String[] {
                    "client",
                    "user",
                    "number",
                    "since",
                    "state",
                    "stateSeconds",
                    "statements",
                    "bytes",
                    "leases",
                    "isolation"
                }))
                .containsExactly(
                        "10.0.0.7:5000",
                        "ADA",
                        1L,
                        "1970-01-01T00:00:01.000001Z",
                        "WAITING",
                        0.5,
                        12,
                        345L,
                        6,
                        "READ_COMMITTED");
        assertThat(transactions(1)[0].get("readOnly")).isEqualTo(false);
        assertThat(transactions(Integer.MAX_VALUE)).hasSize(1_000);
        assertThat(transactions(-1)).isEmpty();
        assertThat(beans.getMBeanInfo(new ObjectName("fulmar:type=Node,node=2"))
                        .getOperations()[0]
                        .getDescription())
                .startsWith("Open transactions");
        board.close();
    }

    private CompositeData[] transactions(int most) throws JMException {
        Object listed = beans.invoke(
                new ObjectName("fulmar:type=Node,node=2"), "oldestTransactions", new Object[] {most}, new String[] {
                    "int"
                });
        return (CompositeData[]) listed;
    }

    @Test
    void sitesAndPartitionsTellWhatTheirThreadsCount() throws Exception {
        board.open(server(), database);
        board.sample(0, database);
        database.sites.get(1).busyNanos.add(SECOND / 4);
        database.sites.get(1).handled.add(50);
        database.partition.committed.add(7);
        database.partition.distributedCommitted.add(3);
        database.partition.aborted(ErrorCode.USER_ABORT).add(2);
        board.sample(SECOND, database);
        ObjectName site = new ObjectName("fulmar:type=Site,node=2,site=1");
        assertThat(beans.getAttribute(site, "BusyShare")).isEqualTo(0.25);
        assertThat(beans.getAttribute(site, "HandledPerSecond")).isEqualTo(50.0);
        ObjectName partition = new ObjectName("fulmar:type=Partition,node=2,partition=0");
        assertThat(beans.getAttribute(partition, "CommittedPerSecond")).isEqualTo(10.0);
        assertThat(beans.getAttribute(partition, "Aborted")).isEqualTo(2L);
        assertThat(beans.getAttribute(partition, "QueueDepth")).isEqualTo(33);
        for (ObjectName name : List.of(site, partition)) {
            for (var attribute : beans.getMBeanInfo(name).getAttributes()) {
                assertThat(beans.getAttribute(name, attribute.getName())).isNotNull();
            }
        }
    }

    @Test
    void proceduresAndTablesComeAndGoWithTheCatalog() throws Exception {
        LatencyHistogram latency = new LatencyHistogram();
        latency.record(2_000);
        database.procedures = List.of(new ProcedureFigures("P,=*", 10, 1, new LatencyHistogram()));
        database.tables = List.of(new TableFigures("T", "ID", 2, 50, 4096));
        board.sample(0, database);
        assertThat(names()).hasSize(2);
        database.procedures = List.of(new ProcedureFigures("P,=*", 30, 1, latency));
        board.sample(2 * SECOND, database);
        ObjectName procedure = new ObjectName("fulmar:type=Procedure,node=2,procedure=" + ObjectName.quote("P,=*"));
        assertThat(beans.getAttribute(procedure, "CallsPerSecond")).isEqualTo(10.0);
        assertThat((double) beans.getAttribute(procedure, "LatencyP99Micros")).isBetween(2.0, 2.3);
        ObjectName table = new ObjectName("fulmar:type=Table,node=2,table=" + ObjectName.quote("T"));
        assertThat(beans.getAttribute(table, "Rows")).isEqualTo(50L);
        assertThat(beans.getAttribute(table, "PartitioningColumn")).isEqualTo("ID");
        database.procedures = List.of();
        database.tables = List.of();
        board.sample(3 * SECOND, database);
        assertThat(names()).isEmpty();
    }

    @Test
    void twoNodesOfOneNumberCannotPublishInOneProcess() {
        board.open(server(), database);
        assertThatThrownBy(() -> new FigureBoard(beans, 2, Runnable::run).open(server(), database))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("another number");
    }

    @Test
    void ratesAndLatenciesForgetWhatIsLongAgo() {
        RateMeter rate = new RateMeter();
        rate.sample(0, 0);
        rate.sample(SECOND, 1_000);
        assertThat(rate.perSecond()).isEqualTo(1_000);
        LatencyWindow window = new LatencyWindow();
        LatencyHistogram slow = new LatencyHistogram();
        slow.record(1_000_000_000);
        window.sample(slow);
        assertThat(window.micros(1)).isGreaterThan(999_999);
        for (int i = 2; i < 12; i++) {
            rate.sample(i * SECOND, 1_000);
            window.sample(slow);
        }
        assertThat(rate.perSecond()).isZero();
        assertThat(window.micros(1)).isZero();
    }

    private Set<String> names() {
        Set<String> names = new TreeSet<>();
        beans.queryNames(null, null).stream()
                .map(ObjectName::getCanonicalName)
                .filter(name -> name.startsWith("fulmar:"))
                .forEach(names::add);
        return names;
    }

    private static NodeServer server() {
        return new NodeServer(
                new ServerConfiguration(
                        new HostAddress("127.0.0.1", 0), 1, 1, 1, WireLimits.DEFAULT, Duration.ofSeconds(1), true),
                2,
                1,
                (request, sink) -> {},
                name -> null,
                ConnectionListener.none(),
                ServerSecurity.off());
    }
}
