package dev.fulmar.benchmarks.survival;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares a restarted node with the answers that its clients got, and remembers its state: from then on exactly that
 * must stay. Every append that was acknowledged must be there once and whole, with the place and the edition that its
 * client was told; one that was not may be there once and whole; nothing else may be there.
 */
final class Judge {
    private final Chapter chapter;
    private final TreeMap<Long, List<Link>> settled = new TreeMap<>();
    private final long[] links;
    private final long[] totals;
    private long pulses;
    private long unansweredThere;

    /** A row of an append. */
    private record Link(long chain, long place, long edition) {}

    Judge(Chapter chapter) {
        this.chapter = chapter;
        links = new long[chapter.chains() + 1];
        totals = new long[chapter.chains() + 1];
    }

    /** Appends that were there though they had not been acknowledged. */
    long unansweredThere() {
        return unansweredThere;
    }

    /** Judges what the node has after the life that the witness saw. */
    void judge(FulmarClient client, Witness witness, CatalogChanges changes) {
        TreeMap<Long, List<Link>> found = links(client);
        long keptIfForgotten = changes.firstNumberIfForgotten();
        boolean oldestAreGone = found.headMap(keptIfForgotten).isEmpty();
        changes.settle(client, witness, oldestAreGone);
        settled.headMap(changes.known().firstNumber()).clear();

        TreeMap<Long, List<Link>> before = new TreeMap<>(found.headMap(Witness.firstNumber(witness.life())));
        if (!before.equals(settled)) {
            witness.problem("what earlier restarts showed has changed: " + difference(settled, before));
        }
        TreeMap<Long, List<Link>> now = new TreeMap<>(found.tailMap(Witness.firstNumber(witness.life())));
        judgeAppends(now, witness);
        judgeChains(client, now, witness);
        judgeIndex(client, found, witness);
        judgePulses(client, witness);
        settled.clear();
        settled.putAll(found);
    }

    private static TreeMap<Long, List<Link>> links(FulmarClient client) {
        TreeMap<Long, List<Link>> found = new TreeMap<>();
        ResultTable rows =
                client.execute("SELECT n, k, place, edition FROM link").table();
        while (rows.next()) {
            found.computeIfAbsent(rows.getLong(0), _ -> new ArrayList<>())
                    .add(new Link(rows.getLong(1), rows.getLong(2), rows.getLong(3)));
        }
        found.values().forEach(each -> each.sort((a, b) -> Long.compare(a.chain, b.chain)));
        return found;
    }

    private void judgeAppends(TreeMap<Long, List<Link>> now, Witness witness) {
        TreeMap<Long, Append> asked = witness.appends();
        for (Append append : asked.values()) {
            judgeAppend(append, now.getOrDefault(append.number(), List.of()), witness);
        }
        for (Map.Entry<Long, List<Link>> stranger : now.entrySet()) {
            if (!asked.containsKey(stranger.getKey())) {
                witness.problem("append " + stranger.getKey() + " was never asked for: " + stranger.getValue());
            }
        }
    }

    private void judgeAppend(Append append, List<Link> there, Witness witness) {
        String what = append.outcome() + " append " + append.number();
        boolean whole = there.size() == append.chainCount()
                && there.stream().map(Link::chain).distinct().count() == there.size()
                && there.stream().allMatch(link -> append.touches(link.chain));
        boolean right = switch (append.outcome()) {
            case ACKNOWLEDGED -> whole;
            case NO_EFFECT -> there.isEmpty();
            case UNKNOWN -> there.isEmpty() || whole;
        };
        if (!right) {
            witness.problem(what + (there.isEmpty() ? " is lost" : " is there as " + there) + "; it has "
                    + append.chainCount() + " chains");
        }
        if (append.outcome() == Append.Outcome.UNKNOWN && whole) {
            unansweredThere++;
        }
        for (Link link : there) {
            if (link.edition != there.getFirst().edition
                    || link.edition < append.lowestEdition()
                    || link.edition > witness.editionBegun()) {
                witness.problem(what + " ran in edition " + link.edition + ", which is not one from "
                        + append.lowestEdition() + " to " + witness.editionBegun());
            }
            if (append.outcome() == Append.Outcome.ACKNOWLEDGED
                    && (append.edition() != link.edition || (append.place() != 0 && append.place() != link.place))) {
                witness.problem(what + " is there as " + link + ", and its client was told place " + append.place()
                        + " and edition " + append.edition());
            }
        }
    }

