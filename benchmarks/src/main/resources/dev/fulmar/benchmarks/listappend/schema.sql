-- A list per key: entry n of list k. What a transaction reads of a list tells which appends it saw, and in which order.
CREATE TABLE entry (k BIGINT NOT NULL, n INTEGER NOT NULL, v BIGINT NOT NULL, PRIMARY KEY (k, n));
PARTITION TABLE entry ON COLUMN k;
CREATE INDEX entry_by_value ON entry (v);
CREATE INDEX entry_by_key_and_value ON entry (k, v);

CREATE TABLE account (id BIGINT NOT NULL, balance BIGINT NOT NULL, PRIMARY KEY (id));
PARTITION TABLE account ON COLUMN id;
CREATE INDEX account_by_balance ON account (balance);
