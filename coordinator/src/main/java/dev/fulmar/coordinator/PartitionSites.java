package dev.fulmar.coordinator;

import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.partition.CommitGate;
import dev.fulmar.engine.partition.LeadershipGuard;
import dev.fulmar.engine.partition.PartitionExecutor;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.engine.partition.Site;
import dev.fulmar.engine.partition.TurnListener;
import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The sites of a database, and which site runs which partition: partitions are dealt out to them one by one. */
final class PartitionSites {
    private final List<Site> sites;
    private final List<AgentRunner> runners = new ArrayList<>();

    /**
     * Deals the partitions out; there are never more sites than partitions.
     *
     * @param gates makes the commit gate of a site from its replies
     */
    PartitionSites(
            PartitionRuntimes runtimes,
            int count,
            CommandLog log,
            Function<ReplyBatch, CommitGate> gates,
            LeadershipGuard guard,
            TurnListener turns,
            Clock clock,
            Scheduler scheduler) {
        List<Site> made = new ArrayList<>();
        int used = Math.min(count, runtimes.count());
        for (int number = 0; number < used; number++) {
            ReplyBatch replies = new ReplyBatch();
            CommitGate gate = gates.apply(replies);
            List<PartitionExecutor> executors = new ArrayList<>();
            for (int partition = number; partition < runtimes.count(); partition += used) {
                PartitionRuntime runtime = runtimes.all().get(partition);
                executors.add(new PartitionExecutor(runtime.partition(), log, gate, guard, turns));
            }
            made.add(new Site(number, clock, scheduler, executors, replies));
        }
        sites = List.copyOf(made);
    }

    List<Site> all() {
        return sites;
    }

    PartitionExecutor executor(PartitionId partition) {
        int number = partition.number();
        return sites.get(number % sites.size()).executors().get(number / sites.size());
    }

    /** Lets the partition's site take its turn. Any thread, after {@link #prepare}. */
    void wake(int partition) {
        sites.get(partition % sites.size()).wake();
    }

    /** Makes the threads of the sites; they do not run yet. */
    void prepare(Function<Agent, AgentRunner> threads) {
        for (Site site : sites) {
            AgentRunner runner = threads.apply(site);
            site.wakeWith(runner::wakeUp);
            runners.add(runner);
        }
    }

    /** Lets the sites run. */
    void start() {
        runners.forEach(AgentRunner::start);
    }

    /** Ends the threads of the sites. */
    void close() {
        runners.forEach(AgentRunner::close);
    }
}
