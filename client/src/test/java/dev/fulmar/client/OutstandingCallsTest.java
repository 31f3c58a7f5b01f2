package dev.fulmar.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.limit.HandleWindow;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OutstandingCallsTest {
    private static final CallHandler NOBODY = new CallHandler() {
        @Override
        public void completed(CallResult result) {}

        @Override
        public void failed(FulmarException error) {}
    };

    /** Ids that collide in every table size are among the random ones. */
    @Test
    void behavesLikeAMapUnderRandomOperations() {
        Random random = new Random(5);
        OutstandingCalls calls = new OutstandingCalls();
        TreeMap<Long, PendingCall> model = new TreeMap<>();
        for (int step = 0; step < 200_000; step++) {
            long id = random.nextInt(3) == 0 ? 1 + random.nextInt(2000) : (1 + random.nextInt(40)) << 12;
            if (model.size() < 600 && random.nextBoolean() && !model.containsKey(id)) {
                PendingCall call = call(id);
                calls.add(call);
                model.put(id, call);
            } else {
                assertThat(calls.remove(id)).isSameAs(model.remove(id));
            }
            assertThat(calls.size()).isEqualTo(model.size());
        }
        assertThat(calls.inOrder()).containsExactlyElementsOf(model.values());
        calls.clear();
        assertThat(calls.inOrder()).isEmpty();
        assertThat(calls.remove(model.firstKey())).isNull();
    }

    @Test
    void idsOfAwaitedCallsStayWithinTheWindow() {
        OutstandingCalls calls = new OutstandingCalls();
        PendingCall slow = call(3);
        calls.add(slow);
        calls.add(call(5));
        assertThat(calls.isWithinWindow(3 + HandleWindow.REQUESTS - 1)).isTrue();
        assertThat(calls.isWithinWindow(3 + HandleWindow.REQUESTS)).isFalse();
        slow.settled = true;
        assertThat(calls.isWithinWindow(5 + HandleWindow.REQUESTS - 1)).isTrue();
        assertThat(calls.isWithinWindow(5 + HandleWindow.REQUESTS)).isFalse();
        calls.remove(5);
        assertThat(calls.isWithinWindow(5 + HandleWindow.REQUESTS)).isTrue();
    }

    private static PendingCall call(long id) {
        PendingCall call = new PendingCall(1, "P", false, new byte[0], 0, Consistency.DECLARED, NOBODY);
        call.requestId = id;
        return call;
    }
}
