CREATE PROCEDURE Balance PARTITION ON TABLE accounts COLUMN custid FROM CLASS dev.fulmar.benchmarks.smallbank.procedure.Balance;
CREATE PROCEDURE DepositChecking PARTITION ON TABLE accounts COLUMN custid FROM CLASS dev.fulmar.benchmarks.smallbank.procedure.DepositChecking;
CREATE PROCEDURE TransactSavings PARTITION ON TABLE accounts COLUMN custid FROM CLASS dev.fulmar.benchmarks.smallbank.procedure.TransactSavings;
CREATE PROCEDURE WriteCheck PARTITION ON TABLE accounts COLUMN custid FROM CLASS dev.fulmar.benchmarks.smallbank.procedure.WriteCheck;
CREATE PROCEDURE OpenAccount PARTITION ON TABLE accounts COLUMN custid FROM CLASS dev.fulmar.benchmarks.smallbank.procedure.OpenAccount;
CREATE PROCEDURE Amalgamate FROM CLASS dev.fulmar.benchmarks.smallbank.procedure.Amalgamate;
CREATE PROCEDURE SendPayment FROM CLASS dev.fulmar.benchmarks.smallbank.procedure.SendPayment;
