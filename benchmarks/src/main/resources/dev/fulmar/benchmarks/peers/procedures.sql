create procedure GetRow partition on table usertable column k from class dev.fulmar.benchmarks.peers.procedure.GetRow;
create procedure UpdateRow partition on table usertable column k from class dev.fulmar.benchmarks.peers.procedure.UpdateRow;
create procedure NewOrder partition on table warehouse column w from class dev.fulmar.benchmarks.peers.procedure.NewOrder;
create procedure Payment partition on table warehouse column w from class dev.fulmar.benchmarks.peers.procedure.Payment;
create procedure LoadItems from class dev.fulmar.benchmarks.peers.procedure.LoadItems;
