package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.fiber.FiberFactory;
import dev.fulmar.engine.partition.PartitionInbox;
import dev.fulmar.engine.partition.ThreadTies;

/** Control code runs at its home partition's site, between the site's other work: no thread has to be woken for it. */
final class HomeFibers {
    private HomeFibers() {}

    /** @param free makes fibers where the site takes no more of them */
    static FiberFactory of(PartitionRuntime home, FiberFactory free) {
        PartitionInbox inbox = home.partition().inbox();
        ThreadTies ties = home.partition().threadTies();
        return (name, body) -> {
            if (!ties.tie()) {
                return free.create(name, body);
            }
            Runnable tied = () -> {
                try {
                    body.run();
                } finally {
                    if (ties.untie()) {
                        inbox.wake();
                    }
                }
            };
            return free.create(name, stretch -> inbox.put(new StretchTask(stretch)), tied);
        };
    }
}
