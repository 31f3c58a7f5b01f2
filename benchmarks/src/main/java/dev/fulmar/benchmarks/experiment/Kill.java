package dev.fulmar.benchmarks.experiment;

import dev.fulmar.client.FulmarClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** A node under load is killed with SIGKILL again and again; what it acknowledged must be there after each restart. */
public final class Kill implements Experiment {
    private static final int KILLS = 200;
    private static final int QUICK_KILLS = 5;
    private static final int LEAST_MILLIS = 200;
    private static final int MOST_MILLIS = 2500;

    @Override
    public String name() {
        return "kill";
    }

    @Override
    public String meaning() {
        return "200 kills under load with durability sync: nothing acknowledged is lost, nothing is torn";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Path directory = Files.createTempDirectory("fulmar-kill-");
        try {
            return run(settings, settings.quick() ? QUICK_KILLS : KILLS, directory);
        } finally {
            deleteAll(directory);
        }
    }

    /** With so many kills, in the directory. */
    public Findings run(Settings settings, int kills, Path directory) throws Exception {
        SplittableRandom random = new SplittableRandom(settings.seed());
        Path data = directory.resolve("data");
        KillLoad load = new KillLoad();
        String[] options = {"--partitions", "3", "--sites", "2", "--memory", "256m"};
        ServerProcess server = ServerProcess.start(data, options);
        try {
            try (FulmarClient client = server.connect(1024)) {
                KillLoad.create(client);
            }
            for (int life = 1; life <= kills; life++) {
                loadAndKill(server, load, LEAST_MILLIS + random.nextInt(MOST_MILLIS - LEAST_MILLIS));
                long begin = System.nanoTime();
                server = ServerProcess.start(data, options);
                long restartMillis = (System.nanoTime() - begin) / 1_000_000;
                try (FulmarClient client = server.connect(1024)) {
                    load.check(client);
                }
                settings.output()
                        .accept(String.format(
                                Locale.ROOT,
                                "kill %d of %d: %,d acknowledged so far, restart in %d ms, %d problems",
                                life,
                                kills,
                                load.acknowledged(),
                                restartMillis,
                                load.problems().size()));
            }
        } finally {
            server.close();
        }
        load.problems().forEach(settings.output());
        Findings findings = new Findings(name(), settings.quick(), "sync");
        findings.check("kill.problems", load.problems().size());
        findings.check("kill.acknowledged-per-life", (double) load.acknowledged() / kills);
        findings.series("kills", kills);
        findings.series("acknowledged", load.acknowledged());
        findings.series("problems", List.copyOf(load.problems()));
        return findings;
    }

    private static void loadAndKill(ServerProcess server, KillLoad load, int millis) throws Exception {
        AtomicBoolean killed = new AtomicBoolean();
        FulmarClient client = server.connect(1024);
        try (client) {
            Thread killer = Thread.ofPlatform().start(() -> {
                try {
                    Thread.sleep(millis);
                    server.kill();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    killed.set(true);
                    client.close(); // else calls that were not sent would wait for another connection
                }
            });
            try {
                load.run(client, killed);
            } finally {
                killer.join();
            }
        }
    }

    private static void deleteAll(Path directory) throws IOException {
        List<Path> found;
        try (Stream<Path> tree = Files.walk(directory)) {
            found = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : found) {
            Files.delete(path);
        }
    }
}
