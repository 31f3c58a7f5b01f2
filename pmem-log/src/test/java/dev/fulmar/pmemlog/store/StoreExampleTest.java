package dev.fulmar.pmemlog.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.agent.real.IdleStrategy;
import dev.fulmar.foundation.agent.real.ThreadAgentRunner;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.random.real.SystemSeed;
import dev.fulmar.foundation.time.real.SystemClock;
import dev.fulmar.pmemlog.backend.Backend;
import dev.fulmar.pmemlog.backend.BackendSettings;
import dev.fulmar.pmemlog.backend.Backends;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/STORE.md. */
class StoreExampleTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void moneyMovesAndStays() {
        long[] ids = first(directory.toString());
        assertThat(second(directory.toString(), ids)).isEqualTo(100);
    }

    // example begins
    static long[] first(String directory) {
        Backend backend = Backends.open("file", new BackendSettings(directory, 0, false));
        System.out.println(
                backend.explanation() + ": survives " + backend.durability().description());
        StoreEnvironment environment =
                new StoreEnvironment(backend.storage(), new SystemClock(), new SeededRandom(SystemSeed.draw()));
        try (ObjectStore store =
                        ObjectStore.open(environment, StoreSettings.defaults("accounts", backend.blockBytes()));
                ThreadAgentRunner upkeep =
                        new ThreadAgentRunner(store, new IdleStrategy(0, 0, 1_000_000), Throwable::printStackTrace);
                StoreSession session = store.session()) { // one for each thread
            upkeep.start();
            byte[] hundred = new byte[Long.BYTES];
            LittleEndian.putLong(hundred, 0, 100);
            long[] ids = session.run(Isolation.SNAPSHOT, transaction ->
                    new long[] {transaction.create(hundred), transaction.create(new byte[Long.BYTES])});
            session.run(
                    Isolation.SERIALIZABLE,
                    transaction -> { // run again until nobody was faster
                        long left = transaction.readLong(ids[0], 0);
                        transaction.writeLong(ids[0], 0, left - 30); // 8 bytes and a header of 16 in the log
                        transaction.writeLong(ids[1], 0, transaction.readLong(ids[1], 0) + 30);
                        return left;
                    }); // durable, and visible to all, from here on
            return ids;
        }
    }

    static long second(String directory, long[] ids) {
        Backend backend = Backends.open("file", new BackendSettings(directory, 0, false));
        StoreEnvironment environment =
                new StoreEnvironment(backend.storage(), new SystemClock(), new SeededRandom(SystemSeed.draw()));
        try (ObjectStore store =
                        ObjectStore.open(environment, StoreSettings.defaults("accounts", backend.blockBytes()));
                StoreSession session = store.session();
                Transaction transaction = session.begin(Isolation.SNAPSHOT)) { // waits for nobody
            return transaction.readLong(ids[0], 0) + transaction.readLong(ids[1], 0);
        }
    }
    // example ends

    @Test
    void thePageShowsWhatIsTested() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/fulmar/pmemlog/store/StoreExampleTest.java"));
        String begin = "    // example begins\n";
        String example =
                source.substring(source.indexOf(begin) + begin.length(), source.indexOf("    // example ends"));
        assertThat(Files.readString(Path.of("../docs/STORE.md")).replaceAll("\\s+", " "))
                .contains(example.replaceAll("\\s+", " ").trim());
    }
}
