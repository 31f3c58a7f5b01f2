-- SmallBank as H-Store has it: accounts are found by customer number.
CREATE TABLE accounts (custid BIGINT NOT NULL, name VARCHAR(64) NOT NULL, PRIMARY KEY (custid));
PARTITION TABLE accounts ON COLUMN custid;
CREATE TABLE savings (custid BIGINT NOT NULL, bal DECIMAL(15, 2) NOT NULL, PRIMARY KEY (custid));
PARTITION TABLE savings ON COLUMN custid;
CREATE TABLE checking (custid BIGINT NOT NULL, bal DECIMAL(15, 2) NOT NULL, PRIMARY KEY (custid));
PARTITION TABLE checking ON COLUMN custid;
