package dev.fulmar.benchmarks.tatp;

import dev.fulmar.benchmarks.tatp.procedure.DeleteCallForwarding;
import dev.fulmar.benchmarks.tatp.procedure.InsertCallForwarding;
import dev.fulmar.benchmarks.tatp.procedure.LoadSubscriber;
import dev.fulmar.benchmarks.tatp.procedure.UpdateLocation;
import dev.fulmar.benchmarks.tatp.procedure.UpdateSubscriberData;
import dev.fulmar.benchmarks.workload.PipelinedCalls;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.TableChecks;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.benchmarks.workload.WorkloadScript;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** TATP's mix: 80 % reads, 20 % writes; some requests fail by design, because what they name does not exist. */
public final class TatpWorkload implements Workload {
    private static final int LOAD_IN_FLIGHT = 256;
    private static final int NUMBER_DIGITS = 15;

    private final int subscribers;

    public TatpWorkload(int subscribers) {
        this.subscribers = subscribers;
    }

    @Override
    public String name() {
        return "tatp";
    }

    @Override
    public List<Class<?>> procedureClasses() {
        return List.of(
                UpdateSubscriberData.class,
                UpdateLocation.class,
                InsertCallForwarding.class,
                DeleteCallForwarding.class,
                LoadSubscriber.class);
    }

    @Override
    public String ddl() {
        return WorkloadScript.of(TatpWorkload.class);
    }

    @Override
    public void load(FulmarClient client, Progress progress) {
        PipelinedCalls calls = new PipelinedCalls(client, LOAD_IN_FLIGHT);
        for (int subscriber = 1; subscriber <= subscribers; subscriber++) {
            calls.call("LoadSubscriber", subscriber);
            if (subscriber % 100 == 0) {
                progress.report("loading", subscriber, subscribers);
            }
        }
        calls.drain();
        progress.report("loading", subscribers, subscribers);
    }

    @Override
    public RequestSource requests(RandomGenerator random) {
        int spread = subscribers <= 1_000_000 ? 65_535 : subscribers <= 10_000_000 ? 1_048_575 : 2_097_151;
        return client ->
                send(client, random, 1 + ((random.nextInt(spread + 1) | random.nextInt(subscribers)) % subscribers));
    }

    private static CompletableFuture<CallResult> send(FulmarClient client, RandomGenerator random, int subscriber) {
        int percent = random.nextInt(100);
        if (percent < 35) {
            return client.callAsync("GetSubscriberData", subscriber);
        }
        if (percent < 45) {
            int start = random.nextInt(3) * 8;
            return client.callAsync(
                    "GetNewDestination", subscriber, 1 + random.nextInt(4), start, start + random.nextInt(8));
        }
        if (percent < 80) {
            return client.callAsync("GetAccessData", subscriber, 1 + random.nextInt(4));
        }
        if (percent < 82) {
            return client.callAsync(
                    "UpdateSubscriberData", subscriber, random.nextInt(2), random.nextInt(256), 1 + random.nextInt(4));
        }
        String number = number(subscriber);
        if (percent < 96) {
            return client.callAsync("UpdateLocation", random.nextInt(Integer.MAX_VALUE), number);
        }
        int facility = 1 + random.nextInt(4);
        int start = random.nextInt(3) * 8;
        if (percent < 98) {
            return client.callAsync(
                    "InsertCallForwarding",
                    number,
                    facility,
                    start,
                    start + 1 + random.nextInt(8),
                    number(1 + random.nextInt(Integer.MAX_VALUE - 1)));
        }
        return client.callAsync("DeleteCallForwarding", number, facility, start);
    }

    private static String number(int subscriber) {
        String digits = Integer.toString(subscriber);
        return "0".repeat(NUMBER_DIGITS - digits.length()) + digits;
    }

    @Override
    public List<String> verifyTables(FulmarClient client, Progress progress) {
        TableChecks checks = new TableChecks(client)
                .expect(subscribers, "subscribers", "SELECT COUNT(*) FROM subscriber")
                .expect(
                        subscribers,
                        "subscribers with the number of their identity",
                        "SELECT COUNT(*) FROM subscriber WHERE CAST(sub_nbr AS BIGINT) = s_id")
                .expect(
                        0,
                        "call forwardings without their facility",
                        "SELECT COUNT(*) FROM call_forwarding cf LEFT JOIN special_facility sf"
                                + " ON sf.s_id = cf.s_id AND sf.sf_type = cf.sf_type WHERE sf.s_id IS NULL")
                .expect(
                        0,
                        "call forwardings with times that nobody wrote",
                        "SELECT COUNT(*) FROM call_forwarding"
                                + " WHERE start_time NOT IN (0, 8, 16) OR end_time <= start_time OR end_time > start_time + 8");
        for (String table : List.of("access_info", "special_facility")) {
            checks.expect(
                    subscribers,
                    "subscribers with one to four rows in " + table,
                    "SELECT COUNT(*) FROM (SELECT s_id FROM " + table
                            + " GROUP BY s_id HAVING COUNT(*) BETWEEN 1 AND 4) AS t");
        }
        return checks.problems();
    }

    /** Nothing adds up over TATP's tables: updates overwrite, and forwardings come and go. */
    @Override
    public List<String> verifyRecord(FulmarClient client, Progress progress) {
        return List.of();
    }
}