    /** Places of a chain are given without gaps, and its counts say the same as its links. */
    private void judgeChains(FulmarClient client, TreeMap<Long, List<Link>> now, Witness witness) {
        List<TreeMap<Long, Long>> byPlace = new ArrayList<>();
        for (int chain = 0; chain <= chapter.chains(); chain++) {
            byPlace.add(new TreeMap<>());
        }
        now.forEach((number, there) -> there.forEach(link -> {
            Long other = byPlace.get((int) link.chain).put(link.place, number);
            if (other != null) {
                witness.problem("appends " + other + " and " + number + " have the same place: " + link);
            }
        }));
        ResultTable rows =
                client.execute("SELECT k, links, total FROM chain ORDER BY k").table();
        if (rows.rowCount() != chapter.chains()) {
            witness.problem("there are " + rows.rowCount() + " chains and not " + chapter.chains());
        }
        while (rows.next()) {
            int chain = (int) rows.getLong(0);
            TreeMap<Long, Long> places = byPlace.get(chain);
            long expected = links[chain] + places.size();
            long total =
                    totals[chain] + places.values().stream().mapToLong(n -> n).sum();
            boolean gapless = places.isEmpty()
                    || (places.firstKey() == links[chain] + 1 && places.lastKey() == links[chain] + places.size());
            if (!gapless || rows.getLong(1) != expected || rows.getLong(2) != total) {
                witness.problem("chain " + chain + " says " + rows.getLong(1) + " links with " + rows.getLong(2)
                        + " in all; there are " + expected + " with " + total
                        + (gapless ? "" : ", and its places have gaps"));
            }
            if (rows.getLong(1) < witness.seenLinks(chain)) {
                witness.problem("chain " + chain + " has " + rows.getLong(1) + " links, and a reader was told of "
                        + witness.seenLinks(chain));
            }
            links[chain] = rows.getLong(1);
            totals[chain] = rows.getLong(2);
        }
    }

    private static void judgeIndex(FulmarClient client, TreeMap<Long, List<Link>> found, Witness witness) {
        List<Long> byIndex = new ArrayList<>();
        ResultTable rows =
                client.execute("SELECT n FROM link WHERE n >= 0 ORDER BY n").table();
        while (rows.next()) {
            byIndex.add(rows.getLong(0));
        }
        List<Long> byTable = new ArrayList<>();
        found.forEach((number, there) -> there.forEach(_ -> byTable.add(number)));
        if (!byIndex.equals(byTable)) {
            witness.problem(
                    "the index on n has " + byIndex.size() + " entries, and the table " + byTable.size() + " rows");
        }
    }

    private void judgePulses(FulmarClient client, Witness witness) {
        ResultTable row = client.execute(Schema.READ_PULSES).table().first();
        long least = row.getLong(1);
        if (row.getLong(0) != Schema.PULSES || least != row.getLong(2)) {
            witness.problem("an update over all partitions is torn: " + row.getLong(0) + " rows from " + least + " to "
                    + row.getLong(2));
        }
        long acknowledged = pulses + witness.pulsesAcknowledged();
        if (least < acknowledged || least > acknowledged + witness.pulsesUnknown()) {
            witness.problem(acknowledged + " updates over all partitions were acknowledged, " + witness.pulsesUnknown()
                    + " not answered, and " + least + " are there");
        }
        if (least < witness.seenPulse()) {
            witness.problem(
                    least + " updates over all partitions are there, and a reader was told of " + witness.seenPulse());
        }
        pulses = least;
    }

    private static String difference(TreeMap<Long, List<Link>> expected, TreeMap<Long, List<Link>> found) {
        List<String> differences = new ArrayList<>();
        TreeMap<Long, List<Link>> all = new TreeMap<>(expected);
        all.putAll(found);
        for (Long number : all.keySet()) {
            List<Link> were = expected.getOrDefault(number, List.of());
            List<Link> are = found.getOrDefault(number, List.of());
            if (!were.equals(are) && differences.size() < 5) {
                differences.add("append " + number + " was " + were + " and is " + are);
            }
        }
        return differences.toString();
    }
}
