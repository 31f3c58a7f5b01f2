/**
 * Writing the operation log. Invariant: a lane's durable position moves only after the synchronous write of the lane's
 * records up to there has returned. It never moves again once a write failed.
 *
 * <p>A stream's owner appends to its {@link dev.fulmar.pmemlog.log.PartitionLogBuffer} without a lock and without a
 * system call. {@link dev.fulmar.pmemlog.log.OperationLog} is the agent that groups the records of all lanes and writes
 * the groups. {@link dev.fulmar.pmemlog.log.SegmentPreparer} is the agent that has the next segment ready in time and
 * uses space again. Neither agent owns a thread.
 */
@NullMarked
package dev.fulmar.pmemlog.log;

import org.jspecify.annotations.NullMarked;
