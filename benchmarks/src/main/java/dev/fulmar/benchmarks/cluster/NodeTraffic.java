package dev.fulmar.benchmarks.cluster;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Messages and bytes that nodes have sent each other so far, as their links counted them.
 *
 * @param forwarded requests that nodes passed on
 */
record NodeTraffic(long messages, long bytes, long forwarded) {
    private static final int MOST_ATTEMPTS = 200;
    private static final Pattern NAME = Pattern.compile("(N\\d+)=");
    private static final Pattern SENT = Pattern.compile("sent (\\d+) messages of (\\d+) bytes");

    /**
     * Of all nodes; there is a client of each. A client may have gone to another node, so that who answers is told by
     * the links that it has: all but the one to itself.
     */
    static NodeTraffic of(List<FulmarClient> clients) {
        Map<Set<String>, NodeTraffic> byLinks = new HashMap<>();
        for (int attempt = 0; byLinks.size() < clients.size(); attempt++) {
            if (attempt == MOST_ATTEMPTS) {
                throw new IllegalStateException("only " + byLinks.keySet() + " of the nodes' links could be asked for");
            }
            ResultTable table = clients.get(attempt % clients.size())
                    .call("@Statistics", "MEMBER")
                    .table()
                    .first();
            String links = table.getString(table.column("LINKS"));
            String text = links == null ? "" : links;
            byLinks.putIfAbsent(others(text), parse(text, table.getLong(table.column("FORWARDED_REQUESTS"))));
        }
        return byLinks.values().stream().reduce(new NodeTraffic(0, 0, 0), NodeTraffic::plus);
    }

    private static Set<String> others(String links) {
        Set<String> names = new HashSet<>();
        for (Matcher name = NAME.matcher(links); name.find(); ) {
            names.add(name.group(1));
        }
        return names;
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
