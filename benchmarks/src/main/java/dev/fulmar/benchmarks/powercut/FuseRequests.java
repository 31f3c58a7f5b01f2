package dev.fulmar.benchmarks.powercut;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Answers the FUSE requests that the kernel sends to a {@link FuseMount}, from files in memory. The protocol is that of
 * {@code include/uapi/linux/fuse.h}, version 7.31. Symbolic links, hard links, permissions, times and locks are not
 * kept: a database's files need none (the kernel itself keeps locks between processes of one machine). Thread-safe.
 */
final class FuseRequests {
    // Operations.
    private static final int LOOK_UP = 1;
    private static final int FORGET = 2;
    private static final int GET_ATTRIBUTES = 3;
    private static final int SET_ATTRIBUTES = 4;
    private static final int MAKE_DIRECTORY = 9;
    private static final int UNLINK = 10;
    private static final int REMOVE_DIRECTORY = 11;
    private static final int RENAME = 12;
    private static final int OPEN = 14;
    private static final int READ = 15;
    private static final int WRITE = 16;
    private static final int STATISTICS = 17;
    private static final int RELEASE = 18;
    private static final int FORCE = 20;
    private static final int FLUSH = 25;
    private static final int INIT = 26;
    private static final int OPEN_DIRECTORY = 27;
    private static final int READ_DIRECTORY = 28;
    private static final int RELEASE_DIRECTORY = 29;
    private static final int FORCE_DIRECTORY = 30;
    private static final int CREATE = 35;
    private static final int INTERRUPT = 36;
    private static final int DESTROY = 38;
    private static final int BATCH_FORGET = 42;
    private static final int RENAME_2 = 45;

    // Sizes and flags.
    private static final int IN_HEADER = 40;
    private static final int OUT_HEADER = 16;
    private static final int MAJOR = 7;
    private static final int MINOR = 31;
    private static final int MOST_WRITE_BYTES = 1 << 20;
    private static final int MOST_PAGES = 256;
    private static final int ASYNC_READ = 1;
    private static final int BIG_WRITES = 1 << 5;
    private static final int PARALLEL_DIRECTORY_CALLS = 1 << 18;
    private static final int MAX_PAGES = 1 << 22;
    private static final int OPEN_DIRECT = 1;
    private static final int SIZE_IS_SET = 1 << 3;
    private static final int DATA_SYNCHRONOUS = 0x1000;
    private static final int DIRECTORY_MODE = 0x41ED;
    private static final int FILE_MODE = 0x81A4;
    private static final int DIRECTORY_TYPE = 4;
    private static final int FILE_TYPE = 8;
    private static final int BLOCK_BYTES = 4096;
    private static final int SECTOR_BYTES = 512;
    private static final int ATTRIBUTES_BYTES = 88;
    private static final int ENTRY_BYTES = 40 + ATTRIBUTES_BYTES;
    private static final int VALID_SECONDS = 3600;
    private static final long BLOCKS = 1 << 20;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

    private final ForgetfulFiles files;
    private final Device device;

    FuseRequests(ForgetfulFiles files, Device device) {
        this.files = files;
        this.device = device;
    }

    /** Answers a request; returns the length of the answer, 0 if none is wanted. */
    int answer(MemorySegment in, MemorySegment out) throws PowerIsOut {
        int operation = in.get(INT, 4);
        long node = in.get(LONG, 16);
        MemorySegment body = in.asSlice(IN_HEADER);
        MemorySegment reply = out.asSlice(OUT_HEADER);
        int length;
        int error = 0;
        try {
            length = perform(operation, node, body, reply);
        } catch (PowerIsOut cut) {
            throw cut;
        } catch (FileSystemError failed) {
            length = 0;
            error = -failed.errorNumber();
        } catch (IOException impossible) {
            throw new IllegalStateException("files in memory fail with an error number only", impossible);
        }
        if (length < 0) {
            return 0;
        }
        out.set(INT, 0, OUT_HEADER + length);
        out.set(INT, 4, error);
        out.set(LONG, 8, in.get(LONG, 8));
        return OUT_HEADER + length;
    }

