package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.transaction.HandledRequest.Underway;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.PartitionId;

/**
 * Has a home partition remember the outcome of a request whose work was done elsewhere. An outcome that nobody knows is
 * forgotten: the work was done under the same handle, or never will be, and there who asks again hears of it.
 *
 * @param known what is to be done with an outcome that is known
 */
record DoneElsewhere(
        IncomingRequest incoming,
        PartitionRuntime home,
        Underway underway,
        TransactionResponse response,
        PartitionTask known)
        implements PartitionTask {
    @Override
    public void run(Partition partition) {
        boolean isUnknown =
                response instanceof Failed failed && failed.code().category() == ErrorCode.Category.INTERNAL;
        if (!isUnknown) {
            known.run(partition);
            return;
        }
        long client = incoming.request().clientId();
        long request = incoming.request().requestId();
        if (underway.equals(home.history().find(client, request))) {
            home.history().remove(client, request);
        }
        underway.answer(response);
    }

    @Override
    public void refused(PartitionId partition) {
        known.refused(partition);
    }
}
