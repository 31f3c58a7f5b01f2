package dev.fulmar.benchmarks.timestone;

import dev.fulmar.benchmarks.random.ZipfianKeys;
import java.util.SplittableRandom;

/**
 * Workload that is measured on each {@link Rival}: operations on a list, tree or hash table of keys, or on YCSB's rows.
 */
sealed interface Subject {
    String title();

    /** Fills the nodes. */
    void load(Nodes.Access access);

    /** An operation, of which so many percent change something. */
    Trial.Operation operation(int updatePercent);

    /** The number of its parts, in one transaction; fails if it is damaged. */
    long count(Nodes.Access access);

    /** A set of numbers: half of the range is in it, and updates add and remove at random. */
    record Keys(String title, Structure structure, int initial) implements Subject {
        private static final int LOAD_STEP = 200;

        @Override
        public void load(Nodes.Access access) {
            access.run(true, body -> {
                structure.begin(body);
                return 0;
            });
            SplittableRandom random = new SplittableRandom(initial);
            long count = 0;
            while (count < initial) {
                count += access.run(true, body -> {
                    long added = 0;
                    for (int i = 0; i < LOAD_STEP; i++) {
                        added += structure.add(body, random.nextInt(2 * initial)) ? 1 : 0;
                    }
                    return added;
                });
            }
        }

        @Override
        public Trial.Operation operation(int updatePercent) {
            return (access, random) -> {
                long key = random.nextInt(2 * initial);
                int choice = random.nextInt(200);
                if (choice >= 2 * updatePercent) {
                    access.run(false, body -> structure.contains(body, key));
                } else if (choice % 2 == 0) {
                    access.run(true, body -> structure.add(body, key));
                } else {
                    access.run(true, body -> structure.remove(body, key));
                }
            };
        }

        @Override
        public long count(Nodes.Access access) {
            return access.run(false, structure::count);
        }
    }

    /** Rows of 1 KB in ten fields, drawn by zipf 0.99; an update replaces one field. */
    record Ycsb(String title, long[] rows, ZipfianKeys keys) implements Subject {
        private static final int FIELDS = 10;
        private static final int FIELD_BYTES = 96;
        private static final int ROW_BYTES = 1024;
        private static final int LOAD_STEP = 500;

        static Ycsb of(int rowCount) {
            return new Ycsb("YCSB, rows of 1 KB", new long[rowCount], new ZipfianKeys(rowCount, 0.99));
        }

        @Override
        public void load(Nodes.Access access) {
            for (int from = 0; from < rows.length; from += LOAD_STEP) {
                int begin = from;
                access.run(true, body -> {
                    for (int i = begin; i < Math.min(rows.length, begin + LOAD_STEP); i++) {
                        rows[i] = body.create(new byte[ROW_BYTES]);
                    }
                    return 0;
                });
            }
        }

        @Override
        public Trial.Operation operation(int updatePercent) {
            return (access, random) -> {
                long row = rows[(int) keys.scrambled(random)];
                if (random.nextInt(100) >= updatePercent) {
                    access.run(false, body -> body.sum(row, ROW_BYTES));
                } else {
                    byte[] field = new byte[FIELD_BYTES];
                    random.nextBytes(field);
                    int offset = random.nextInt(FIELDS) * FIELD_BYTES;
                    access.run(true, body -> {
                        body.replace(row, offset, field);
                        return 0;
                    });
                }
            };
        }

        @Override
        public long count(Nodes.Access access) {
            return access.run(false, body -> {
                long count = 0;
                for (long row : rows) {
                    body.sum(row, ROW_BYTES);
                    count++;
                }
                return count;
            });
        }
    }
}
