package dev.fulmar.benchmarks.survival;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.survival.procedure.Extend;
import dev.fulmar.client.FulmarClient;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The judge convicts whatever a restart could have done to what clients were told. */
final class JudgeTest {
    private static final Chapter CHAPTER = new Chapter(2, 1, false, 4, 100, "1m", "none");
    private static final LocalDatabase DATABASE =
            LocalDatabase.start(Map.of("partitions", "2", "memory.limit", "64m", "jmx", "false"));
    private static final FulmarClient CLIENT = DATABASE.connect(16);

    private final Judge judge = new Judge(CHAPTER);
    private final CatalogChanges changes = new CatalogChanges();
    private final Witness witness = new Witness(1, CHAPTER.chains(), Editions.FIRST);

    @BeforeEach
    void makeTables() {
        for (String procedure :
                List.of("ExtendCommand", "ExtendValues", "ExtendEither", "ExtendMany", "CurrentEdition")) {
            CLIENT.execute("DROP PROCEDURE IF EXISTS " + procedure);
        }
        for (String table : List.of("chain", "link", "pulse", "side_1")) {
            CLIENT.execute("DROP TABLE IF EXISTS " + table);
        }
        Schema.create(CLIENT, CHAPTER.chains());
    }

    @AfterAll
    static void stop() {
        CLIENT.close();
        DATABASE.close();
    }

    @Test
    void acquitsWhatIsAsItWasTold() {
        extend(1);
        extend(1);
        extendMany(1, 2, 3);
        witness.begin(4);
        CLIENT.execute("UPDATE pulse SET v = v + 1");
        witness.pulseAcknowledged();
        assertThat(verdict()).isEmpty();
        assertThat(verdict(new Witness(2, CHAPTER.chains(), Editions.FIRST))).isEmpty();
    }

    @Test
    void acquitsWhatWasNotAnsweredAndIsThereOnce() {
        long number = witness.begin(2).number();
        CLIENT.call("ExtendCommand", 2L, number, "");
        assertThat(verdict()).isEmpty();
        assertThat(judge.unansweredThere()).isEqualTo(1);
    }

    @Test
    void convictsALostAppend() {
        witness.begin(1).acknowledged(1, Editions.FIRST);
        assertThat(verdict()).anyMatch(problem -> problem.contains("is lost"));
    }

    @Test
    void convictsAnAppendThatIsThereTwice() {
        long number = witness.begin(2).number();
        CLIENT.call("ExtendCommand", 2L, number, "");
        CLIENT.call("ExtendCommand", 2L, number, "");
        assertThat(verdict()).anyMatch(problem -> problem.contains("UNKNOWN append " + number + " is there as"));
    }

    @Test
    void convictsAPartOfAnAppendToSeveralChains() {
        Append append = witness.begin(1, 3);
        CLIENT.call("ExtendCommand", 3L, append.number(), "");
        assertThat(verdict()).anyMatch(problem -> problem.contains("it has 2 chains"));
    }

    @Test
    void convictsWhatHadNoEffectAndIsThere() {
        Append append = witness.begin(1);
        append.hadNoEffect();
        CLIENT.call("ExtendCommand", 1L, append.number(), "");
        assertThat(verdict()).anyMatch(problem -> problem.contains("NO_EFFECT append"));
    }

    @Test
    void convictsWhatNobodyAskedFor() {
        CLIENT.call("ExtendCommand", 1L, Witness.firstNumber(1) + 77, "");
        assertThat(verdict()).anyMatch(problem -> problem.contains("was never asked for"));
    }

    @Test
    void convictsAnotherPlaceThanWasTold() {
        Append append = witness.begin(1);
        CLIENT.call("ExtendCommand", 1L, append.number(), "");
        append.acknowledged(2, Editions.FIRST);
        assertThat(verdict()).anyMatch(problem -> problem.contains("was told place 2"));
    }

    @Test
    void convictsAnEditionThatWasReplacedBefore() {
        witness.editionBegins(Editions.FIRST + 1);
        witness.editionAcknowledged(Editions.FIRST + 1);
        extend(1);
        assertThat(verdict()).anyMatch(problem -> problem.contains("ran in edition " + Editions.FIRST));
    }

    @Test
    void convictsCountsThatDoNotFitTheLinks() {
        extend(1);
        CLIENT.execute("UPDATE chain SET links = links + 1 WHERE k = 1");
        assertThat(verdict()).anyMatch(problem -> problem.contains("chain 1 says 2 links"));
    }

    @Test
    void convictsWhatAReaderWasToldAndIsGone() {
        witness.sawLinks(3, 1);
        witness.sawPulse(2);
        assertThat(verdict())
                .anyMatch(problem -> problem.contains("chain 3 has 0 links"))
                .anyMatch(problem -> problem.contains("0 updates over all partitions are there, and a reader"));
    }

    @Test
    void convictsATornUpdate() {
        witness.pulseUnknown();
        CLIENT.execute("UPDATE pulse SET v = v + 1 WHERE id < 5");
        assertThat(verdict()).anyMatch(problem -> problem.contains("torn"));
    }

    @Test
    void convictsLostAndUnaskedUpdates() {
        witness.pulseAcknowledged();
        assertThat(verdict()).anyMatch(problem -> problem.contains("1 updates over all partitions were acknowledged"));
        CLIENT.execute("UPDATE pulse SET v = v + 3");
        assertThat(verdict(new Witness(2, CHAPTER.chains(), Editions.FIRST)))
                .anyMatch(problem -> problem.contains("3 are there"));
    }

    @Test
    void convictsWhatChangesBetweenTwoRestarts() {
        extend(1);
        assertThat(verdict()).isEmpty();
        CLIENT.execute("UPDATE link SET edition = edition + 1");
        assertThat(verdict(new Witness(2, CHAPTER.chains(), Editions.FIRST)))
                .anyMatch(problem -> problem.contains("what earlier restarts showed has changed"));
    }

    @Test
    void convictsACatalogThatNobodyKnows() {
        CLIENT.execute("CREATE TABLE side_1 (id BIGINT NOT NULL PRIMARY KEY)");
        assertThat(verdict()).anyMatch(problem -> problem.contains("the catalog is"));
    }

    @Test
    void acquitsTheCatalogOfItsOwnChanges() {
        AtomicBoolean over = new AtomicBoolean();
        Thread ending = Thread.ofPlatform().start(() -> {
            while (changes.acknowledged() < 10) {
                Thread.onSpinWait();
            }
            over.set(true);
        });
        changes.run(CLIENT, witness, over, new SplittableRandom(1));
        assertThat(ending.isAlive() && !over.get()).isFalse();
        assertThat(verdict()).isEmpty();
        changes.known().indexes().forEach(index -> CLIENT.execute("DROP INDEX " + index));
        changes.known().rows().keySet().forEach(table -> CLIENT.execute("DROP TABLE " + table));
    }

    private void extend(long chain) {
        Append append = witness.begin(chain);
        long told = CLIENT.call("ExtendValues", chain, append.number(), "note").longValue();
        append.acknowledged(told / Extend.EDITIONS, told % Extend.EDITIONS);
    }

    private void extendMany(long... chains) {
        Append append = witness.begin(chains);
        append.acknowledged(
                0, CLIENT.call("ExtendMany", chains, append.number(), "note").longValue());
    }

    private List<String> verdict() {
        return verdict(witness);
    }

    private List<String> verdict(Witness life) {
        judge.judge(CLIENT, life, changes);
        return life.problems();
    }
}
