-- A list per key: entry n of list k. What a transaction reads of a list tells which appends it saw, and in which order.
CREATE TABLE entry (k BIGINT NOT NULL, n INTEGER NOT NULL, v BIGINT NOT NULL, PRIMARY KEY (k, n));
PARTITION TABLE entry ON COLUMN k;