    /** Returns the length of the reply's body, negative if there is to be no reply. */
    private int perform(int operation, long node, MemorySegment body, MemorySegment reply) throws IOException {
        return switch (operation) {
            case LOOK_UP -> entry(files.lookUp(node, text(body, 0)), reply);
            case FORGET, INTERRUPT, BATCH_FORGET -> -1;
            case GET_ATTRIBUTES -> attributes(files.attributes(node), reply);
            case SET_ATTRIBUTES -> setAttributes(node, body, reply);
            case MAKE_DIRECTORY -> {
                device.takeSpace(true);
                yield entry(files.createDirectory(node, text(body, 8)), reply);
            }
            case UNLINK -> done(() -> files.removeFile(node, text(body, 0)));
            case REMOVE_DIRECTORY -> done(() -> files.removeDirectory(node, text(body, 0)));
            case RENAME -> rename(node, body, 8);
            case RENAME_2 -> rename(node, body, 16);
            case OPEN -> opened(reply, OPEN_DIRECT);
            case READ -> read(node, body, reply);
            case WRITE -> write(node, body, reply);
            case STATISTICS -> statistics(reply);
            case RELEASE, FLUSH, RELEASE_DIRECTORY -> 0;
            case FORCE -> forceFile(node);
            case INIT -> initialize(body, reply);
            case OPEN_DIRECTORY -> opened(reply, 0);
            case READ_DIRECTORY -> list(node, body, reply);
            case FORCE_DIRECTORY -> forceDirectory(node);
            case CREATE -> create(node, body, reply);
            case DESTROY -> 0;
            default -> throw new FileSystemError(FileSystemError.NOT_IMPLEMENTED, "operation " + operation);
        };
    }

    private interface Step {
        void run() throws IOException;
    }

    private static int done(Step step) throws IOException {
        step.run();
        return 0;
    }

    private static int initialize(MemorySegment body, MemorySegment reply) throws FileSystemError {
        if (body.get(INT, 0) != MAJOR || body.get(INT, 4) < MINOR) {
            throw new FileSystemError(FileSystemError.INVALID, "the kernel speaks an older protocol");
        }
        reply.asSlice(0, 64).fill((byte) 0);
        reply.set(INT, 0, MAJOR);
        reply.set(INT, 4, MINOR);
        reply.set(INT, 8, body.get(INT, 8));
        reply.set(INT, 12, (ASYNC_READ | BIG_WRITES | PARALLEL_DIRECTORY_CALLS | MAX_PAGES) & body.get(INT, 12));
        reply.set(INT, 20, MOST_WRITE_BYTES);
        reply.set(INT, 24, 1);
        reply.set(SHORT, 28, (short) MOST_PAGES);
        return 64;
    }

    private int create(long parent, MemorySegment body, MemorySegment reply) throws IOException {
        device.takeSpace(true);
        int length = entry(files.createFile(parent, text(body, 16)), reply);
        return length + opened(reply.asSlice(length), OPEN_DIRECT);
    }

    private static int opened(MemorySegment reply, int flags) {
        reply.set(LONG, 0, 0);
        reply.set(INT, 8, flags);
        reply.set(INT, 12, 0);
        return 16;
    }

    private int rename(long parent, MemorySegment body, int header) throws IOException {
        if (header > 8 && body.get(INT, 8) != 0) {
            throw new FileSystemError(FileSystemError.INVALID, "a rename with conditions");
        }
        String name = text(body, header);
        int next = header + name.getBytes(StandardCharsets.UTF_8).length + 1;
        files.rename(parent, name, body.get(LONG, 0), text(body, next));
        return 0;
    }

    private int setAttributes(long node, MemorySegment body, MemorySegment reply) throws IOException {
        if ((body.get(INT, 0) & SIZE_IS_SET) != 0) {
            files.truncate(node, body.get(LONG, 16));
        }
        return attributes(files.attributes(node), reply);
    }

