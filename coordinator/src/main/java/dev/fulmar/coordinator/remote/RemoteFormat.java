package dev.fulmar.coordinator.remote;

import dev.fulmar.coordinator.remote.RemoteMessage.Answer;
import dev.fulmar.coordinator.remote.RemoteMessage.Arrive;
import dev.fulmar.coordinator.remote.RemoteMessage.Broken;
import dev.fulmar.coordinator.remote.RemoteMessage.Decision;
import dev.fulmar.coordinator.remote.RemoteMessage.Found;
import dev.fulmar.coordinator.remote.RemoteMessage.Fragments;
import dev.fulmar.coordinator.remote.RemoteMessage.Leave;
import dev.fulmar.coordinator.remote.RemoteMessage.Passed;
import dev.fulmar.coordinator.remote.RemoteMessage.Prepare;
import dev.fulmar.coordinator.remote.RemoteMessage.Question;
import dev.fulmar.coordinator.remote.RemoteMessage.Read;
import dev.fulmar.coordinator.remote.RemoteMessage.Release;
import dev.fulmar.coordinator.remote.RemoteMessage.Released;
import dev.fulmar.coordinator.remote.RemoteMessage.Report;
import dev.fulmar.coordinator.remote.RemoteMessage.Undo;
import dev.fulmar.coordinator.remote.RemoteMessage.Verdict;
import dev.fulmar.coordinator.remote.RemoteMessage.VoteBack;
import dev.fulmar.coordinator.remote.RemoteMessage.Work;
import dev.fulmar.engine.durability.ImageBuffer;
import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.engine.partition.CoordinatorMessage;
import dev.fulmar.engine.partition.CoordinatorMessage.Decided;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentReply;
import dev.fulmar.engine.partition.CoordinatorMessage.Refused;
import dev.fulmar.engine.partition.CoordinatorMessage.Vote;
import dev.fulmar.engine.partition.CoordinatorMessage.VoteRecalled;
import dev.fulmar.engine.partition.CoordinatorMessage.Wounded;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.MessageForm;
import dev.fulmar.foundation.data.MessageReader;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;

/**
 * Messages about transactions as bytes, little-endian: version, kind, partition, transaction (timestamp, node),
 * attempt, and what the kind has. Kinds and the numbers of modes and verdicts are never used again for something else.
 */
final class RemoteFormat {
    private static final int VERSION = 1;
    private static final MessageForm FORM = new MessageForm("messages about transactions", Set.of(VERSION));
    private static final int FIRST_BYTES = 160;

    private static final int FRAGMENTS = 1;
    private static final int UNDO = 2;
    private static final int PREPARE = 3;
    private static final int DECISION = 4;
    private static final int VOTE_BACK = 5;
    private static final int ARRIVE = 6;
    private static final int READ = 7;
    private static final int RELEASE = 8;
    private static final int LEAVE = 9;
    private static final int REPLY = 10;
    private static final int VOTE = 11;
    private static final int WOUNDED = 12;
    private static final int VOTE_RECALLED = 13;
    private static final int DECIDED = 14;
    private static final int PASSED = 15;
    private static final int FOUND = 16;
    private static final int RELEASED = 17;
    private static final int QUESTION = 18;
    private static final int ANSWER = 19;
    private static final int BROKEN = 20;
    private static final int REFUSED = 21;
    private static final int READ_REPLY = 22;
    private static final int READ_PREPARE = 23;
    private static final int PASSED_NOT_CLEAR = 24;
    private static final int READ_PART = 25;

    /** Fragments whose results tell of the rows that they changed, and such results. */
    private static final int FRAGMENTS_FOR_IMAGES = 26;

    private static final int REPLY_WITH_IMAGES = 27;
    private static final int READ_PART_OF = 28;

    private RemoteFormat() {}

