package dev.fulmar.benchmarks.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class FileContentTest {
    private static final int PAGE = FileContent.PAGE_BYTES;
    private static final int SECTOR = FileContent.SECTOR_BYTES;

    private final FileContent file = new FileContent();

    @Test
    void readsWhatWasWritten() {
        file.write(PAGE - 3, bytes(10, 1));
        assertThat(file.size()).isEqualTo(PAGE + 7);
        assertThat(file.read(PAGE - 3, 100)).isEqualTo(bytes(10, 1));
        assertThat(file.read(0, 5)).isEqualTo(new byte[5]);
        assertThat(file.read(PAGE + 7, 5)).isEmpty();
    }

    @Test
    void losesWhatWasNotForced() {
        file.write(0, bytes(PAGE, 1));
        file.force();
        file.write(10, bytes(PAGE, 2));
        FileContent left = file.left(Survivors.none());
        assertThat(left.size()).isEqualTo(PAGE);
        assertThat(left.read(0, PAGE)).isEqualTo(bytes(PAGE, 1));
        assertThat(left.isDirty()).isFalse();
    }

    @Test
    void keepsWhatWasForcedAndWhatTheSurvivorsSay() {
        file.write(0, bytes(100, 1));
        file.force();
        assertThat(file.isDirty()).isFalse();
        assertThat(file.left(Survivors.none()).read(0, 200)).isEqualTo(bytes(100, 1));
        file.write(50, bytes(100, 2));
        assertThat(file.isDirty()).isTrue();
        assertThat(file.left(Survivors.all()).read(50, 200)).isEqualTo(bytes(100, 2));
    }

    @Test
    void aSynchronousWriteForcesNoMoreThanItsOwnSectors() {
        file.write(0, bytes(2 * PAGE, 1));
        file.force();
        file.write(0, bytes(SECTOR, 2));
        file.write(4L * SECTOR, bytes(SECTOR, 3));
        file.write(PAGE, bytes(SECTOR, 4));
        file.force(4L * SECTOR, SECTOR);
        FileContent left = file.left(Survivors.none());
        assertThat(left.read(0, SECTOR)).isEqualTo(bytes(SECTOR, 1));
        assertThat(left.read(4L * SECTOR, SECTOR)).isEqualTo(bytes(SECTOR, 3));
        assertThat(left.read(PAGE, SECTOR)).isEqualTo(bytes(SECTOR, 1));
        file.force(0, SECTOR);
        file.force(PAGE, SECTOR);
        assertThat(file.isDirty()).isFalse();
    }

    @Test
    void aSynchronousWriteAtTheEndForcesTheSizeThatItNeeds() {
        file.write(0, bytes(10, 1));
        file.force(0, 10);
        file.write(10, bytes(10, 2));
        assertThat(file.left(Survivors.none()).size()).isEqualTo(10);
        file.force(10, 5);
        assertThat(file.left(Survivors.none()).size()).isEqualTo(15);
    }

    @Test
    void aLostTruncationBringsTheBytesBack() {
        file.write(0, bytes(PAGE + 100, 1));
        file.force();
        file.truncate(10);
        file.truncate(PAGE + 100);
        assertThat(file.read(10, PAGE)).isEqualTo(new byte[PAGE]);
        assertThat(file.left(Survivors.none()).read(0, PAGE + 100)).isEqualTo(bytes(PAGE + 100, 1));
        file.force();
        assertThat(file.left(Survivors.none()).read(10, PAGE)).isEqualTo(new byte[PAGE]);
    }

    @Test
    void zerosThatAreNotForcedLeaveWhatWasThere() {
        file.write(0, bytes(PAGE, 1));
        file.force();
        file.write(0, new byte[PAGE]);
        assertThat(file.read(0, PAGE)).isEqualTo(new byte[PAGE]);
        assertThat(file.left(Survivors.none()).read(0, PAGE)).isEqualTo(bytes(PAGE, 1));
        assertThat(file.left(Survivors.all()).read(0, PAGE)).isEqualTo(new byte[PAGE]);
    }

    @Test
    void tearsWritesBetweenSectorsOnly() {
        int torn = 0;
        for (int seed = 0; seed < 200; seed++) {
            FileContent each = new FileContent();
            each.write(0, bytes(PAGE, 1));
            each.force();
            each.write(0, bytes(PAGE, 2));
            FileContent left = each.left(Survivors.draw(new SplittableRandom(seed)));
            int ofTheSecond = 0;
            for (int sector = 0; sector < PAGE / SECTOR; sector++) {
                byte[] found = left.read((long) sector * SECTOR, SECTOR);
                boolean second = Arrays.equals(found, bytes(SECTOR, 2));
                assertThat(second || Arrays.equals(found, bytes(SECTOR, 1))).isTrue();
                ofTheSecond += second ? 1 : 0;
            }
            torn += ofTheSecond > 0 && ofTheSecond < PAGE / SECTOR ? 1 : 0;
        }
        assertThat(torn).isBetween(20, 120);
    }

    @Test
    void agreesWithAPlainArrayUnderRandomCalls() {
        SplittableRandom random = new SplittableRandom(5);
        byte[] seen = new byte[0];
        byte[] durable = new byte[0];
        for (int i = 0; i < 3000; i++) {
            int position = random.nextInt(5 * PAGE);
            switch (random.nextInt(5)) {
                case 0 -> {
                    file.truncate(position);
                    seen = Arrays.copyOf(seen, position);
                }
                case 1 -> {
                    file.force();
                    durable = seen.clone();
                }
                default -> {
                    byte[] written = bytes(1 + random.nextInt(2 * PAGE), random.nextInt(3));
                    file.write(position, written);
                    seen = Arrays.copyOf(seen, Math.max(seen.length, position + written.length));
                    System.arraycopy(written, 0, seen, position, written.length);
                }
            }
            assertThat(file.read(0, 10 * PAGE)).isEqualTo(seen);
            assertThat(file.left(Survivors.none()).read(0, 10 * PAGE)).isEqualTo(durable);
            assertThat(file.left(Survivors.all()).read(0, 10 * PAGE)).isEqualTo(seen);
        }
    }

    private static byte[] bytes(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }
}