    private int read(long node, MemorySegment body, MemorySegment reply) throws IOException {
        byte[] bytes = files.read(node, body.get(LONG, 8), body.get(INT, 16));
        MemorySegment.copy(bytes, 0, reply, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return bytes.length;
    }

    private int write(long node, MemorySegment body, MemorySegment reply) throws IOException {
        long position = body.get(LONG, 8);
        int length = body.get(INT, 16);
        boolean synchronous = (body.get(INT, 32) & DATA_SYNCHRONOUS) != 0;
        if (device.isFull()) {
            device.takeSpace(position + length > files.attributes(node).size());
        }
        files.write(node, position, body.asSlice(40, length).toArray(ValueLayout.JAVA_BYTE));
        if (synchronous) {
            device.delay();
            if (device.lie() != Lie.SYNCHRONOUS_WRITES) {
                files.force(node, position, length);
            }
        }
        reply.set(INT, 0, length);
        reply.set(INT, 4, 0);
        return 8;
    }

    private int forceFile(long node) throws IOException {
        device.delay();
        if (device.lie() != Lie.FORCES) {
            files.force(node);
        }
        return 0;
    }

    private int forceDirectory(long node) throws IOException {
        device.delay();
        if (device.lie() != Lie.DIRECTORY_FORCES) {
            files.forceDirectory(node);
        }
        return 0;
    }

    private static int statistics(MemorySegment reply) {
        reply.asSlice(0, 80).fill((byte) 0);
        reply.set(LONG, 0, BLOCKS);
        reply.set(LONG, 8, BLOCKS);
        reply.set(LONG, 16, BLOCKS);
        reply.set(INT, 40, BLOCK_BYTES);
        reply.set(INT, 44, 255);
        reply.set(INT, 48, BLOCK_BYTES);
        return 80;
    }

    /** Offsets count entries; the first two are the directory itself and the one above. */
    private int list(long node, MemorySegment body, MemorySegment reply) throws IOException {
        long from = body.get(LONG, 8);
        int room = body.get(INT, 16);
        int length = 0;
        long number = 0;
        Map<String, ForgetfulFiles.Attributes> entries = files.list(node);
        for (String name : withDots(entries.keySet())) {
            ForgetfulFiles.Attributes entry = entries.get(name);
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            int size = (24 + bytes.length + 7) & -8;
            if (++number <= from) {
                continue;
            }
            if (length + size > room) {
                break;
            }
            MemorySegment place = reply.asSlice(length, size).fill((byte) 0);
            place.set(LONG, 0, entry == null ? node : entry.number());
            place.set(LONG, 8, number);
            place.set(INT, 16, bytes.length);
            place.set(INT, 20, entry == null || entry.directory() ? DIRECTORY_TYPE : FILE_TYPE);
            MemorySegment.copy(bytes, 0, place, ValueLayout.JAVA_BYTE, 24, bytes.length);
            length += size;
        }
        return length;
    }

    private static Iterable<String> withDots(Iterable<String> names) {
        List<String> all = new ArrayList<>(List.of(".", ".."));
        names.forEach(all::add);
        return all;
    }

    private static int entry(ForgetfulFiles.Attributes attributes, MemorySegment reply) {
        reply.asSlice(0, ENTRY_BYTES).fill((byte) 0);
        reply.set(LONG, 0, attributes.number());
        reply.set(LONG, 16, VALID_SECONDS);
        reply.set(LONG, 24, VALID_SECONDS);
        fill(attributes, reply.asSlice(40));
        return ENTRY_BYTES;
    }

    private static int attributes(ForgetfulFiles.Attributes attributes, MemorySegment reply) {
        reply.asSlice(0, 16 + ATTRIBUTES_BYTES).fill((byte) 0);
        reply.set(LONG, 0, VALID_SECONDS);
        fill(attributes, reply.asSlice(16));
        return 16 + ATTRIBUTES_BYTES;
    }

    private static void fill(ForgetfulFiles.Attributes attributes, MemorySegment target) {
        target.set(LONG, 0, attributes.number());
        target.set(LONG, 8, attributes.size());
        target.set(LONG, 16, (attributes.size() + SECTOR_BYTES - 1) / SECTOR_BYTES);
        target.set(INT, 60, attributes.directory() ? DIRECTORY_MODE : FILE_MODE);
        target.set(INT, 64, attributes.directory() ? 2 : 1);
        target.set(INT, 80, BLOCK_BYTES);
    }

    private static String text(MemorySegment body, long offset) {
        return body.getString(offset, StandardCharsets.UTF_8);
    }
}
