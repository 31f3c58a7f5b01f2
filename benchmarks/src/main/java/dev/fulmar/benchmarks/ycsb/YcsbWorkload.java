package dev.fulmar.benchmarks.ycsb;

import dev.fulmar.benchmarks.workload.PipelinedCalls;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.TableChecks;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.benchmarks.workload.WorkloadScript;
import dev.fulmar.benchmarks.ycsb.procedure.YcsbReadModifyWrite;
import dev.fulmar.benchmarks.ycsb.procedure.YcsbUpdate;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** YCSB's core workload with records of ten fields of 100 characters. */
public final class YcsbWorkload implements Workload {
    private static final int FIELDS = 10;
    private static final int FIELD_CHARACTERS = 100;
    private static final int LOAD_IN_FLIGHT = 512;
    private static final int MAX_SCAN_ROWS = 100;

    private final YcsbMix mix;
    private final long records;
    private final KeyChoice keys;
    private final RandomGenerator loadRandom;
    private final AtomicLong nextKey;
    private final AtomicLong inserted = new AtomicLong();

    public YcsbWorkload(YcsbMix mix, long records, KeyChoice keys, RandomGenerator loadRandom) {
        this.mix = mix;
        this.records = records;
        this.keys = keys;
        this.loadRandom = loadRandom;
        nextKey = new AtomicLong(records);
    }

    @Override
    public String name() {
        return "ycsb-" + mix.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public List<Class<?>> procedureClasses() {
        try {
            return List.of(
                    YcsbUpdate.class,
                    YcsbReadModifyWrite.class,
                    Class.forName(YcsbUpdate.class.getPackageName() + ".FieldUpdates"));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("a class of this module is missing", e);
        }
    }

    @Override
    public String ddl() {
        return WorkloadScript.of(YcsbWorkload.class);
    }

    @Override
    public void load(FulmarClient client, Progress progress) {
        PipelinedCalls calls = new PipelinedCalls(client, LOAD_IN_FLIGHT);
        for (long key = 0; key < records; key++) {
            calls.call("YcsbInsert", record(key, loadRandom));
            if (key % 1000 == 0) {
                progress.report("loading", key, records);
            }
        }
        calls.drain();
        progress.report("loading", records, records);
    }

    @Override
    public RequestSource requests(RandomGenerator random) {
        return new Requests(random);
    }

    @Override
    public List<String> verifyTables(FulmarClient client, Progress progress) {
        String wrongLength = IntStream.range(0, FIELDS)
                .mapToObj(
                        field -> "field" + field + " IS NULL OR CHAR_LENGTH(field" + field + ") <> " + FIELD_CHARACTERS)
                .collect(Collectors.joining(" OR "));
        return new TableChecks(client)
                .expect(records, "loaded records", "SELECT COUNT(*) FROM usertable WHERE ycsb_key < ?", records)
                .expect(0, "records with negative keys", "SELECT COUNT(*) FROM usertable WHERE ycsb_key < 0")
                .expect(
                        0,
                        "records with fields of a length that nobody wrote",
                        "SELECT COUNT(*) FROM usertable WHERE " + wrongLength)
                .problems();
    }

    @Override
    public List<String> verifyRecord(FulmarClient client, Progress progress) {
        return new TableChecks(client)
                .expect(records + inserted.get(), "records", "SELECT COUNT(*) FROM usertable")
                .problems();
    }

    private static Object[] record(long key, RandomGenerator random) {
        Object[] row = new Object[FIELDS + 1];
        row[0] = key;
        for (int field = 1; field <= FIELDS; field++) {
            row[field] = text(random);
        }
        return row;
    }

    private static String text(RandomGenerator random) {
        StringBuilder text = new StringBuilder(FIELD_CHARACTERS);
        while (text.length() < FIELD_CHARACTERS) {
            long bits = random.nextLong();
            for (int i = 0; i < 10; i++) {
                text.append((char) ('!' + (bits >>> (6 * i) & 63)));
            }
        }
        return text.toString();
    }

    private final class Requests implements RequestSource {
        private final RandomGenerator random;
        private boolean inserting;

        Requests(RandomGenerator random) {
            this.random = random;
        }

        @Override
        public CompletableFuture<CallResult> send(FulmarClient client) {
            YcsbMix.Operation operation = mix.operation(random.nextInt(100));
            inserting = operation == YcsbMix.Operation.INSERT;
            return switch (operation) {
                case READ -> client.callAsync("YcsbRead", key());
                case UPDATE -> client.callAsync("YcsbUpdate", key(), random.nextInt(FIELDS), text(random));
                case INSERT -> client.callAsync("YcsbInsert", record(nextKey.getAndIncrement(), random));
                case SCAN -> client.callAsync("YcsbScan", key(), 1 + random.nextInt(MAX_SCAN_ROWS));
                case READ_MODIFY_WRITE ->
                    client.callAsync("YcsbReadModifyWrite", key(), random.nextInt(FIELDS), text(random));
            };
        }

        private long key() {
            long drawn = keys.draw(random);
            return mix.readsLatest() ? Math.max(0, nextKey.get() - 1 - drawn) : drawn;
        }

        @Override
        public void committed(CallResult result) {
            if (inserting) {
                inserted.incrementAndGet();
            }
        }
    }
}
