package dev.fulmar.foundation.agent.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.contract.Surroundings;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Agents that sleep without limit pass a token on: one lost wake-up stops the game for ever. */
class WakeUpStress {
    private static final int ROUNDS = 60_000;

    @Test
    void aTokenThatGoesRoundIsNeverStuck() {
        for (IdleStrategy idleStrategy :
                List.of(new IdleStrategy(0, 0, 0), new IdleStrategy(30, 0, 0), new IdleStrategy(0, 1, 0))) {
            Player[] players = new Player[2];
            List<AgentRunner> runners = new ArrayList<>();
            for (int i = 0; i < players.length; i++) {
                players[i] = new Player(i);
                runners.add(new ThreadAgentRunner(players[i], idleStrategy, failure -> {}));
            }
            for (int i = 0; i < players.length; i++) {
                players[i].next = players[1 - i];
                players[i].nextRunner = runners.get(1 - i);
            }
            runners.forEach(AgentRunner::start);
            players[0].give();
            runners.get(0).wakeUp();
            boolean finished = Surroundings.REAL.await(() -> players[1].rounds.get() >= ROUNDS);
            runners.forEach(AgentRunner::close);
            assertThat(finished)
                    .as("%s after %s rounds", idleStrategy, players[1].rounds)
                    .isTrue();
        }
    }

    /** Takes the token and hands it to the next player, by a plain release write as a queue would make it. */
    private static final class Player implements Agent {
        private static final VarHandle TOKEN;

        static {
            try {
                TOKEN = MethodHandles.lookup().findVarHandle(Player.class, "token", int.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final int number;
        private final AtomicInteger rounds = new AtomicInteger();
        private Player next = this;
        private AgentRunner nextRunner = new ThreadAgentRunner(this, new IdleStrategy(0, 0, 0), failure -> {});

        @SuppressWarnings("UnusedVariable") // through TOKEN
        private int token;

        Player(int number) {
            this.number = number;
        }

        void give() {
            TOKEN.setRelease(this, 1);
        }

        @Override
        public int doWork() {
            if ((int) TOKEN.getAcquire(this) == 0) {
                return 0;
            }
            TOKEN.set(this, 0);
            int round = rounds.incrementAndGet();
            if (round < ROUNDS || number == 0) {
                for (int i = round % 50; i > 0; i--) {
                    Thread.onSpinWait();
                }
                next.give();
                nextRunner.wakeUp();
            }
            return 1;
        }

        @Override
        public String roleName() {
            return "player-" + number;
        }
    }
}
