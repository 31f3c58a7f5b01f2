package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.workload.Wish;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The clients of a run that change keys over partitions, and the judge of these keys. */
final class KeyClients {
    private static final long ANSWER_NANOS = 60_000_000_000L;

    private final SimulatedCluster cluster;
    private final SimulatedWorld world;
    private final ClusterVerdict verdict;
    private final List<KeyClient> clients = new ArrayList<>();

    KeyClients(SimulatedCluster cluster, ClusterVerdict verdict) {
        this.cluster = cluster;
        this.world = cluster.world();
        this.verdict = verdict;
    }

    /** Two begin, so that they want the same keys. */
    void begin(ClusterAccess access) {
        for (int number = 1; number <= 2; number++) {
            KeyClient client = new KeyClient(number, false, cluster, access);
            clients.add(client);
            client.work();
        }
    }

    /** Lets them end what they have begun. */
    void calm() {
        clients.forEach(KeyClient::rest);
        if (!cluster.comesTo(() -> clients.stream().allMatch(KeyClient::isIdle), ANSWER_NANOS)) {
            cluster.violation("clients wait for ever to change keys\n" + cluster.describe());
        }
    }

    /** Each name is there once, and each pet's person is there. */
    void judge() {
        Set<Long> persons = new TreeSet<>();
        Set<Long> names = new TreeSet<>();
        for (long[] person : rows("SELECT id, name FROM person")) {
            persons.add(person[0]);
            if (!names.add(person[1])) {
                cluster.violation("two persons have the name " + person[1]);
            }
        }
        for (long[] pet : rows("SELECT id, person FROM pet")) {
            if (!persons.contains(pet[1])) {
                cluster.violation("pet " + pet[0] + " refers to person " + pet[1] + ", of which there is none");
            }
        }
        judgeBadges(persons);
        judgeVisits();
    }

    /** No key keeps a visit from being there twice, so each INSERT must have been executed once. */
    private void judgeVisits() {
        Set<Long> codes = new TreeSet<>();
        for (long[] visit : rows("SELECT code FROM visit")) {
            if (!codes.add(visit[0])) {
                cluster.violation("visit " + visit[0] + " was inserted twice");
            }
        }
        if (!cluster.keepsWhatItConfirms()) {
            return;
        }
        for (KeyClient client : clients) {
            client.visits().stream()
                    .filter(code -> !codes.contains(code))
                    .forEach(code -> cluster.violation("visit " + code + " was acknowledged and is not there"));
        }
    }

    /** Constraints that count as valid hold for all rows, also for those that were there before. */
    private void judgeBadges(Set<Long> persons) {
        boolean isUnique = isValid("BADGE_CODE");
        boolean refers = isValid("BADGE_PERSON");
        Set<Long> codes = new TreeSet<>();
        for (long[] badge : rows("SELECT id, code, person FROM badge")) {
            if (!codes.add(badge[1]) && isUnique) {
                cluster.violation("two badges have the code " + badge[1]);
            }
            if (!persons.contains(badge[2]) && refers) {
                cluster.violation("badge " + badge[0] + " refers to person " + badge[2] + ", of which there is none");
            }
        }
    }

    private boolean isValid(String constraint) {
        List<long[]> definitions = rows("SELECT COUNT(*) FROM INFORMATION_SCHEMA.DEFINITIONS WHERE STATEMENT LIKE '%\""
                + constraint + "\"%' AND STATEMENT NOT LIKE '%NOT VALID'");
        return !definitions.isEmpty() && definitions.getFirst()[0] > 0;
    }

    private List<long[]> rows(String query) {
        List<Wish.Reply> replies = new ArrayList<>();
        verdict.execute(query, replies::add);
        if (!world.runUntil(() -> !replies.isEmpty(), ANSWER_NANOS)) {
            cluster.violation("no answer to " + query + "\n" + cluster.describe());
            return List.of();
        }
        return replies.getFirst().tables().getFirst();
    }
}