    static byte[] write(RemoteMessage message) {
        ImageBuffer out = new ImageBuffer(FIRST_BYTES);
        out.putByte(VERSION);
        out.putByte(kind(message));
        out.putInt(message.partition().number());
        out.putLong(message.transaction().timestamp());
        out.putInt(message.transaction().node());
        out.putInt(message.attempt());
        write(message, out);
        return out.toByteArray();
    }

    private static int kind(RemoteMessage message) {
        return switch (message) {
            case Fragments fragments -> fragments.work().tellsImages() ? FRAGMENTS_FOR_IMAGES : FRAGMENTS;
            case Undo _ -> UNDO;
            case Prepare prepare -> prepare.read() == 0 ? PREPARE : READ_PREPARE;
            case Decision _ -> DECISION;
            case VoteBack _ -> VOTE_BACK;
            case Arrive _ -> ARRIVE;
            case Read read -> read.part() == null ? READ : read.reading() == 0 ? READ_PART : READ_PART_OF;
            case Release _ -> RELEASE;
            case Leave _ -> LEAVE;
            case Report report -> kind(report.message());
            case Passed passed -> passed.isClear() ? PASSED : PASSED_NOT_CLEAR;
            case Found _ -> FOUND;
            case Released _ -> RELEASED;
            case Broken _ -> BROKEN;
            case Question _ -> QUESTION;
            case Answer _ -> ANSWER;
        };
    }

    private static int kind(CoordinatorMessage message) {
        return switch (message) {
            case FragmentReply reply when WorkFormat.haveImages(reply.results()) -> REPLY_WITH_IMAGES;
            case FragmentReply reply -> reply.clock() == 0 ? REPLY : READ_REPLY;
            case Vote _ -> VOTE;
            case Wounded _ -> WOUNDED;
            case VoteRecalled _ -> VOTE_RECALLED;
            case Decided _ -> DECIDED;
            case Refused _ -> REFUSED;
            case CoordinatorMessage.Lost _, CoordinatorMessage.InDoubt _ ->
                throw Invariants.breach("what a node finds out by itself does not travel");
        };
    }

    private static void write(RemoteMessage message, ImageBuffer out) {
        switch (message) {
            case Fragments fragments -> {
                out.putLong(fragments.epoch());
                WorkFormat.write(fragments.work(), out);
            }
            case Undo undo -> out.putInt(undo.firstStatement());
            case Prepare prepare -> {
                out.putLong(prepare.epoch());
                out.putByte(number(prepare.mode()));
                out.putInt(prepare.base().number());
                putClock(prepare.read(), out);
            }
            case Decision decision -> {
                putFlag(decision.commit(), out);
                out.putLong(decision.commitTimestamp());
                putFlag(decision.acknowledge(), out);
            }
            case Arrive arrive -> {
                out.putInt(arrive.question());
                putFlag(arrive.strict(), out);
                out.putLong(arrive.timestamp());
                WorkFormat.write(arrive.work(), out);
            }
            case Read read -> {
                out.putInt(read.question());
                out.putLong(read.timestamp());
                WorkFormat.write(read.work(), out);
                PartSize part = read.part();
                if (part != null) {
                    out.putInt(part.rows());
                    out.putInt(part.bytes());
                    if (read.reading() != 0) {
                        out.putInt(read.reading());
                    }
                }
            }
            case Report report -> write(report.message(), out);
            case Passed passed -> {
                out.putInt(passed.question());
                out.putLong(passed.clock());
            }
            case Found found -> {
                out.putInt(found.question());
                WorkFormat.write(found.results(), found.failure(), out);
            }
            case Question question -> out.putInt(question.base().number());
            case Answer answer -> {
                out.putByte(number(answer.verdict()));
                out.putLong(answer.commitTimestamp());
            }
            case VoteBack _, Release _, Leave _, Released _, Broken _ -> {}
        }
    }

