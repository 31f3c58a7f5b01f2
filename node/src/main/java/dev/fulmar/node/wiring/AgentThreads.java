package dev.fulmar.node.wiring;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.agent.real.GuestAgentRunner;
import dev.fulmar.foundation.agent.real.IdleStrategy;
import dev.fulmar.foundation.agent.real.ThreadAffinity;
import dev.fulmar.foundation.agent.real.ThreadAgentRunner;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.health.Liveness;
import dev.fulmar.node.health.TimedAgent;
import dev.fulmar.node.health.WatchedAgents;
import dev.fulmar.pmemlog.log.OperationLog;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The threads of a node's agents. Those that wait for devices and other nodes are watched from their start to their
 * end.
 */
final class AgentThreads {
    /** Threads of the log wait for the device most of the time; what comes wakes them. */
    private static final IdleStrategy LOG_IDLE = new IdleStrategy(0, 1, 10_000_000);

    /**
     * Where clients wait for each other, the thread that writes the log has the next commit soon. To wake it takes as
     * long as a write, so it looks out for the commit.
     */
    private static final IdleStrategy WRITER_IDLE = new IdleStrategy(0, 1, 200_000, 10_000_000);

    private static final IdleStrategy MEMBER_IDLE = new IdleStrategy(0, 1, 5_000_000);

    /** A procedure ends with its budget; nothing else keeps a thread for so long. */
    private static final Duration BEYOND_THE_BUDGET = Duration.ofSeconds(60);

    private final NodeConfiguration configuration;
    private final Clock clock;
    private final Liveness liveness;
    private final WatchedAgents watched;
    private volatile LongSupplier logStepNanos = () -> 0;

    AgentThreads(NodeConfiguration configuration, Clock clock) {
        this.configuration = configuration;
        this.clock = clock;
        this.liveness = new Liveness(
                clock,
                configuration.requests().timeBudget().plus(BEYOND_THE_BUDGET).toNanos());
        this.watched = new WatchedAgents(liveness, clock);
    }

    /** Whether they come round. */
    Liveness liveness() {
        return liveness;
    }

    /** Time that the log's thread has spent in its present step, most of it in a write; 0 if it is in none. */
    long logStepNanos() {
        return logStepNanos.getAsLong();
    }

    /**
     * Makes the threads of the sites; each gets a core of its own as long as there are some. Where there are too few,
     * they share with connections.
     *
     * @param hosts the threads of connections
     */
    Function<Agent, AgentRunner> sites(Supplier<List<Executor>> hosts, BiConsumer<Agent, Throwable> onFailure) {
        List<Integer> cores = configuration.partitions().pinSites() ? ThreadAffinity.allowedCores() : List.of();
        AtomicInteger next = new AtomicInteger();
        int busyThreads =
                configuration.partitions().sites() + configuration.server().eventLoopThreads();
        IdleStrategy idle =
                IdleStrategy.forThreads(busyThreads, Runtime.getRuntime().availableProcessors());
        return agent -> {
            int number = next.getAndIncrement();
            if (configuration.partitions().shareThreads()) {
                List<Executor> threads = hosts.get();
                return new GuestAgentRunner(
                        agent, threads.get(number % threads.size()), idle, failure -> onFailure.accept(agent, failure));
            }
            OptionalInt core = number < cores.size() ? OptionalInt.of(cores.get(number)) : OptionalInt.empty();
            return new ThreadAgentRunner(agent, idle, core, failure -> onFailure.accept(agent, failure));
        };
    }

    private Function<Agent, AgentRunner> watched(IdleStrategy idle, BiConsumer<Agent, Throwable> onFailure) {
        return watched.around(agent -> new ThreadAgentRunner(agent, idle, failure -> onFailure.accept(agent, failure)));
    }

    /** Makes the threads of the log and of checkpoints. */
    Function<Agent, AgentRunner> log(BiConsumer<Agent, Throwable> onFailure) {
        Function<Agent, AgentRunner> writers = watched(WRITER_IDLE, onFailure);
        Function<Agent, AgentRunner> others = watched(LOG_IDLE, onFailure);
        return agent -> {
            if (!(agent instanceof OperationLog)) {
                return others.apply(agent);
            }
            TimedAgent timed = new TimedAgent(agent, clock);
            logStepNanos = timed::stepNanos;
            return writers.apply(timed);
        };
    }

    /** Makes the threads of the membership. */
    Function<Agent, AgentRunner> membership(BiConsumer<Agent, Throwable> onFailure) {
        return watched.around(
                agent -> new ThreadAgentRunner(agent, MEMBER_IDLE, failure -> onFailure.accept(agent, failure)));
    }
}
