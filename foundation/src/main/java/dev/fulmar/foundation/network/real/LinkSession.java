package dev.fulmar.foundation.network.real;

import dev.fulmar.foundation.id.NodeId;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Send queue of one established connection to another node: any thread adds messages, the links' thread writes them to
 * the socket. A session lasts from the handshake to the end of its connection.
 */
final class LinkSession {
    private static final int BATCH_BYTES = 256 << 10;

    final NodeId peer;
    final Channel channel;
    private final LinkSettings settings;
    private final Runnable onFree;
    private final Queue<ByteBuf> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicBoolean isWriting = new AtomicBoolean();
    private final AtomicLong sentMessages = new AtomicLong();
    private final AtomicLong sentBytes = new AtomicLong();
    private final Runnable write = this::write;
    private volatile boolean isBusy;
    private volatile boolean isOver;

    /** @param onFree runs on the links' thread when little waits again */
    LinkSession(NodeId peer, Channel channel, LinkSettings settings, Runnable onFree) {
        this.peer = peer;
        this.channel = channel;
        this.settings = settings;
        this.onFree = onFree;
    }

    boolean isBusy() {
        return isBusy;
    }

    boolean isOver() {
        return isOver;
    }

    long waitingBytes() {
        return waitingBytes.get();
    }

    long sentMessages() {
        return sentMessages.get();
    }

    long sentBytes() {
        return sentBytes.get();
    }

    /** Whether the frame, which is this object's from now on, would be too much. */
    boolean isTooMuch(int bytes) {
        return waitingBytes.get() + bytes > settings.maxWaitingBytes();
    }

    /** Takes the frame; whether the session goes on: if so, its end is told after this call. */
    boolean add(ByteBuf frame) {
        if (waitingBytes.addAndGet(frame.readableBytes()) > settings.busyBytes()) {
            isBusy = true;
        }
        queue.add(frame);
        if (isOver) {
            releaseAll();
            return false;
        }
        if (isWriting.compareAndSet(false, true)) {
            channel.eventLoop().execute(write);
        }
        return true;
    }

    private void write() {
        isWriting.set(false);
        ByteBuf frame = queue.poll();
        if (frame == null || isOver) {
            release(frame);
            return;
        }
        int batch = 0;
        ChannelFuture last = null;
        while (frame != null) {
            int bytes = frame.readableBytes();
            batch += bytes;
            sentMessages.incrementAndGet();
            sentBytes.addAndGet(bytes);
            ChannelFuture written = channel.write(frame);
            last = written;
            if (batch >= BATCH_BYTES) {
                releaseWhenDone(written, batch);
                batch = 0;
            }
            frame = queue.poll();
        }
        if (last != null && batch > 0) {
            releaseWhenDone(last, batch);
        }
        channel.flush();
    }

    private static void release(@Nullable ByteBuf frame) {
        if (frame != null) {
            frame.release();
        }
    }

    private void releaseWhenDone(ChannelFuture future, int bytes) {
        future.addListener(done -> {
            long waiting = waitingBytes.addAndGet(-bytes);
            if (isBusy && waiting <= settings.busyBytes() / 2 && !isOver) {
                isBusy = false;
                onFree.run();
            }
        });
    }

    /** Sends nothing any more. */
    void end() {
        isOver = true;
        releaseAll();
    }

    private void releaseAll() {
        ByteBuf frame = queue.poll();
        while (frame != null) {
            frame.release();
            frame = queue.poll();
        }
    }
}
