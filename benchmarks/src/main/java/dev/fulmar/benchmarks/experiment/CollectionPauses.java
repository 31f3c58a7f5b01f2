package dev.fulmar.benchmarks.experiment;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** Listens for pauses of the garbage collector. */
final class CollectionPauses implements AutoCloseable {
    private final List<NotificationEmitter> emitters = new ArrayList<>();
    private final NotificationListener listener = this::collected;
    private final AtomicLong longestMillis = new AtomicLong();
    private final AtomicLong count = new AtomicLong();

    private CollectionPauses() {}

    static CollectionPauses watch() {
        CollectionPauses pauses = new CollectionPauses();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(pauses.listener, null, null);
                pauses.emitters.add(emitter);
            }
        }
        return pauses;
    }

    long longestMillis() {
        return longestMillis.get();
    }

    long count() {
        return count.get();
    }

    /** Concurrent phases are no pauses: their collector's name or their action says so. */
    private void collected(Notification notification, Object unused) {
        if (!notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            return;
        }
        GarbageCollectionNotificationInfo info =
                GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
        if (info.getGcName().contains("Concurrent") || info.getGcName().contains("Cycles")) {
            return;
        }
        count.incrementAndGet();
        longestMillis.accumulateAndGet(info.getGcInfo().getDuration(), Math::max);
    }

    @Override
    public void close() {
        for (NotificationEmitter emitter : emitters) {
            try {
                emitter.removeNotificationListener(listener);
            } catch (ListenerNotFoundException e) {
                throw new IllegalStateException("the listener was added when this object was made", e);
            }
        }
    }
}
