package dev.fulmar.reconfig.peer;

/**
 * States of a range of a reconfiguration, as operators see them (Squall §4.2 has NOT_STARTED, PARTIAL and COMPLETE).
 *
 * <table>
 * <caption>States</caption>
 * <tr><th>state</th><th>next</th><th>when</th></tr>
 * <tr><td>WAITING, UNDONE</td><td>COPYING</td><td>the move of its bucket begins</td></tr>
 * <tr><td>COPYING</td><td>HANDING_OVER</td><td>few rows are left, and the hand-off is announced</td></tr>
 * <tr><td>HANDING_OVER</td><td>COPYING</td><td>the hand-off came too early</td></tr>
 * <tr><td>HANDING_OVER</td><td>DONE</td><td>the plan gives it to its destination</td></tr>
 * <tr><td>COPYING, HANDING_OVER</td><td>UNDONE</td><td>the move was given up, or a step failed</td></tr>
 * <tr><td>COPYING, HANDING_OVER</td><td>WAITING</td><td>nothing more is heard of the source</td></tr>
 * </table>
 */
public enum RangeState {
    /** Its rows are at the source, and no move has begun. */
    WAITING,
    /** The destination stages its rows. */
    COPYING,
    /** The destination has nearly all rows, and the nodes are about to hand them over. */
    HANDING_OVER,
    /** Its rows are at the destination. */
    DONE,
    /** Its rows are at the source, and what was staged of them is dropped. */
    UNDONE
}
