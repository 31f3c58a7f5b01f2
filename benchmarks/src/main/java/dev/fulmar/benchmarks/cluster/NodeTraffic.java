package dev.fulmar.benchmarks.cluster;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What nodes have sent each other so far, as their links counted it.
 *
 * @param forwarded requests that nodes passed on
 */
record NodeTraffic(long messages, long bytes, long forwarded) {
    private static final Pattern SENT = Pattern.compile("sent (\\d+) messages of (\\d+) bytes");

    /** Of all nodes; there is a client of each. */
    static NodeTraffic of(List<FulmarClient> clients) {
        NodeTraffic sum = new NodeTraffic(0, 0, 0);
        for (FulmarClient client : clients) {
            ResultTable table = client.call("@Statistics", "MEMBER").table();
            String links = table.first().getString(table.column("LINKS"));
            sum = sum.plus(
                    parse(links == null ? "" : links, table.first().getLong(table.column("FORWARDED_REQUESTS"))));
        }
        return sum;
    }

    /** @param links the figure of that name */
    static NodeTraffic parse(String links, long forwarded) {
        long messages = 0;
        long bytes = 0;
        for (Matcher link = SENT.matcher(links); link.find(); ) {
            messages += Long.parseLong(link.group(1));
            bytes += Long.parseLong(link.group(2));
        }
        return new NodeTraffic(messages, bytes, forwarded);
    }

    private NodeTraffic plus(NodeTraffic other) {
        return new NodeTraffic(messages + other.messages, bytes + other.bytes, forwarded + other.forwarded);
    }

    NodeTraffic since(NodeTraffic before) {
        return new NodeTraffic(messages - before.messages, bytes - before.bytes, forwarded - before.forwarded);
    }
}
