package dev.fulmar.engine.execution.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeTextTest {
    private static final byte UNTOUCHED = 0x55;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "fifteen letters",
                "sixteen letters.",
                "a text of more than sixteen letters",
                "a zero \u0000 within a text of ASCII alone",
                "only the last letter is not ASCII: \u00e9",
                "\u00e9 is the first of these letters, and no other",
                "letters beyond Latin: \u0141\u00f3d\u017a \u4e2d\u6587",
                "a pair of surrogates \uD83D\uDE00 and one alone \uD83D here",
                "\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d\u4e2d"
            })
    void aTextIsEncodedWithinItsBound(String text) {
        byte[] expected = text.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            long bound = NativeText.maxBytes(text);
            MemorySegment memory = arena.allocate(bound + Long.BYTES).fill(UNTOUCHED);
            int length = NativeText.encode(text, memory.address());
            assertThat(length).isEqualTo(expected.length);
            assertThat(memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
            assertThat(memory.asSlice(bound).toArray(ValueLayout.JAVA_BYTE)).containsOnly(UNTOUCHED);
            assertThat(NativeText.decode(memory.address(), length)).isEqualTo(text.replace("\uD83D here", "? here"));
        }
    }
}
