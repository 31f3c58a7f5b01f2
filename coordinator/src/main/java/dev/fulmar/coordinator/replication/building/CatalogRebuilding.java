package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.durability.catalog.CatalogImage;
import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.coordinator.replication.CopyState;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds this node's copy of the catalog from the current primary when it cannot follow, and serves other nodes that
 * do so. The messages are those of partitions. The chunks are pieces of one {@link CatalogImage}, taken when all copies
 * in sync have all of it, so that nothing of it can be void. Methods are for the catalog's thread unless they say
 * otherwise.
 */
final class CatalogRebuilding {
    private final PartitionReplica here;
    private final BuildSettings settings;
    private final BuildOutbox outbox;
    private final LongFunction<CopyId> lives;
    private final Probes probes;
    private final Map<CopyId, Image> images = new TreeMap<>();

    private final ImagedGenerations imaged = new ImagedGenerations();

    private volatile boolean isUnderWay;
    private volatile boolean isServing;
    private @Nullable Build build;
    private long lastLife;

    /** Image of the catalog that a copy on another node pulls. */
    private static final class Image {
        private final CopyOrigin origin;
        private final byte[] bytes;
        private long heardNanos;

        Image(CopyOrigin origin, byte[] bytes) {
            this.origin = origin;
            this.bytes = bytes;
        }
    }

    /** Build of this node's copy that is under way. */
    private static final class Build {
        private final CopyId copy;
        private final NodeId source;
        private final ByteArrayOutputStream received = new ByteArrayOutputStream();
        private @Nullable CopyOrigin origin;
        private boolean isReady;
        private boolean isWhole;
        private long next;
        private long heardNanos;
        private long askedNanos;

        Build(CopyId copy, NodeId source, long nowNanos) {
            this.copy = copy;
            this.source = source;
            this.heardNanos = nowNanos;
        }
    }

    CatalogRebuilding(
            PartitionReplica here,
            BuildSettings settings,
            BuildOutbox outbox,
            LongFunction<CopyId> lives,
            Probes probes) {
        this.here = here;
        this.settings = settings;
        this.outbox = outbox;
        this.lives = lives;
        this.probes = probes;
    }

    /** Any thread. */
    boolean isOf(PartitionId partition) {
        return here.partition().equals(partition);
    }

    /** The copy here cannot follow. */
    void begin() {
        isUnderWay = true;
        build = null;
        PartitionRecord term = here.term();
        CopyId former = here.copy();
        if (term == null || former == null || term.primary().node().equals(former.node())) {
            return; // until there is a primary
        }
        CopyId next = lives.apply(Math.max(lastLife, former.life()));
        lastLife = next.life();
        probes.reached("catalog: a copy is begun");
        Build begun = new Build(next, term.primary().node(), here.nowNanos());
        build = begun;
        ask(begun, false);
    }

    /** The source has an image: what is here does not count, and never will again, if it is the primary that knows. */
    private void begun(Build current, CopyOrigin origin) {
        if (origin.epoch() < here.heardEpoch()) {
            build = null; // it is begun anew
            return;
        }
        current.origin = origin;
        here.giveUp(current.copy, () -> {
            if (build == current) {
                current.isReady = true;
                ask(current, false);
            }
        });
    }

    private void ask(Build current, boolean again) {
        current.askedNanos = here.nowNanos();
        BuildMessage message = current.origin == null
                ? new BuildMessage.Begin(here.partition(), current.copy)
                : new BuildMessage.Pull(
                        here.partition(), current.copy, current.next, current.isReady ? settings.credit() : 0, again);
        outbox.send(current.source, BuildFormat.bytes(message));
    }

    /** Takes a message, for any thread; refuses by throwing what is none. */
    void received(NodeId from, ByteBuffer in) {
        BuildMessage message = BuildFormat.read(in);
        byte[] rest = new byte[in.remaining()];
        in.get(rest);
        boolean isAsked = switch (message) {
            case BuildMessage.Begin _, BuildMessage.Pull _, BuildMessage.End _ -> true;
            case BuildMessage.Begun _, BuildMessage.Chunk _, BuildMessage.Refused _ -> false;
        };
        if (isAsked && !message.copy().node().equals(from)) {
            throw BuildFormat.malformed("node " + from + " speaks for the copy " + message.copy());
        }
        if (message instanceof BuildMessage.Begin(var _, CopyId copy)) {
            here.tell(new LeadershipEvent.Replaced(copy));
        }
        here.post(() -> {
            switch (message) {
                case BuildMessage.Begin(var _, CopyId copy) -> give(copy);
                case BuildMessage.Pull pull -> give(pull);
                case BuildMessage.End(var _, CopyId copy) -> images.remove(copy);
                case BuildMessage.Begun _, BuildMessage.Chunk _, BuildMessage.Refused _ -> take(from, message, rest);
            }
        });
    }

