package dev.fulmar.coordinator.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.remote.RemoteMessage.Piece;
import dev.fulmar.coordinator.remote.RemoteMessage.Work;
import dev.fulmar.coordinator.transaction.FragmentSource;
import dev.fulmar.coordinator.transaction.StatementPlace;
import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.engine.partition.CoordinatorMessage;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemoteFormatTest {
    private static final PartitionId P = new PartitionId(3);
    private static final TransactionId T = new TransactionId(0x0122334455667788L, 2);
    private static final String HEADER = "03000000" + "8877665544332201" + "02000000" + "05000000";

    private static final Work WORK = new Work(
            new FragmentSource(7, true, "SELECT 1", 1_000, 2_000, false),
            List.of(
                    new Piece(1, new StatementPlace(0, 0), -1, new byte[] {9}),
                    new Piece(2, new StatementPlace(4, 3), 1, new byte[0])));

    private static final Work FRAGMENT = new Work(
            new FragmentSource(7, true, "SELECT 1", 1_000, 2_000, false),
            List.of(new Piece(0, new StatementPlace(0, 0), 0, new byte[] {9})));

    private static final List<FragmentResult> RESULTS =
            List.of(new FragmentResult(new byte[] {1, 2}, 0), FragmentResult.changed(3));

    private static final Work FOR_IMAGES = new Work(
            new FragmentSource(7, true, "SELECT 1", 1_000, 2_000, true),
            List.of(new Piece(0, new StatementPlace(0, 0), 0, new byte[] {9})));

    private static final List<FragmentResult> WITH_IMAGES =
            List.of(new FragmentResult(new byte[] {1, 2}, 0, -5), FragmentResult.changed(3));

    private static List<RemoteMessage> all() {
        List<RemoteMessage> messages = new ArrayList<>(List.of(
                new RemoteMessage.Fragments(P, T, 5, 1, WORK),
                new RemoteMessage.Fragments(P, T, 5, 1, Work.NONE),
                new RemoteMessage.Undo(P, T, 5, 4),
                new RemoteMessage.Decision(P, T, 5, true, 99, true),
                new RemoteMessage.VoteBack(P, T, 5),
                new RemoteMessage.Arrive(P, T, 5, 1, true, 77, WORK),
                new RemoteMessage.Read(P, T, 5, 2, 78, Work.NONE, null, 0),
                new RemoteMessage.Read(P, T, 5, 2, 78, FRAGMENT, new PartSize(100, 9), 0),
                new RemoteMessage.Read(P, T, 5, 2, 78, FRAGMENT, new PartSize(100, 9), 3),
                new RemoteMessage.Read(P, T, 5, 2, 78, Work.NONE, new PartSize(100, 9), 3),
                new RemoteMessage.Release(P, T, 5),
                new RemoteMessage.Leave(P, T, 5),
                new RemoteMessage.Passed(P, T, 5, 1, 88, true),
                new RemoteMessage.Passed(P, T, 5, 1, 88, false),
                new RemoteMessage.Found(P, T, 5, 1, RESULTS, new FragmentFailure(2, ErrorCode.DIVISION_BY_ZERO, "é")),
                new RemoteMessage.Released(P, T, 5),
                new RemoteMessage.Question(P, T, 5, new PartitionId(1)),
                report(new CoordinatorMessage.FragmentReply(P, 5, RESULTS, true, null, 0, false)),
                report(new CoordinatorMessage.FragmentReply(P, 5, RESULTS, true, null, 91, true)),
                new RemoteMessage.Fragments(P, T, 5, 1, FOR_IMAGES),
                report(new CoordinatorMessage.FragmentReply(P, 5, WITH_IMAGES, true, null, 0, false)),
                report(new CoordinatorMessage.FragmentReply(
                        P, 5, WITH_IMAGES, true, new FragmentFailure(2, ErrorCode.DIVISION_BY_ZERO, "é"), 91, true)),
                report(new CoordinatorMessage.Vote(P, 5, true, 11, true)),
                report(new CoordinatorMessage.Wounded(P, 5)),
                report(new CoordinatorMessage.VoteRecalled(P, 5)),
                report(new CoordinatorMessage.Decided(P, 5)),
                report(new CoordinatorMessage.Refused(P, 5, ErrorCode.DISK_FULL, "é"))));
        for (PrepareMode mode : PrepareMode.values()) {
            messages.add(new RemoteMessage.Prepare(P, T, 5, 6, mode, new PartitionId(0), 0));
            messages.add(new RemoteMessage.Prepare(P, T, 5, 6, mode, new PartitionId(0), 92));
        }
        for (RemoteMessage.Verdict verdict : RemoteMessage.Verdict.values()) {
            messages.add(new RemoteMessage.Answer(P, T, 5, verdict, 12));
        }
        return messages;
    }

    private static RemoteMessage report(CoordinatorMessage message) {
        return new RemoteMessage.Report(T, message);
    }

    @Test
    void everyMessageComesBack() {
        for (RemoteMessage message : all()) {
            byte[] bytes = RemoteFormat.write(message);
            RemoteMessage read = RemoteFormat.read(ByteBuffer.wrap(bytes));
            assertThat(read).hasSameClassAs(message);
            assertThat(RemoteFormat.write(read)).as(message.toString()).isEqualTo(bytes);
            assertThat(read.transaction()).isEqualTo(T);
            assertThat(read.partition()).isEqualTo(P);
            assertThat(read.attempt()).isEqualTo(5);
        }
    }

    /** Other nodes may run an older or a newer program: these bytes never change under this version. */
    @Test
    void storedMessagesAreReadAndWritten() {
        assertStored(
                new RemoteMessage.Fragments(P, T, 5, 1, WORK),
                "0101" + HEADER + "0100000000000000" + "02000000" + "0700000000000000" + "01" + "08000000"
                        + "53454c4543542031" + "e803000000000000" + "d007000000000000" + "01000000" + "00000000"
                        + "00000000" + "ffffffff" + "01000000" + "09" + "02000000" + "04000000" + "03000000"
                        + "01000000" + "00000000");
        assertStored(
                new RemoteMessage.Prepare(P, T, 5, 6, PrepareMode.SPECULATE, new PartitionId(1), 0),
                "0103" + HEADER + "0600000000000000" + "01" + "01000000");
        assertStored(
                new RemoteMessage.Prepare(P, T, 5, 6, PrepareMode.RELEASE, new PartitionId(1), 92),
                "0117" + HEADER + "0600000000000000" + "04" + "01000000" + "5c00000000000000");
        assertStored(
                report(new CoordinatorMessage.FragmentReply(P, 5, List.of(), true, null, 0, false)),
                "010a" + HEADER + "01" + "00000000" + "00");
        assertStored(
                report(new CoordinatorMessage.FragmentReply(P, 5, List.of(), true, null, 91, true)),
                "0116" + HEADER + "01" + "00000000" + "00" + "5b00000000000000" + "01");
        assertStored(
                new RemoteMessage.Decision(P, T, 5, true, 99, true),
                "0104" + HEADER + "01" + "6300000000000000" + "01");
        assertStored(
                report(new CoordinatorMessage.Vote(P, 5, true, 11, true)),
                "010b" + HEADER + "01" + "0b00000000000000" + "01");
        assertStored(
                report(new CoordinatorMessage.Refused(P, 5, ErrorCode.DISK_FULL, "é")),
                "0115" + HEADER + "00000000" + "01" + "00000000" + "d0000000" + "02000000" + "c3a9");
        assertStored(new RemoteMessage.Passed(P, T, 5, 1, 88, true), "010f" + HEADER + "01000000" + "5800000000000000");
        assertStored(
                new RemoteMessage.Passed(P, T, 5, 1, 88, false), "0118" + HEADER + "01000000" + "5800000000000000");
        assertStored(
                new RemoteMessage.Read(P, T, 5, 2, 78, Work.NONE, null, 0),
                "0107" + HEADER + "02000000" + "4e00000000000000" + "00000000");
        assertStored(
                new RemoteMessage.Read(P, T, 5, 2, 78, FRAGMENT, new PartSize(100, 9), 0),
                "0119" + HEADER + "02000000" + "4e00000000000000" + "01000000" + "0700000000000000" + "01" + "08000000"
                        + "53454c4543542031" + "e803000000000000" + "d007000000000000" + "00000000" + "00000000"
                        + "00000000" + "00000000" + "01000000" + "09" + "64000000" + "09000000");
        assertStored(
                new RemoteMessage.Read(P, T, 5, 2, 78, Work.NONE, new PartSize(100, 9), 3),
                "011c" + HEADER + "02000000" + "4e00000000000000" + "00000000" + "64000000" + "09000000" + "03000000");
        assertStored(
                new RemoteMessage.Answer(P, T, 5, RemoteMessage.Verdict.COMMIT, 12),
                "0113" + HEADER + "03" + "0c00000000000000");
    }

    @Test
    void imagesOfRowsHaveKindsOfTheirOwn() {
        assertStored(
                new RemoteMessage.Fragments(P, T, 5, 1, FOR_IMAGES),
                "011a" + HEADER + "0100000000000000" + "01000000" + "0700000000000000" + "01" + "08000000"
                        + "53454c4543542031" + "e803000000000000" + "d007000000000000" + "00000000" + "00000000"
                        + "00000000" + "00000000" + "01000000" + "09");
        assertStored(
                report(new CoordinatorMessage.FragmentReply(P, 5, WITH_IMAGES, true, null, 91, true)),
                "011b" + HEADER + "01" + "02000000" + "02000000" + "0102" + "0000000000000000" + "00000000"
                        + "0300000000000000" + "00" + "fbffffffffffffff" + "0000000000000000" + "5b00000000000000"
                        + "01");
        byte[] none = RemoteFormat.write(report(new CoordinatorMessage.FragmentReply(
                P, 5, List.of(new FragmentResult(new byte[0], 1, 6)), true, null, 91, true)));
        none[none.length - 17] = 0;
        assertRefused(none);
    }

    private static void assertStored(RemoteMessage message, String hex) {
        assertThat(HexFormat.of().formatHex(RemoteFormat.write(message))).isEqualTo(hex);
        RemoteMessage read = RemoteFormat.read(ByteBuffer.wrap(HexFormat.of().parseHex(hex)));
        assertThat(RemoteFormat.write(read)).isEqualTo(RemoteFormat.write(message));
    }

    @Test
    void aPartIsOfOneFragmentAndNotEmpty() {
        PartSize size = new PartSize(100, 9);
        assertRefused(RemoteFormat.write(new RemoteMessage.Read(P, T, 5, 2, 78, WORK, size, 0)));
        assertRefused(RemoteFormat.write(new RemoteMessage.Read(P, T, 5, 2, 78, Work.NONE, size, 0)));
        byte[] empty = RemoteFormat.write(new RemoteMessage.Read(P, T, 5, 2, 78, FRAGMENT, size, 0));
        empty[empty.length - 4] = 0;
        assertRefused(empty);
    }

    @Test
    void refusesOtherVersions() {
        byte[] bytes = RemoteFormat.write(new RemoteMessage.Leave(P, T, 5));
        bytes[0] = 2;
        assertThatThrownBy(() -> RemoteFormat.read(ByteBuffer.wrap(bytes)))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VERSION_MISMATCH));
    }

    @Test
    void whateverComesIsReadOrRefusedAndNothingElse() {
        RandomSource random = new SeededRandom(1);
        for (RemoteMessage message : all()) {
            byte[] bytes = RemoteFormat.write(message);
            for (int length = 0; length < bytes.length; length++) {
                assertRefused(Arrays.copyOf(bytes, length));
            }
            assertRefused(Arrays.copyOf(bytes, bytes.length + 1));
            for (int i = 0; i < 300; i++) {
                byte[] broken = bytes.clone();
                for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                    broken[1 + random.nextInt(broken.length - 1)] = (byte) random.nextInt(256);
                }
                readOrRefused(broken);
            }
        }
    }

    private static void assertRefused(byte[] bytes) {
        assertThatThrownBy(() -> RemoteFormat.read(ByteBuffer.wrap(bytes)))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_REQUEST));
    }

    private static void readOrRefused(byte[] bytes) {
        try {
            RemoteMessage read = RemoteFormat.read(ByteBuffer.wrap(bytes));
            assertThat(RemoteFormat.write(read))
                    .as("what is read is what was written")
                    .hasSize(bytes.length);
        } catch (FulmarException refused) {
            assertThat(refused.code()).isEqualTo(ErrorCode.MALFORMED_REQUEST);
        }
    }
}
