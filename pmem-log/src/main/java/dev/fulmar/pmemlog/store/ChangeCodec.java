package dev.fulmar.pmemlog.store;

import dev.fulmar.foundation.data.LittleEndian;
import java.util.List;

/**
 * Codec of the payload of a commit's record. The payload is a version (1 byte), then for every object its id (8), a
 * length (4; -1: it does not exist any more), an offset (4; -1: the bytes are all of it), and the bytes.
 */
final class ChangeCodec {
    static final int VERSION = 1;
    static final int HEADER_BYTES = 16;
    static final int GONE = -1;
    static final int WHOLE = -1;

    private ChangeCodec() {}

    static int bytes(List<Change> changes) {
        int bytes = 1;
        for (int i = 0; i < changes.size(); i++) {
            bytes += HEADER_BYTES + changes.get(i).changedBytes();
        }
        return bytes;
    }

    static void write(List<Change> changes, byte[] array, int offset) {
        array[offset] = VERSION;
        int at = offset + 1;
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            byte[] image = change.image;
            int bytes = change.changedBytes();
            LittleEndian.putLong(array, at, change.object.id);
            LittleEndian.putInt(array, at + 8, image == null ? GONE : bytes);
            LittleEndian.putInt(array, at + 12, change.isWhole() ? WHOLE : change.from());
            if (image != null) {
                System.arraycopy(image, change.from(), array, at + HEADER_BYTES, bytes);
            }
            at += HEADER_BYTES + bytes;
        }
    }
}
