package dev.fulmar.coordinator.advisory;

import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of sessions that have locks: the node first, then what no other session of it ever has. */
final class Holders {
    /** The node of a text that is no such name. */
    static final int NO_NODE = -1;

    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final Pattern NAME = Pattern.compile("(\\d{1,9})_[0-9A-F]{16}_[0-9A-F]{16}");

    private Holders() {}

    /** @param random drawn for this session, since clocks may go back */
    static String name(int node, long wallMicros, long random) {
        return node + "_" + HEX.toHexDigits(wallMicros) + "_" + HEX.toHexDigits(random);
    }

    static int node(String holder) {
        Matcher name = NAME.matcher(holder);
        return name.matches() ? Integer.parseInt(name.group(1)) : NO_NODE;
    }
}
