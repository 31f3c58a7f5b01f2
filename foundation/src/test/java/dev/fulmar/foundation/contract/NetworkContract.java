package dev.fulmar.foundation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.contract.NetworkMember.Told;
import dev.fulmar.foundation.contract.NetworkMember.What;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

public abstract class NetworkContract {
    protected static final NodeId FIRST = new NodeId(1);
    protected static final NodeId SECOND = new NodeId(2);
    protected static final NodeId THIRD = new NodeId(3);

    /** A busy link has more than this waiting, and a session ends at four times as much. */
    protected static final int BUSY_BYTES = 1 << 20;

    /** The node's network, which reaches nobody yet. */
    protected abstract Network create(NodeId node);

    /** Lets the network reach the others. */
    protected abstract void start(Network network);

    /** Takes the node off the network. */
    protected abstract void leave(NodeId node);

    /** Whether a receiver may let its thread wait. */
    protected abstract boolean canWait();

    protected abstract Surroundings surroundings();

    private NetworkMember join(NodeId node) {
        NetworkMember member = new NetworkMember(create(node));
        start(member.network());
        return member;
    }

    private void awaitLink(NetworkMember one, NetworkMember other) {
        assertThat(surroundings()
                        .await(() -> one.isLinked(other.network().self())
                                && other.isLinked(one.network().self())))
                .isTrue();
    }

