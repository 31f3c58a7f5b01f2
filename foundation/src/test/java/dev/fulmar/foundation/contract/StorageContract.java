package dev.fulmar.foundation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public abstract class StorageContract {
    protected abstract Storage storage();

    protected static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    protected static String content(Storage storage, String name) throws IOException {
        try (StorageFile file = storage.open(name)) {
            ByteBuffer target = ByteBuffer.allocate((int) file.size());
            file.read(0, target);
            return new String(target.array(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        Storage storage = storage();
        try (StorageFile file = storage.open("log/a")) {
            file.write(0, bytes("hello world"));
            file.write(6, bytes("gulls"));
            ByteBuffer source = bytes("xx!yy");
            source.position(2).limit(3);
            file.write(11, source);
            assertThat(source.hasRemaining()).isFalse();
            assertThat(file.size()).isEqualTo(12);
            ByteBuffer target = ByteBuffer.allocate(5);
            assertThat(file.read(6, target)).isEqualTo(5);
            assertThat(target.hasRemaining()).isFalse();
            assertThat(new String(target.array(), StandardCharsets.UTF_8)).isEqualTo("gulls");
            file.force();
        }
        assertThat(content(storage, "log/a")).isEqualTo("hello gulls!");
    }

    @Test
    void whatIsWrittenSynchronouslyIsRead() throws IOException {
        Storage storage = storage();
        try (StorageFile file = storage.openSynchronous("log/a");
                StorageFile other = storage.open("log/a")) {
            file.write(0, bytes("hello world"));
            other.write(0, bytes("H"));
            file.write(6, bytes("gulls"));
            assertThat(file.size()).isEqualTo(11);
            file.force();
        }
        assertThat(content(storage, "log/a")).isEqualTo("Hello gulls");
        assertThatThrownBy(() -> storage.openSynchronous("../a")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readingStopsAtTheEnd() throws IOException {
        try (StorageFile file = storage().open("a")) {
            file.write(0, bytes("abc"));
            ByteBuffer target = ByteBuffer.allocate(10);
            assertThat(file.read(1, target)).isEqualTo(2);
            assertThat(target.position()).isEqualTo(2);
            assertThat(file.read(3, target)).isZero();
            assertThat(file.read(100, target)).isZero();
        }
    }

    @Test
    void aGapHoldsZeros() throws IOException {
        Storage storage = storage();
        try (StorageFile file = storage.open("a")) {
            file.write(0, bytes("abcdef"));
            file.truncate(1);
            assertThat(file.size()).isEqualTo(1);
            file.write(3, bytes("z"));
            file.truncate(100);
            assertThat(file.size()).isEqualTo(4);
        }
        assertThat(content(storage, "a")).isEqualTo("a\0\0z");
    }

    @Test
    void handlesOfOneFileSeeEachOther() throws IOException {
        Storage storage = storage();
        try (StorageFile one = storage.open("a");
                StorageFile other = storage.open("a")) {
            one.write(0, bytes("abc"));
            assertThat(other.size()).isEqualTo(3);
        }
    }

    @Test
    void namesAreListedInOrderWithoutDirectories() throws IOException {
        Storage storage = storage();
        for (String name : new String[] {"d/b", "d/a", "d/c/x", "e"}) {
            storage.open(name).close();
        }
        assertThat(storage.list("d")).containsExactly("a", "b");
        assertThat(storage.list("")).containsExactly("e");
        assertThat(storage.list("absent")).isEmpty();
        assertThat(storage.exists("d/c/x")).isTrue();
        assertThat(storage.exists("d/c")).isFalse();
        storage.forceDirectory("d");
        storage.forceDirectory("");
    }

    @Test
    void renamingReplacesTheTarget() throws IOException {
        Storage storage = storage();
        try (StorageFile old = storage.open("a");
                StorageFile target = storage.open("b")) {
            old.write(0, bytes("new"));
            target.write(0, bytes("previous"));
        }
        storage.rename("a", "b");
        assertThat(storage.exists("a")).isFalse();
        assertThat(content(storage, "b")).isEqualTo("new");
        storage.rename("b", "d/c");
        assertThat(content(storage, "d/c")).isEqualTo("new");
        assertThatThrownBy(() -> storage.rename("absent", "x")).isInstanceOf(IOException.class);
    }

    @Test
    void deletingIsIdempotentAndAnOpenHandleSurvivesIt() throws IOException {
        Storage storage = storage();
        try (StorageFile file = storage.open("a")) {
            file.write(0, bytes("abc"));
            storage.delete("a");
            storage.delete("a");
            assertThat(storage.exists("a")).isFalse();
            assertThat(file.size()).isEqualTo(3);
        }
        assertThat(content(storage, "a")).isEmpty();
    }

    @Test
    void aClosedHandleIsOfNoUse() throws IOException {
        StorageFile file = storage().open("a");
        file.close();
        file.close();
        assertThatThrownBy(() -> file.write(0, bytes("abc"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> file.discard(0, 1)).isInstanceOf(IOException.class);
    }

    @Test
    void bytesThatAreDiscardedTakeNoOthersAlong() throws IOException {
        Storage storage = storage();
        int page = 4096;
        try (StorageFile file = storage.open("a")) {
            file.write(0, ByteBuffer.wrap("x".repeat(4 * page).getBytes(StandardCharsets.UTF_8)));
            file.discard(page, 2L * page);
            file.discard(3L * page, 0);
            assertThat(file.size()).isEqualTo(4L * page);
            file.write(2L * page, bytes("again"));
            file.force();
        }
        String content = content(storage, "a");
        assertThat(content.substring(0, page)).isEqualTo("x".repeat(page));
        assertThat(content.substring(2 * page, 2 * page + 5)).isEqualTo("again");
        assertThat(content.substring(3 * page)).isEqualTo("x".repeat(page));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "a/", "../a", "a/../../b", ".", "a//b", "a\\b", "c:a", "a\0b", "a\nb"})
    void noNameLeadsOutOfTheRoot(String name) {
        Storage storage = storage();
        assertThatThrownBy(() -> storage.open(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> storage.rename("x", name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> storage.delete(name)).isInstanceOf(IllegalArgumentException.class);
    }
}
