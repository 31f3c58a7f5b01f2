package dev.fulmar.coordinator;

import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.partition.CommitGate;
import dev.fulmar.engine.partition.LeadershipGuard;
import dev.fulmar.engine.partition.PartitionExecutor;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.engine.partition.ReplyOutlet;
import dev.fulmar.engine.partition.Site;
import dev.fulmar.engine.partition.SitePartition;
import dev.fulmar.engine.partition.TurnListener;
import dev.fulmar.engine.spi.SitePlacement;
import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;

/**
 * The sites of a database, and which site runs which partition. At first partitions are dealt out one by one.
 * Thread-safe after {@link #prepare}.
 */
final class PartitionSites implements SitePlacement {
    private final List<Site> sites;
    private final PartitionExecutor[] executors;

    /** By partition, the site that runs it or is about to. */
    private final AtomicIntegerArray siteOf;

    private final List<AgentRunner> runners = new ArrayList<>();
    private final CommandLog log;

    /**
     * Deals the partitions out; there are never more sites than partitions.
     *
     * @param gates makes the commit gate of a partition from the way out of its replies
     */
    PartitionSites(
            PartitionRuntimes runtimes,
            int count,
            CommandLog log,
            Function<ReplyOutlet, CommitGate> gates,
            LeadershipGuard guard,
            TurnListener turns,
            Clock clock,
            Scheduler scheduler) {
        List<Site> made = new ArrayList<>();
        int used = Math.min(count, runtimes.count());
        executors = new PartitionExecutor[runtimes.count()];
        siteOf = new AtomicIntegerArray(runtimes.count());
        for (int number = 0; number < used; number++) {
            ReplyBatch replies = new ReplyBatch();
            List<SitePartition> partitions = new ArrayList<>();
            for (int partition = number; partition < runtimes.count(); partition += used) {
                PartitionRuntime runtime = runtimes.all().get(partition);
                ReplyOutlet outlet = new ReplyOutlet(replies);
                PartitionExecutor executor =
                        new PartitionExecutor(runtime.partition(), log, gates.apply(outlet), guard, turns);
                executors[partition] = executor;
                siteOf.set(partition, number);
                partitions.add(new SitePartition(executor, outlet));
            }
            made.add(new Site(number, clock, scheduler, partitions, replies));
        }
        sites = List.copyOf(made);
        this.log = log;
    }

    List<Site> all() {
        return sites;
    }

    /** The log that the partitions write. */
    CommandLog log() {
        return log;
    }

    PartitionExecutor executor(PartitionId partition) {
        return executors[partition.number()];
    }

    @Override
    public int siteCount() {
        return sites.size();
    }

    @Override
    public int siteOf(PartitionId partition) {
        return siteOf.get(partition.number());
    }

    @Override
    public void move(PartitionId partition, int site, Runnable moved) {
        int present = siteOf.getAndSet(partition.number(), site);
        sites.get(present).give(partition, sites.get(site), moved);
    }

    /** Lets the site that runs the partition take its turn. Any thread, after {@link #prepare}. */
    void wake(int partition) {
        executors[partition].partition().inbox().wake();
    }

    /** Lets every site take its turn. Any thread, after {@link #prepare}. */
    void wakeAll() {
        sites.forEach(Site::wake);
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
