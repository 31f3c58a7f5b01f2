package dev.fulmar.node.admin;

import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.jspecify.annotations.Nullable;

/** {@code @Statistics(kind)}: the node's MXBeans of one type as a table, a row per bean and a column per figure. */
final class FigureTables {
    static final String USAGE = "@Statistics('NODE'), 'SITE', 'PARTITION', 'PROCEDURE', 'TABLE', 'LOG', 'CHECKPOINT',"
            + " 'RECOVERY', 'BACKUP', 'DURABILITY', 'CLIENT', 'MEMBER', 'COPY', 'RECONFIGURATION' or 'TRANSACTION'";

    private static final List<String> KINDS = List.of(
            "Node",
            "Site",
            "Partition",
            "Procedure",
            "Table",
            "Log",
            "Checkpoint",
            "Recovery",
            "Backup",
            "Client",
            "Member",
            "Copy",
            "Reconfiguration");

    /** The figures of durability that an operator needs first. */
    private static final List<Essential> ESSENTIALS = List.of(
            new Essential("mode", "Log", "Mode"),
            new Essential("log failure", "Log", "Failure"),
            new Essential("log shortage", "Log", "Shortage"),
            new Essential("records per group", "Log", "RecordsPerGroup"),
            new Essential("synchronous write, us", "Log", "FenceMicros"),
            new Essential("log segments in use", "Log", "LiveSegments"),
            new Essential("checkpoints", "Checkpoint", "State"),
            new Essential("checkpoint failure", "Checkpoint", "Failure"),
            new Essential("checkpoint rounds", "Checkpoint", "Rounds"),
            new Essential("last round, s", "Checkpoint", "LastRoundSeconds"),
            new Essential("log since the last round, bytes", "Checkpoint", "LogBytesSinceRound"),
            new Essential("checkpoints to load, bytes", "Checkpoint", "StoredBytes"),
            new Essential("a restart would take, s", "Checkpoint", "RestartSeconds"),
            new Essential("recovery objective, s", "Checkpoint", "RecoveryObjectiveSeconds"),
            new Essential("bytes written per byte of log records", "Checkpoint", "WriteAmplification"),
            new Essential("last recovery, s", "Recovery", "TotalSeconds"),
            new Essential("last backup", "Backup", "State"),
            new Essential("backup failure", "Backup", "Failure"),
            new Essential("archive failure", "Backup", "ArchiveFailure"));

    /** Transactions that are listed, the oldest ones. */
    private static final int MOST_TRANSACTIONS = 1_000;

    private record Essential(String label, String type, String attribute) {}

    private final MBeanServer beans;
    private final int node;

    FigureTables(MBeanServer beans, int node) {
        this.beans = beans;
        this.node = node;
    }

    byte[] block(String kind) {
        if (kind.equalsIgnoreCase("DURABILITY")) {
            return essentials();
        }
        if (kind.equalsIgnoreCase("TRANSACTION")) {
            return transactions();
        }
        String type = KINDS.stream()
                .filter(known -> known.equalsIgnoreCase(kind))
                .findFirst()
                .orElseThrow(() -> new FulmarException(
                        ErrorCode.WRONG_PARAMETERS, "there are no figures of '" + kind + "'; call " + USAGE));
        try {
            return block(new ObjectName("fulmar:type=" + type + ",node=" + node + ",*"));
        } catch (JMException e) {
            throw new FulmarException(ErrorCode.INTERNAL, "the figures of " + type + " could not be read", e);
        }
    }

    private byte[] essentials() {
        SystemTable result = new SystemTable(List.of(SystemTable.text("FIGURE"), SystemTable.text("VALUE")));
        for (Essential essential : ESSENTIALS) {
            try {
                Object value = beans.getAttribute(
                        new ObjectName("fulmar:type=" + essential.type + ",node=" + node), essential.attribute);
                String text = value instanceof Double number
                        ? String.format(Locale.ROOT, "%.3f", number)
                        : String.valueOf(value);
                if (!text.isEmpty()) {
                    result.row(essential.label, text);
                }
            } catch (InstanceNotFoundException e) {
                continue; // nothing of the kind in a database that is not durable
            } catch (JMException e) {
                throw new FulmarException(ErrorCode.INTERNAL, "the figures of durability could not be read", e);
            }
        }
        return result.toBlock();
    }

