package dev.fulmar.pmemlog.checkpoint;

/** Names of the files of checkpoints, all in one directory. */
final class CheckpointNames {
    private static final String SUPERBLOCK = "superblock";
    private static final String NEW_SUPERBLOCK = "superblock-new";
    private static final String CLOG_PREFIX = "clog-";
    private static final String MASTER_PREFIX = "master-";
    private static final int SEGMENT_DIGITS = 19;

    private CheckpointNames() {}

    static String superblock(String directory) {
        return directory + "/" + SUPERBLOCK;
    }

    /** The superblock until it is whole for the first time. */
    static String newSuperblock(String directory) {
        return directory + "/" + NEW_SUPERBLOCK;
    }

    static boolean isNewSuperblock(String name) {
        return name.equals(NEW_SUPERBLOCK);
    }

    static String master(String directory, int partition) {
        return directory + "/" + MASTER_PREFIX + partition;
    }

    static String clog(String directory, int partition, long segment) {
        String digits = Long.toString(segment);
        return directory + "/" + clogPrefix(partition) + "0".repeat(SEGMENT_DIGITS - digits.length()) + digits;
    }

    private static String clogPrefix(int partition) {
        return CLOG_PREFIX + partition + "-";
    }

    /** The number of the partition's segment with the name, which is without its directory; -1 if it is not one. */
    static long segmentNumber(String name, int partition) {
        String prefix = clogPrefix(partition);
        if (!name.startsWith(prefix) || name.length() != prefix.length() + SEGMENT_DIGITS) {
            return -1;
        }
        try {
            return Long.parseLong(name.substring(prefix.length()));
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
