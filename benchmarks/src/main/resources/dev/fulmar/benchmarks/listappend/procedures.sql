CREATE PROCEDURE TransactOne PARTITION ON TABLE entry COLUMN k PARAMETER 0 FROM CLASS dev.fulmar.benchmarks.listappend.procedure.Transact;
CREATE PROCEDURE TransactMany FROM CLASS dev.fulmar.benchmarks.listappend.procedure.Transact;
CREATE PROCEDURE TransferOne PARTITION ON TABLE account COLUMN id PARAMETER 0 FROM CLASS dev.fulmar.benchmarks.listappend.procedure.Transfer;
CREATE PROCEDURE TransferMany FROM CLASS dev.fulmar.benchmarks.listappend.procedure.Transfer;
CREATE PROCEDURE Observe FROM CLASS dev.fulmar.benchmarks.listappend.procedure.Observe;
