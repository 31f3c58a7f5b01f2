package dev.fulmar.wire.postgres.type;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The short way for the texts that drivers send, beside the reader of all forms. */
class PlainDatetimeTest {
    private static final String SIGNS = "0123456789-:.+ TZ";
    private static final int TEXTS = 200_000;

    private static PlainDatetime of(byte[] text) {
        return new PlainDatetime(text, 0, text.length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2024-02-29",
                "0001-01-01",
                "9999-12-31 23:59:59.999999",
                "2024-02-29 12:34:56",
                "2024-02-29T12:34:56.5",
                "2024-02-29 12:34:56.000001+00",
                "2024-02-29 12:34:56-03:30"
            })
    void driversTextsAreRead(String text) {
        assertThat(of(text.getBytes(StandardCharsets.US_ASCII)).read()).isTrue();
    }

    /** Texts that were changed at some places: what is read has the meaning that the reader of all forms gives it. */
    @Test
    void noTextHasTwoMeanings() {
        Random random = new Random(20_240_229);
        int read = 0;
        for (int i = 0; i < TEXTS; i++) {
            byte[] text = written(random);
            PlainDatetime plain = of(text);
            if (plain.read()) {
                read++;
                assertMeans(plain, text);
            }
        }
        assertThat(read).isBetween(TEXTS / 20, TEXTS - TEXTS / 20);
    }

    private static byte[] written(Random random) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT, "%04d-%02d-%02d", random.nextInt(10_000), random.nextInt(13), random.nextInt(32)));
        if (random.nextInt(5) > 0) {
            text.append(random.nextBoolean() ? ' ' : 'T');
            text.append(String.format(
                    Locale.ROOT, "%02d:%02d:%02d", random.nextInt(25), random.nextInt(61), random.nextInt(61)));
            text.append(random.nextBoolean() ? "." + random.nextInt(10_000_000) : "");
            String offset = String.format(Locale.ROOT, "%s%02d", random.nextBoolean() ? "+" : "-", random.nextInt(17));
            text.append(random.nextBoolean() ? offset : "");
            text.append(random.nextInt(4) == 0 ? String.format(Locale.ROOT, ":%02d", random.nextInt(61)) : "");
        }
        for (int changes = random.nextInt(3); changes > 1; changes--) {
            int place = random.nextInt(text.length());
            text.setCharAt(place, SIGNS.charAt(random.nextInt(SIGNS.length())));
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static void assertMeans(PlainDatetime plain, byte[] text) {
        String shown = new String(text, StandardCharsets.US_ASCII);
        try {
            assertThat(new WrittenForm(PostgresType.DATE, text, 0, text.length, DateOrder.DMY).days())
                    .as(shown)
                    .isEqualTo(plain.days());
            assertThat(new WrittenForm(PostgresType.TIMESTAMP, text, 0, text.length, DateOrder.DMY).localMicros())
                    .as(shown)
                    .isEqualTo(plain.localMicros());
            if (plain.hasOffset()) {
                assertThat(new WrittenForm(PostgresType.TIMESTAMPTZ, text, 0, text.length, DateOrder.DMY)
                                .instantMicros(ZoneOffset.ofHours(7)))
                        .as(shown)
                        .isEqualTo(plain.instantMicros());
            }
        } catch (FulmarException e) {
            throw new AssertionError(shown + " is refused", e);
        }
    }
}