    /** An image is made of what all copies in sync have; a copy that comes too early asks again. */
    private void give(CopyId copy) {
        CopyState led = here.led();
        Image known = images.get(copy);
        if (led == null) {
            refuse(copy, CopySource.Refusal.NOT_PRIMARY);
        } else if (known != null) {
            known.heardNanos = here.nowNanos();
            send(copy, new BuildMessage.Begun(here.partition(), copy, known.origin));
        } else if (imaged.has(copy)) {
            refuse(copy, CopySource.Refusal.UNKNOWN);
        } else if (led.releasedEnd() == led.end() && led.end() > 0 && here.areOut(copy)) {
            isServing = true;
            images.keySet().removeIf(other -> other.node().equals(copy.node()));
            CopyOrigin origin =
                    new CopyOrigin(led.end(), 0, Math.toIntExact(here.catalogVersion()), led.epoch(), led.history());
            Image image = new Image(origin, here.image());
            image.heardNanos = here.nowNanos();
            images.put(copy, image);
            imaged.add(copy);
            send(copy, new BuildMessage.Begun(here.partition(), copy, origin));
        }
    }

    private void give(BuildMessage.Pull pull) {
        Image image = images.get(pull.copy());
        if (image == null) {
            refuse(pull.copy(), CopySource.Refusal.UNKNOWN);
            return;
        }
        image.heardNanos = here.nowNanos();
        for (long number = pull.next(); number < pull.next() + pull.credit(); number++) {
            long begin = number * settings.chunkBytes();
            if (begin > image.bytes.length) {
                return;
            }
            int end = (int) Math.min(image.bytes.length, begin + settings.chunkBytes());
            boolean isLast = begin + settings.chunkBytes() > image.bytes.length;
            outbox.send(
                    pull.copy().node(),
                    BuildFormat.bytes(new BuildMessage.Chunk(here.partition(), pull.copy(), number, isLast)),
                    ByteBuffer.wrap(Arrays.copyOfRange(image.bytes, (int) begin, end)));
        }
    }

    private void refuse(CopyId copy, CopySource.Refusal reason) {
        send(copy, new BuildMessage.Refused(here.partition(), copy, reason));
    }

    private void send(CopyId to, BuildMessage message) {
        outbox.send(to.node(), BuildFormat.bytes(message));
    }

    private void take(NodeId from, BuildMessage message, byte[] rest) {
        Build current = build;
        if (current == null || !current.source.equals(from) || !current.copy.equals(message.copy())) {
            return; // of a copy that was given up
        }
        current.heardNanos = here.nowNanos();
        if (message instanceof BuildMessage.Begun(var _, var _, CopyOrigin origin) && current.origin == null) {
            begun(current, origin);
        } else if (message instanceof BuildMessage.Chunk(var _, var _, long number, boolean last)
                && number == current.next
                && current.isReady
                && !current.isWhole) {
            current.received.writeBytes(rest);
            current.next++;
            if (last) {
                load(current);
            } else if (number % settings.credit() == settings.credit() - 1) {
                ask(current, false);
            }
        } else if (message instanceof BuildMessage.Refused) {
            build = null; // it is begun anew
        }
    }

    private void load(Build whole) {
        CopyOrigin origin = whole.origin;
        if (origin == null) {
            return;
        }
        whole.isWhole = true;
        try {
            here.load(CatalogImage.read(whole.received.toByteArray()));
        } catch (FulmarException e) {
            build = null;
            if (e.code() == ErrorCode.CORRUPTION || e.code() == ErrorCode.VERSION_MISMATCH) {
                outbox.endLink(whole.source, String.valueOf(e.getMessage()));
            }
            return;
        }
        here.complete(origin.end(), origin.epoch(), origin.history(), () -> {
            if (build == whole) {
                probes.reached("catalog: a copy is built");
                build = null;
                isUnderWay = false;
                send(new CopyId(whole.source, whole.copy.life()), new BuildMessage.End(here.partition(), whole.copy));
                here.rebuilt(new CopyState(
                        whole.copy, origin.epoch(), origin.history(), origin.end(), origin.end(), origin.end()));
            }
        });
    }

    /** To be called several times a second, on any thread. */
    void timePassed() {
        if (isUnderWay) {
            here.post(this::look);
        }
        if (isServing) {
            here.post(this::forget);
        }
    }

    private void look() {
        Build current = build;
        if (!isUnderWay || (current != null && current.isWhole)) {
            return; // until what is there now is stored
        }
        long nowNanos = here.nowNanos();
        if (current == null || nowNanos - current.heardNanos >= settings.silenceNanos()) {
            begin();
        } else if (nowNanos - current.askedNanos >= settings.retryNanos()) {
            ask(current, true);
        }
    }

    private void forget() {
        long nowNanos = here.nowNanos();
        images.values().removeIf(image -> nowNanos - image.heardNanos >= settings.silenceNanos());
        isServing = !images.isEmpty();
    }
}
