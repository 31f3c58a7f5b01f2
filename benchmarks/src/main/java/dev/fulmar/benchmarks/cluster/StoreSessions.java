package dev.fulmar.benchmarks.cluster;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Optional;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.Query;

/** The sessions of the ZooKeeper in this process, as its MBeans tell, one per connection. Thread-safe. */
final class StoreSessions {
    private static final String CONNECTION = "org.apache.zookeeper.server.ConnectionBean";
    private static final String NONE = "none";
    private static final String OWNER = "owner ";
    private static final String END = "end ";

    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    private final ObjectName connections;

    StoreSessions() {
        try {
            connections = new ObjectName("org.apache.ZooKeeperService:*");
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException("it is a pattern of names", e);
        }
    }

    /** Asks for the session that the entry ends with. */
    static String ownerOf(String entry) {
        return OWNER + entry;
    }

    /** Asks for the end of that session, as if it had expired. */
    static String endOwnerOf(String entry) {
        return END + entry;
    }

    /** The session in an answer; empty if the entry is not there. */
    static Optional<String> session(String answer) {
        return answer.equals(NONE) ? Optional.empty() : Optional.of(answer);
    }

    /** Answers what was asked. */
    String answer(String question) throws JMException {
        boolean ends = question.startsWith(END);
        String entry = question.substring((ends ? END : OWNER).length());
        for (ObjectName name : beans.queryNames(connections, Query.isInstanceOf(Query.value(CONNECTION)))) {
            try {
                String[] entries = (String[]) beans.getAttribute(name, "EphemeralNodes");
                if (Arrays.asList(entries).contains(entry)) {
                    String session = (String) beans.getAttribute(name, "SessionId");
                    if (ends) {
                        beans.invoke(name, "terminateSession", new Object[0], new String[0]);
                    }
                    return session;
                }
            } catch (InstanceNotFoundException gone) {
                // The connection has ended meanwhile.
            }
        }
        return NONE;
    }
}