    /** Open transactions, a row each. */
    private byte[] transactions() {
        SystemTable result = new SystemTable(List.of(
                SystemTable.text("CLIENT"),
                SystemTable.text("USER_NAME"),
                SystemTable.number("NUMBER"),
                SystemTable.text("SINCE"),
                SystemTable.text("STATE"),
                SystemTable.real("STATE_SECONDS"),
                SystemTable.number("STATEMENTS"),
                SystemTable.number("BYTES"),
                SystemTable.number("LEASES"),
                SystemTable.text("ISOLATION"),
                SystemTable.truth("READ_ONLY")));
        try {
            Object open = beans.invoke(
                    new ObjectName("fulmar:type=Node,node=" + node),
                    "oldestTransactions",
                    new Object[] {MOST_TRANSACTIONS},
                    new String[] {int.class.getName()});
            for (CompositeData each : (CompositeData[]) open) {
                result.row(each.getAll(new String[] {
                    "client",
                    "user",
                    "number",
                    "since",
                    "state",
                    "stateSeconds",
                    "statements",
                    "bytes",
                    "leases",
                    "isolation",
                    "readOnly"
                }));
            }
        } catch (InstanceNotFoundException e) {
            return result.toBlock(); // the node does not take clients yet
        } catch (JMException e) {
            throw new FulmarException(ErrorCode.INTERNAL, "the open transactions could not be read", e);
        }
        return result.toBlock();
    }

    private byte[] block(ObjectName pattern) throws JMException {
        List<ObjectName> names = new ArrayList<>(beans.queryNames(pattern, null));
        names.sort(Comparator.comparing(FigureTables::order));
        TreeMap<String, ResultColumn> columns = new TreeMap<>();
        for (ObjectName name : names) {
            try {
                for (MBeanAttributeInfo attribute : beans.getMBeanInfo(name).getAttributes()) {
                    columns.put(attribute.getName(), column(attribute));
                }
                break;
            } catch (InstanceNotFoundException e) {
                // A client that left since; the next one has the same attributes.
                continue;
            }
        }
        SystemTable result = new SystemTable(List.copyOf(columns.values()));
        for (ObjectName name : names) {
            @Nullable Object[] values = new @Nullable Object[columns.size()];
            if (read(name, columns, values)) {
                result.row(values);
            }
        }
        return result.toBlock();
    }

    /** False for a bean that is gone. */
    private boolean read(ObjectName name, TreeMap<String, ResultColumn> columns, @Nullable Object[] values)
            throws JMException {
        int column = 0;
        for (String attribute : columns.keySet()) {
            try {
                Object value = beans.getAttribute(name, attribute);
                values[column++] = value instanceof TabularData counts ? textOf(counts) : value;
            } catch (InstanceNotFoundException | AttributeNotFoundException e) {
                return false;
            }
        }
        return true;
    }

    private static ResultColumn column(MBeanAttributeInfo attribute) {
        String name =
                attribute.getName().replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
        return switch (attribute.getType()) {
            case "int", "long" -> SystemTable.number(name);
            case "double" -> SystemTable.real(name);
            case "boolean" -> SystemTable.truth(name);
            default -> SystemTable.text(name);
        };
    }

    private static String textOf(TabularData counts) {
        List<String> entries = new ArrayList<>();
        for (Object entry : counts.values()) {
            CompositeData pair = (CompositeData) entry;
            entries.add(pair.get("key") + "=" + pair.get("value"));
        }
        entries.sort(Comparator.naturalOrder());
        return String.join(", ", entries);
    }

    /** Beans in the order of their numbers where they have one. */
    private static String order(ObjectName name) {
        String text = name.getCanonicalName();
        StringBuilder padded = new StringBuilder();
        for (String part : text.split("(?<=\\D)(?=\\d)|(?<=\\d)(?=\\D)")) {
            padded.append(Character.isDigit(part.charAt(0)) ? "0".repeat(Math.max(0, 20 - part.length())) : "")
                    .append(part);
        }
        return padded.toString();
    }
}
