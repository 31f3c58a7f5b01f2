package dev.fulmar.coordinator.durability.log;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.HandOffFormat;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PartitionPlanFormat;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.engine.partitioning.TargetChangeFormat;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Stored form of a catalog change, in the log and in checkpoints. It has the version that it leads to (32 bits), its
 * kind (8 bits), and its text or jar. Its stream is {@link #STREAM}.
 */
public final class CatalogRecord {
    /** The stream of the catalog. */
    public static final int STREAM = -2;

    static final int STATEMENT = 1;
    static final int JAR = 2;

    /** A statement about users, roles or rights. */
    static final int ACCESS = 3;

    /** Any of the others, behind the handle under which a client asked for it. */
    static final int ASKED = 4;

    /** A partition plan. */
    static final int PLAN = 5;

    /** A partition plan with which buckets change their partitions. Read, and written no more. */
    static final int PLAN_WITH_HAND_OFFS = 6;

    /** Buckets that change their partitions, and the plan with them. */
    static final int HAND_OVER = 7;

    /** A change of the target: the configuration's plan behind its length, which may be 0, and the change. */
    static final int RETARGET = 8;

    /** Statements that one transaction makes: their number, and for each its kind, its length and its text. */
    static final int JOINT = 9;

    /** Rows, in a joint change only: the time, the length of the parameters, these, and the text of the INSERT. */
    static final int ROWS = 10;

    /** A statement that was run before, in a joint change only, as {@link RanFormat} has it. */
    static final int RAN = 11;

    /** Version and kind. */
    public static final int HEADER_BYTES = Integer.BYTES + 1;

    private static final int HANDLE_BYTES = 2 * Long.BYTES;

    private CatalogRecord() {}

    /** The stored form of an entry that leads to the version. */
    public static byte[] of(int version, CatalogEntry entry) {
        return switch (entry) {
            case CatalogEntry.Statement(String text) -> of(version, STATEMENT, text.getBytes(StandardCharsets.UTF_8));
            case CatalogEntry.Access(String text) -> of(version, ACCESS, text.getBytes(StandardCharsets.UTF_8));
            case CatalogEntry.Jar(byte[] bytes) -> of(version, JAR, bytes);
            case CatalogEntry.Plan(PartitionPlan plan, List<HandOff> handOffs) -> {
                Invariants.check(handOffs.isEmpty(), "hand-offs are written down without the plan after them");
                yield of(version, PLAN, PartitionPlanFormat.write(plan));
            }
            case CatalogEntry.HandOver(List<HandOff> handOffs) -> of(version, HAND_OVER, HandOffFormat.write(handOffs));
            case CatalogEntry.Retarget(TargetChange change, Optional<PartitionPlan> configured) ->
                of(
                        version,
                        RETARGET,
                        retarget(
                                TargetChangeFormat.write(change),
                                configured.map(PartitionPlanFormat::write).orElse(new byte[0])));
            case CatalogEntry.Joint(List<CatalogEntry> parts) -> of(version, JOINT, JointFormat.write(parts));
            case CatalogEntry.Rows rows -> of(version, ROWS, JointFormat.write(rows));
            case CatalogEntry.Ran ran -> of(version, RAN, RanFormat.write(ran));
            case CatalogEntry.Asked(CatalogEntry what, ChangeHandle handle) -> {
                byte[] inner = of(version, what);
                byte[] rest = new byte[HANDLE_BYTES + inner.length - Integer.BYTES];
                LittleEndian.putLong(rest, 0, handle.clientId());
                LittleEndian.putLong(rest, Long.BYTES, handle.requestId());
                System.arraycopy(inner, Integer.BYTES, rest, HANDLE_BYTES, inner.length - Integer.BYTES);
                yield of(version, ASKED, rest);
            }
            case CatalogEntry.Untold() -> throw Invariants.breach("a change without text is not written down");
        };
    }

    /** The same for the kind and the bytes behind it. */
    public static byte[] of(int version, int kind, byte[] rest) {
        byte[] kept = new byte[HEADER_BYTES + rest.length];
        LittleEndian.putInt(kept, 0, version);
        kept[Integer.BYTES] = (byte) kind;
        System.arraycopy(rest, 0, kept, HEADER_BYTES, rest.length);
        return kept;
    }

    public static int version(byte[] kept) {
        return LittleEndian.getInt(kept, 0);
    }

    public static int kind(byte[] kept) {
        return kept[Integer.BYTES];
    }

    /** The bytes behind the kind: a text, a jar, or a handle with another entry. */
    public static byte[] rest(byte[] kept) {
        return Arrays.copyOfRange(kept, HEADER_BYTES, kept.length);
    }

    /** The entry of the stored form; refuses bytes that are of no entry. */
    public static CatalogEntry entry(byte[] kept) {
        return entry(kind(kept), rest(kept));
    }

    /** Refuses what {@link #entry(byte[])} refuses. */
    public static void check(byte[] kept) {
        CatalogEntry entry = entry(kept);
        Invariants.check(!(entry instanceof CatalogEntry.Untold), "what is kept has a text or a jar");
    }

    /** The entry of the kind, from the bytes behind it. */
    public static CatalogEntry entry(int kind, byte[] rest) {
        return switch (kind) {
            case STATEMENT -> new CatalogEntry.Statement(new String(rest, StandardCharsets.UTF_8));
            case ACCESS -> new CatalogEntry.Access(new String(rest, StandardCharsets.UTF_8));
            case JAR -> new CatalogEntry.Jar(rest);
            case PLAN -> new CatalogEntry.Plan(PartitionPlanFormat.read(rest), List.of());
            case PLAN_WITH_HAND_OFFS ->
                new CatalogEntry.Plan(HandOffFormat.plan(rest), HandOffFormat.handOffsWithPlan(rest));
            case HAND_OVER -> new CatalogEntry.HandOver(HandOffFormat.handOffs(rest));
            case RETARGET -> retarget(rest);
            case JOINT -> new CatalogEntry.Joint(JointFormat.read(rest));
            case ASKED -> asked(rest);
            default -> throw unknown("a change of the catalog of kind " + kind);
        };
    }

    private static byte[] retarget(byte[] change, byte[] configured) {
        byte[] rest = new byte[Integer.BYTES + configured.length + change.length];
        LittleEndian.putInt(rest, 0, configured.length);
        System.arraycopy(configured, 0, rest, Integer.BYTES, configured.length);
        System.arraycopy(change, 0, rest, Integer.BYTES + configured.length, change.length);
        return rest;
    }

    private static CatalogEntry retarget(byte[] rest) {
        int length = rest.length < Integer.BYTES ? -1 : LittleEndian.getInt(rest, 0);
        if (length < 0 || length > rest.length - Integer.BYTES) {
            throw unknown("a state of a reconfiguration of " + rest.length + " bytes");
        }
        int end = Integer.BYTES + length;
        return new CatalogEntry.Retarget(
                TargetChangeFormat.read(Arrays.copyOfRange(rest, end, rest.length)),
                length == 0
                        ? Optional.empty()
                        : Optional.of(PartitionPlanFormat.read(Arrays.copyOfRange(rest, Integer.BYTES, end))));
    }

    private static CatalogEntry asked(byte[] rest) {
        if (rest.length <= HANDLE_BYTES || rest[HANDLE_BYTES] == ASKED) {
            throw unknown("a change of the catalog of " + rest.length + " bytes that nobody asked for");
        }
        CatalogEntry what = entry(rest[HANDLE_BYTES], Arrays.copyOfRange(rest, HANDLE_BYTES + 1, rest.length));
        return new CatalogEntry.Asked(
                what, new ChangeHandle(LittleEndian.getLong(rest, 0), LittleEndian.getLong(rest, Long.BYTES)));
    }

    /** The error of a log that this version of Fulmar cannot read. */
    public static FulmarException unknown(String what) {
        return new FulmarException(
                ErrorCode.VERSION_MISMATCH,
                "the log has " + what
                        + ", which this version of Fulmar does not know; start the version that wrote it");
    }
}
