package dev.fulmar.foundation.network.real;

import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.network.Network;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Netty handler of one TCP connection between nodes: splits the received bytes into frames, the greeting and then
 * messages. A frame is a length and so many bytes. A frame of no bytes only shows that its sender lives.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a connection ends it, and its end is told
abstract class LinkHandler extends ByteToMessageDecoder {
    private static final Logger LOG = LoggerFactory.getLogger(LinkHandler.class);

    private static final long PATIENCE_SECONDS = 3;

    private boolean isGreeted;
    private boolean isDeaf;
    private int silentTicks;

    /** Takes a greeting, or null for something else. Whether messages follow. */
    abstract boolean greeted(ChannelHandlerContext context, @Nullable Greeting greeting);

    /** Takes a message, valid during the call. */
    abstract void received(ByteBuf message);

    /** The connection has ended, for this reason. */
    abstract void ended(String reason);

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        context.executor()
                .schedule(
                        () -> {
                            if (!isGreeted && !isDeaf) {
                                breakOff(context, "it does not say who it is");
                            }
                        },
                        PATIENCE_SECONDS,
                        TimeUnit.SECONDS);
        super.channelActive(context);
    }

    static ChannelFuture write(ChannelHandlerContext context, Greeting greeting) {
        ByteBuf frame = context.alloc().buffer(Greeting.MAX_BYTES + Integer.BYTES);
        frame.writeInt(0);
        greeting.write(frame);
        frame.setInt(0, frame.readableBytes() - Integer.BYTES);
        return context.writeAndFlush(frame);
    }

    /** Nothing more is taken from the connection. */
    void turnDeaf() {
        isDeaf = true;
    }

    /** Another moment has passed; how many there have been since something was heard. */
    int tick() {
        return silentTicks++;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        silentTicks = 0;
        if (isDeaf) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (in.readableBytes() < Integer.BYTES) {
            return;
        }
        int length = in.getInt(in.readerIndex());
        if (length < 0 || length > (isGreeted ? Network.MAX_MESSAGE_BYTES : Greeting.MAX_BYTES)) {
            breakOff(context, "it sent a frame of " + Integer.toUnsignedString(length) + " bytes");
            return;
        }
        if (in.readableBytes() < Integer.BYTES + length) {
            return;
        }
        in.skipBytes(Integer.BYTES);
        ByteBuf body = in.readSlice(length);
        if (!isGreeted) {
            isGreeted = greeted(context, Greeting.read(body));
            isDeaf |= !isGreeted;
        } else if (length > 0) {
            received(body);
        }
    }

    void breakOff(ChannelHandlerContext context, String reason) {
        isDeaf = true;
        ended(reason);
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        isDeaf = true;
        ended("its connection ended");
        super.channelInactive(context);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        FatalErrors.handIfFatal(cause);
        LOG.debug("connection {}", context.channel(), cause);
        breakOff(context, "its connection broke: " + cause.getMessage());
    }
}
