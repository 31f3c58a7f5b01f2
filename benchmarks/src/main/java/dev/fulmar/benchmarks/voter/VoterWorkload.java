package dev.fulmar.benchmarks.voter;

import dev.fulmar.benchmarks.voter.procedure.InitializeVoter;
import dev.fulmar.benchmarks.voter.procedure.Vote;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.Statements;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.benchmarks.workload.WorkloadScript;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Voter: random phone numbers vote for one of a few contestants; one vote in a hundred names nobody. */
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
    public List<String> verify(FulmarClient client, Progress progress) {
        List<String> problems = new ArrayList<>();
        long votes = Statements.longOf(client, "SELECT COUNT(*) FROM votes");
        if (votes != counted.get()) {
            problems.add("there are " + votes + " votes, but clients saw " + counted.get() + " counted");
        }
        long byPhone = Statements.longOf(client, "SELECT COALESCE(SUM(num_votes), 0) FROM votes_by_phone");
        if (byPhone != votes) {
            problems.add("phone numbers have " + byPhone + " votes in all, but there are " + votes);
        }
        long tooMany =
                Statements.longOf(client, "SELECT COUNT(*) FROM votes_by_phone WHERE num_votes > ?", VOTES_PER_PHONE);
        if (tooMany != 0) {
            problems.add(tooMany + " phone numbers have voted too often");
        }
        return problems;
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