    private static void write(CoordinatorMessage message, ImageBuffer out) {
        switch (message) {
            case FragmentReply reply -> {
                putFlag(reply.changed(), out);
                WorkFormat.write(reply.results(), reply.failure(), out);
                if (WorkFormat.haveImages(reply.results())) {
                    WorkFormat.writeImages(reply.results(), out);
                    out.putLong(reply.clock());
                    putFlag(reply.held(), out);
                } else if (reply.clock() != 0) {
                    out.putLong(reply.clock());
                    putFlag(reply.held(), out);
                }
            }
            case Vote vote -> {
                putFlag(vote.commit(), out);
                out.putLong(vote.timestamp());
                putFlag(vote.recorded(), out);
            }
            case Refused refused ->
                WorkFormat.write(List.of(), new FragmentFailure(0, refused.code(), refused.message()), out);
            case Wounded _, VoteRecalled _, Decided _, CoordinatorMessage.Lost _, CoordinatorMessage.InDoubt _ -> {}
        }
    }

    private static void putFlag(boolean flag, ImageBuffer out) {
        out.putByte(flag ? 1 : 0);
    }

    /** The kind says whether there is one. */
    private static void putClock(long clock, ImageBuffer out) {
        if (clock != 0) {
            out.putLong(clock);
        }
    }

    private static int number(PrepareMode mode) {
        return switch (mode) {
            case SPECULATE -> 1;
            case WAIT -> 2;
            case COMMIT -> 3;
            case RELEASE -> 4;
            case UNDO -> 5;
        };
    }

    private static int number(Verdict verdict) {
        return switch (verdict) {
            case WAIT -> 1;
            case ABORT -> 2;
            case COMMIT -> 3;
        };
    }

    /** Reads a message; refuses what is none. */
    static RemoteMessage read(ByteBuffer bytes) {
        return FORM.readWhole(bytes.order(ByteOrder.LITTLE_ENDIAN), (version, kind, in) -> {
            PartitionId partition = new PartitionId(in.getInt());
            TransactionId transaction = new TransactionId(in.naturalLong(), in.natural());
            return read(kind, partition, transaction, in.natural(), in);
        });
    }

    private static RemoteMessage read(
            int kind, PartitionId partition, TransactionId transaction, int attempt, MessageReader in) {
        return switch (kind) {
            case FRAGMENTS, FRAGMENTS_FOR_IMAGES ->
                fragments(partition, transaction, attempt, kind == FRAGMENTS_FOR_IMAGES, in);
            case UNDO -> new Undo(partition, transaction, attempt, in.natural());
            case PREPARE, READ_PREPARE ->
                new Prepare(
                        partition,
                        transaction,
                        attempt,
                        in.naturalLong(),
                        in.constant(PrepareMode.values(), RemoteFormat::number),
                        new PartitionId(in.getInt()),
                        kind == PREPARE ? 0 : in.naturalLong());
            case DECISION -> new Decision(partition, transaction, attempt, in.flag(), in.naturalLong(), in.flag());
            case VOTE_BACK -> new VoteBack(partition, transaction, attempt);
            case ARRIVE ->
                new Arrive(
                        partition,
                        transaction,
                        attempt,
                        in.natural(),
                        in.flag(),
                        in.naturalLong(),
                        WorkFormat.readWork(false, in));
            case READ, READ_PART, READ_PART_OF -> question(kind, partition, transaction, attempt, in);
            case RELEASE -> new Release(partition, transaction, attempt);
            case LEAVE -> new Leave(partition, transaction, attempt);
            case PASSED, PASSED_NOT_CLEAR ->
                new Passed(partition, transaction, attempt, in.natural(), in.naturalLong(), kind == PASSED);
            case FOUND ->
                new Found(
                        partition,
                        transaction,
                        attempt,
                        in.natural(),
                        WorkFormat.readResults(in),
                        WorkFormat.readFailure(in));
            case RELEASED -> new Released(partition, transaction, attempt);
            case BROKEN -> new Broken(partition, transaction, attempt);
            case QUESTION -> new Question(partition, transaction, attempt, new PartitionId(in.getInt()));
            case ANSWER -> answer(partition, transaction, attempt, in);
            default -> new Report(transaction, report(kind, partition, attempt, in));
        };
    }

