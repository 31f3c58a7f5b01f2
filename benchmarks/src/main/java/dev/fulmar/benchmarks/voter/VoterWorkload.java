package dev.fulmar.benchmarks.voter;

import dev.fulmar.benchmarks.voter.procedure.InitializeVoter;
import dev.fulmar.benchmarks.voter.procedure.Vote;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.TableChecks;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.benchmarks.workload.WorkloadScript;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Voter: random phone numbers vote for one of a few contestants; one vote in a hundred names an unknown one. */
public final class VoterWorkload implements Workload {
    private static final long VOTES_PER_PHONE = 2;
    private static final long NUMBERS_PER_AREA = 10_000_000L;
    private static final List<String> CONTESTANTS = List.of(
            "Edwina Burnam", "Tabatha Gehling", "Kelly Clauss", "Jessie Alloway", "Alana Bregman", "Jessie Eichman");
    private static final int[] AREA_CODES = {
        201, 202, 205, 206, 212, 213, 303, 305, 312, 404, 415, 503, 512, 602, 617, 702
    };
    private static final String[] STATES = {
        "NJ", "DC", "AL", "WA", "NY", "CA", "CO", "FL", "IL", "GA", "CA", "OR", "TX", "AZ", "MA", "NV"
    };

    private final AtomicLong counted = new AtomicLong();

    @Override
    public String name() {
        return "voter";
    }

    @Override
    public List<Class<?>> procedureClasses() {
        return List.of(Vote.class, InitializeVoter.class);
    }

    @Override
    public String ddl() {
        return WorkloadScript.of(VoterWorkload.class);
    }

    @Override
    public void load(FulmarClient client, Progress progress) {
        client.call("InitializeVoter", CONTESTANTS.toArray(new String[0]), AREA_CODES, STATES);
        progress.report("loading", 1, 1);
    }

    @Override
    public RequestSource requests(RandomGenerator random) {
        return new Requests(random);
    }

    @Override
    public List<String> verifyTables(FulmarClient client, Progress progress) {
        return new TableChecks(client)
                .expect(CONTESTANTS.size(), "contestants", "SELECT COUNT(*) FROM contestants")
                .expectEqual("SELECT COUNT(*) FROM votes", "SELECT COALESCE(SUM(num_votes), 0) FROM votes_by_phone")
                .expect(
                        0,
                        "phone numbers whose count is not that of their votes",
                        "SELECT COUNT(*) FROM votes_by_phone p JOIN (SELECT phone_number, COUNT(*) AS n FROM votes"
                                + " GROUP BY phone_number) AS v ON v.phone_number = p.phone_number WHERE p.num_votes <> v.n")
                .expect(
                        0,
                        "phone numbers that have voted too often",
                        "SELECT COUNT(*) FROM votes_by_phone WHERE num_votes > ?",
                        VOTES_PER_PHONE)
                .expect(
                        0,
                        "votes for nobody",
                        "SELECT COUNT(*) FROM votes v LEFT JOIN contestants c"
                                + " ON c.contestant_number = v.contestant_number WHERE c.contestant_number IS NULL")
                .problems();
    }

    @Override
    public List<String> verifyRecord(FulmarClient client, Progress progress) {
        return new TableChecks(client)
                .expect(counted.get(), "votes", "SELECT COUNT(*) FROM votes")
                .problems();
    }

    private final class Requests implements RequestSource {
        private final RandomGenerator random;

        Requests(RandomGenerator random) {
            this.random = random;
        }

        @Override
        public CompletableFuture<CallResult> send(FulmarClient client) {
            int area = AREA_CODES[random.nextInt(AREA_CODES.length)];
            long phone = area * NUMBERS_PER_AREA + random.nextLong(NUMBERS_PER_AREA);
            int contestant = random.nextInt(100) == 0 ? 999 : 1 + random.nextInt(CONTESTANTS.size());
            return client.callAsync("Vote", phone, contestant, VOTES_PER_PHONE);
        }

        @Override
        public void committed(CallResult result) {
            if (result.longValue() == 0) {
                counted.incrementAndGet();
            }
        }
    }
}
