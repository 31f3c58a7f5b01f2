package dev.fulmar.node.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class LoggedErrorsTest {
    private static boolean isDeadly(String logger, Throwable told) {
        return LoggedErrors.isDeadly(logger, told);
    }

    @Test
    void whatNothingRecoversFromIsDeadlyWhoeverTellsIt() {
        assertThat(isDeadly("dev.fulmar.node.Any", new OutOfMemoryError())).isTrue();
        assertThat(isDeadly("org.apache.zookeeper.ClientCnxn", new NoClassDefFoundError()))
                .isTrue();
    }

    @Test
    void anErrorOfATaskOfNettyIsDeadly() {
        assertThat(isDeadly("io.netty.util.concurrent.AbstractEventExecutor", new StackOverflowError()))
                .isTrue();
        assertThat(isDeadly("io.netty.channel.DefaultChannelPipeline", new IllegalStateException()))
                .isFalse();
    }

    @Test
    void theLastWordsOfADeadThreadAreDeadlyWhateverItDiedOf() {
        assertThat(isDeadly("org.apache.zookeeper.server.ZooKeeperThread", new IllegalStateException()))
                .isTrue();
        assertThat(isDeadly("org.apache.zookeeper.server.ZooKeeperCriticalThread", new IllegalStateException()))
                .isTrue();
        assertThat(isDeadly("org.apache.curator.utils.ThreadUtils", new IllegalStateException()))
                .isTrue();
    }

    @Test
    void otherFailuresAreOnlyLogged() {
        assertThat(isDeadly("dev.fulmar.node.Any", new IllegalStateException())).isFalse();
        assertThat(isDeadly("dev.fulmar.node.Any", new StackOverflowError())).isFalse();
        assertThat(isDeadly("org.apache.zookeeper.ClientCnxn", new IOException()))
                .isFalse();
    }
}