    private static Fragments fragments(
            PartitionId partition, TransactionId transaction, int attempt, boolean tellsImages, MessageReader in) {
        return new Fragments(partition, transaction, attempt, in.naturalLong(), WorkFormat.readWork(tellsImages, in));
    }

    private static Answer answer(PartitionId partition, TransactionId transaction, int attempt, MessageReader in) {
        Verdict verdict = in.constant(Verdict.values(), RemoteFormat::number);
        return new Answer(partition, transaction, attempt, verdict, in.naturalLong());
    }

    private static Read question(
            int kind, PartitionId partition, TransactionId transaction, int attempt, MessageReader in) {
        int question = in.natural();
        long timestamp = in.naturalLong();
        Work work = kind == READ ? WorkFormat.readWork(false, in) : fragments(kind == READ_PART ? 1 : 0, in);
        PartSize part = kind == READ ? null : part(in);
        int reading = kind == READ_PART_OF ? reading(in) : 0;
        return new Read(partition, transaction, attempt, question, timestamp, work, part, reading);
    }

    private static int reading(MessageReader in) {
        int number = in.natural();
        if (number == 0) {
            throw new IllegalArgumentException("a reading without a number");
        }
        return number;
    }

    /** One fragment, or as few as may be. */
    private static Work fragments(int fewest, MessageReader in) {
        Work work = WorkFormat.readWork(false, in);
        if (work.pieces().size() > 1 || work.pieces().size() < fewest) {
            throw new IllegalArgumentException("a part of " + work.pieces().size() + " fragments");
        }
        return work;
    }

    private static PartSize part(MessageReader in) {
        int rows = in.natural();
        int bytes = in.natural();
        if (rows == 0 || bytes == 0) {
            throw new IllegalArgumentException("a part of no rows or bytes");
        }
        return new PartSize(rows, bytes);
    }

    private static CoordinatorMessage report(int kind, PartitionId partition, int attempt, MessageReader in) {
        return switch (kind) {
            case REPLY_WITH_IMAGES -> {
                boolean changed = in.flag();
                List<FragmentResult> results = WorkFormat.readResults(in);
                FragmentFailure failure = WorkFormat.readFailure(in);
                yield new FragmentReply(
                        partition,
                        attempt,
                        WorkFormat.readImages(results, in),
                        changed,
                        failure,
                        in.naturalLong(),
                        in.flag());
            }
            case REPLY, READ_REPLY -> {
                boolean changed = in.flag();
                yield new FragmentReply(
                        partition,
                        attempt,
                        WorkFormat.readResults(in),
                        changed,
                        WorkFormat.readFailure(in),
                        kind == REPLY ? 0 : in.naturalLong(),
                        kind != REPLY && in.flag());
            }
            case VOTE -> new Vote(partition, attempt, in.flag(), in.naturalLong(), in.flag());
            case WOUNDED -> new Wounded(partition, attempt);
            case VOTE_RECALLED -> new VoteRecalled(partition, attempt);
            case DECIDED -> new Decided(partition, attempt);
            case REFUSED -> refused(partition, attempt, in);
            default -> throw MessageReader.unknownKind(kind);
        };
    }

    private static Refused refused(PartitionId partition, int attempt, MessageReader in) {
        List<FragmentResult> results = WorkFormat.readResults(in);
        FragmentFailure reason = WorkFormat.readFailure(in);
        if (reason == null || !results.isEmpty()) {
            throw new IllegalArgumentException("a refusal without a reason, or with results");
        }
        return new Refused(partition, attempt, reason.code(), reason.message());
    }
}
