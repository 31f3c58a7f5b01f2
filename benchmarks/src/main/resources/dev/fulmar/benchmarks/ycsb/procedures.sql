CREATE PROCEDURE YcsbRead PARTITION ON TABLE usertable COLUMN ycsb_key AS SELECT * FROM usertable WHERE ycsb_key = ?;
CREATE PROCEDURE YcsbInsert PARTITION ON TABLE usertable COLUMN ycsb_key AS INSERT INTO usertable VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
CREATE PROCEDURE YcsbScan AS SELECT * FROM usertable WHERE ycsb_key >= ? ORDER BY ycsb_key LIMIT ?;
CREATE PROCEDURE YcsbUpdate PARTITION ON TABLE usertable COLUMN ycsb_key FROM CLASS dev.fulmar.benchmarks.ycsb.procedure.YcsbUpdate;
CREATE PROCEDURE YcsbReadModifyWrite PARTITION ON TABLE usertable COLUMN ycsb_key FROM CLASS dev.fulmar.benchmarks.ycsb.procedure.YcsbReadModifyWrite;