    @Test
    void messagesOfAPairArriveOnceInTheOrderSent() {
        NetworkMember first = join(FIRST);
        NetworkMember third = join(THIRD);
        NetworkMember second = join(SECOND);
        awaitLink(first, second);
        awaitLink(third, second);
        for (int i = 0; i < 500; i++) {
            assertThat(first.send(SECOND, i, 4 + i)).isTrue();
            assertThat(third.send(SECOND, -i, 4)).isTrue();
        }
        assertThat(surroundings()
                        .await(() ->
                                second.count(FIRST, What.MESSAGE) >= 500 && second.count(THIRD, What.MESSAGE) >= 500))
                .isTrue();
        surroundings().pass(5_000_000);
        assertThat(second.numbers(FIRST)).isEqualTo(numbers(500));
        assertThat(second.numbers(THIRD)).hasSize(500).isSortedAccordingTo((a, b) -> Integer.compare(b, a));
        assertThat(second.told().stream()
                        .filter(one -> one.what() == What.MESSAGE && one.from().equals(FIRST)))
                .allMatch(one -> one.length() == 4 + one.number());
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    @Test
    void aMessageIsPutTogetherAndCopiedBeforeSendReturns() {
        NetworkMember first = join(FIRST);
        List<String> received = new CopyOnWriteArrayList<>();
        Network second = create(SECOND);
        second.onMessage((from, message) -> {
            byte[] bytes = new byte[message.remaining()];
            message.get(bytes);
            received.add(new String(bytes, StandardCharsets.US_ASCII));
        });
        start(second);
        assertThat(surroundings().await(() -> first.isLinked(SECOND))).isTrue();
        byte[] text = "Hello, you others".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer part = ByteBuffer.wrap(text, 7, 3);
        assertThat(first.network().send(SECOND, ByteBuffer.wrap(text, 0, 6).slice(), part))
                .isTrue();
        text[8] = 'u';
        assertThat(part.remaining()).isEqualTo(3);
        assertThat(surroundings().await(() -> !received.isEmpty())).isTrue();
        assertThat(received).containsExactly("Hello,you");
        ByteBuffer tooLong = ByteBuffer.allocate(Network.MAX_MESSAGE_BYTES / 2 + 1);
        assertThatThrownBy(() -> first.network().send(SECOND, tooLong.duplicate(), tooLong.duplicate()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNodeReachesItselfButNotWithinTheCall() {
        Network first = create(FIRST);
        List<String> received = new CopyOnWriteArrayList<>();
        first.onMessage((from, message) -> {
            if (message.getInt() == 0) {
                assertThat(first.send(from, ByteBuffer.allocate(4).putInt(0, 1)))
                        .isTrue();
                received.add("first");
            } else {
                received.add("second");
            }
        });
        start(first);
        assertThat(first.send(FIRST, ByteBuffer.allocate(4))).isTrue();
        assertThat(surroundings().await(() -> received.size() == 2)).isTrue();
        assertThat(received).containsExactly("first", "second");
        assertThat(first.self()).isEqualTo(FIRST);
    }

    @Test
    void withoutASessionNothingIsSentAndNothingOfItComesLater() {
        NetworkMember first = join(FIRST);
        NetworkMember second = join(SECOND);
        assertThat(first.send(THIRD, 1, 4)).isFalse();
        awaitLink(first, second);
        leave(SECOND);
        assertThat(surroundings().await(() -> !first.isLinked(SECOND))).isTrue();
        assertThat(first.send(SECOND, 2, 4)).isFalse();
        NetworkMember again = join(SECOND);
        awaitLink(first, again);
        assertThat(first.send(SECOND, 3, 4)).isTrue();
        assertThat(surroundings().await(() -> !again.numbers(FIRST).isEmpty())).isTrue();
        surroundings().pass(5_000_000);
        assertThat(again.numbers(FIRST)).containsExactly(3);
        assertThat(first.told(SECOND).stream().map(Told::what)).containsExactly(What.UP, What.LOST, What.UP);
    }

    @Test
    void aSessionThatMakesNoSenseEndsForBothAndAnotherFollows() {
        NetworkMember first = join(FIRST);
        NetworkMember second = join(SECOND);
        awaitLink(first, second);
        for (int i = 0; i < 100; i++) {
            first.send(SECOND, i, 1_000);
        }
        assertThat(surroundings().await(() -> second.count(FIRST, What.MESSAGE) > 0))
                .isTrue();
        second.network().endSession(FIRST, "for this test");
        second.network().endSession(THIRD, "where there is none");
        assertThat(surroundings().await(() -> first.count(SECOND, What.UP) == 2 && second.count(FIRST, What.UP) == 2))
                .isTrue();
        awaitLink(first, second);
        assertThat(first.send(SECOND, 1_000, 4)).isTrue();
        assertThat(surroundings().await(() -> second.numbers(FIRST).contains(1_000)))
                .isTrue();
        List<Told> told = second.told(FIRST);
        assertThat(told.getFirst().what()).isEqualTo(What.UP);
        int lost = told.stream().map(Told::what).toList().indexOf(What.LOST);
        assertThat(told.subList(lost, told.size()).stream().map(Told::what))
                .containsExactly(What.LOST, What.UP, What.MESSAGE);
        List<Integer> before = second.numbers(FIRST).subList(0, lost - 1);
        assertThat(before).isEqualTo(numbers(before.size()));
        assertThat(first.told(SECOND).stream().map(Told::what)).containsExactly(What.UP, What.LOST, What.UP);
    }

    @Test
    void aLinkIsBusyWhileMuchWaitsAndItIsToldWhenItIsFree() {
        NetworkMember first = join(FIRST);
        NetworkMember second = join(SECOND);
        awaitLink(first, second);
        assertThat(first.network().isBusy(SECOND)).isFalse();
        int sent = 0;
        try (NetworkMember.Hold _ = second.holdUp(canWait())) {
            while (!staysBusy(first) && sent < 1_000) {
                assertThat(first.send(SECOND, sent++, BUSY_BYTES / 10)).isTrue();
            }
            assertThat(sent).isBetween(10, 999);
            if (!canWait()) { // sockets with buffers of their own may have freed the link before
                assertThat(first.count(SECOND, What.FREE)).isZero();
            }
        }
        int total = sent;
        assertThat(surroundings().await(() -> second.numbers(FIRST).size() == total))
                .isTrue();
        assertThat(surroundings().await(() -> !first.network().isBusy(SECOND))).isTrue();
        assertThat(surroundings().await(() -> first.count(SECOND, What.FREE) > 0))
                .isTrue();
        assertThat(first.count(SECOND, What.FREE)).isLessThanOrEqualTo(canWait() ? sent : 1);
        assertThat(second.numbers(FIRST)).isEqualTo(numbers(total));
        assertThat(first.isLinked(SECOND)).isTrue();
    }

    /** Whether the link is busy, and not only until the sockets' own buffers have taken what waits. */
    private boolean staysBusy(NetworkMember first) {
        if (canWait() && first.network().isBusy(SECOND)) {
            surroundings().pass(50_000_000);
        }
        return first.network().isBusy(SECOND);
    }

    @Test
    void whoSendsOnRegardlessLosesTheSessionAndNoMessageInTheMiddle() {
        NetworkMember first = join(FIRST);
        NetworkMember second = join(SECOND);
        awaitLink(first, second);
        int sent = 0;
        try (NetworkMember.Hold _ = second.holdUp(canWait())) {
            while (first.send(SECOND, sent, BUSY_BYTES / 10) && sent < 1_000) {
                sent++;
            }
            assertThat(sent).isBetween(39, 999);
        }
        assertThat(surroundings()
                        .await(() -> first.count(SECOND, What.LOST) == 1 && second.count(FIRST, What.LOST) == 1))
                .isTrue();
        awaitLink(first, second);
        List<Integer> arrived = second.numbers(FIRST);
        assertThat(arrived).isEqualTo(numbers(arrived.size()));
    }

    @Test
    void aReceiverCanBeReplaced() {
        NetworkMember first = join(FIRST);
        NetworkMember second = join(SECOND);
        awaitLink(first, second);
        first.send(SECOND, 1, 4);
        assertThat(surroundings().await(() -> second.numbers(FIRST).size() == 1))
                .isTrue();
        List<Integer> later = new CopyOnWriteArrayList<>();
        second.network().onMessage((from, message) -> later.add(message.getInt()));
        first.send(SECOND, 2, 4);
        assertThat(surroundings().await(() -> later.size() == 1)).isTrue();
        assertThat(second.numbers(FIRST)).containsExactly(1);
        assertThat(later).containsExactly(2);
    }
}
