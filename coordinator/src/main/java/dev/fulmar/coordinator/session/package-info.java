/**
 * Transactions of many statements that a client sends one by one. Invariants:
 *
 * <ul>
 *   <li>Between two statements nothing of a session lies at a partition: no lock, no changed row, no version. So a
 *       client that thinks holds nobody up.
 *   <li>Each statement runs after the earlier ones of its transaction, in one transaction of the database that is
 *       undone afterwards. Writes on whose rows nothing depends that runs are left out. Those that run must yield, or
 *       fail, as the client was told. So the rows that a client sees are of one state at any moment, with its own
 *       changes.
 *   <li>COMMIT runs all statements once more, and commits. It fails with SERIALIZATION_FAILURE if one yields something
 *       else than the client was told. So a committed transaction is as if all its statements ran at the moment of its
 *       commit.
 *   <li>A COMMIT is executed once, under the handle of its request. A client that did not hear its answer asks with the
 *       same handle. A COMMIT that was not executed by then never is: where the partition that was asked has got
 *       another primary since BEGIN, it is refused.
 *   <li>A session holds a bounded number of bytes, takes them from a budget, and gives all of them back at its end.
 * </ul>
 *
 * <p>Start reading at {@link dev.fulmar.coordinator.session.Session}.
 */
@NullMarked
package dev.fulmar.coordinator.session;

import org.jspecify.annotations.NullMarked;
