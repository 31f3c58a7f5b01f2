package dev.fulmar.pmemlog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.random.SeededRandom;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What was packed is the same when it is unpacked, and small where there are zeros. */
class ImagePackingTest {
    private final SeededRandom random = new SeededRandom(11);

    /** Packs an image that lies somewhere in an array, and compares it unpacked; returns the bytes that it took. */
    private static int packedBytes(byte[] image) {
        byte[] source = new byte[image.length + 6];
        Arrays.fill(source, (byte) 99);
        System.arraycopy(image, 0, source, 3, image.length);
        byte[] packed = new byte[5 + ImagePacking.mostBytes(image.length)];
        int end = ImagePacking.pack(source, 3, image.length, packed, 5);
        byte[] exact = Arrays.copyOf(packed, end);
        byte[] unpacked = new byte[image.length + Long.BYTES];
        assertThat(ImagePacking.unpack(exact, 5, unpacked, image.length)).isEqualTo(end);
        assertThat(Arrays.copyOf(unpacked, image.length)).isEqualTo(image);
        return end - 5;
    }

    @Test
    void anyImageComesBack() {
        for (int round = 0; round < 20_000; round++) {
            byte[] image = new byte[random.nextInt(random.nextInt(20) == 0 ? 6000 : 100)];
            int density = random.nextInt(9);
            int stretch = 1 + random.nextInt(300);
            for (int i = 0; i < image.length; i++) {
                boolean dense = i / stretch % 2 == 0;
                image[i] = (byte) (dense || random.nextInt(8) < density ? 1 + random.nextInt(255) : 0);
            }
            assertThat(packedBytes(image)).isLessThanOrEqualTo(ImagePacking.mostBytes(image.length));
        }
    }

    @Test
    void zerosTakeLittleAndTextsNoMore() {
        assertThat(packedBytes(new byte[1000])).isLessThan(5);
        byte[] text = new byte[1000];
        Arrays.fill(text, (byte) 'x');
        assertThat(packedBytes(text)).isLessThan(1005);
        byte[] numbers = new byte[80];
        for (int i = 0; i < numbers.length; i += Long.BYTES) {
            numbers[i] = (byte) (i + 1);
        }
        assertThat(packedBytes(numbers)).isEqualTo(20);
        assertThat(packedBytes(new byte[0])).isZero();
    }

    @Test
    void numbersOfAnySizeComeBack() {
        byte[] array = new byte[20];
        for (int bits = 0; bits < 64; bits++) {
            for (long near = -1; near <= 1; near++) {
                for (long value : new long[] {(1L << bits) + near, -(1L << bits) + near}) {
                    int end = Numbers.putSigned(array, 0, value);
                    assertThat(end).isEqualTo(Numbers.signedBytes(value)).isLessThanOrEqualTo(Numbers.MOST_BYTES);
                    assertThat(new Numbers(array, 0, end).nextSigned()).isEqualTo(value);
                    end = Numbers.put(array, 0, value);
                    assertThat(end).isEqualTo(Numbers.bytes(value));
                    assertThat(new Numbers(array, 0, end).next()).isEqualTo(value);
                    Numbers cut = new Numbers(array, 0, end - 1);
                    assertThat(cut.next()).isZero();
                    assertThat(cut.isBad()).isTrue();
                }
            }
        }
        Numbers.put(array, 0, 1L << 31);
        Numbers large = new Numbers(array, 0, array.length);
        assertThat(large.nextInt()).isZero();
        assertThat(large.isBad()).isTrue();
    }
}
