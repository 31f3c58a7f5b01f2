CREATE PROCEDURE GetSubscriberData PARTITION ON TABLE subscriber COLUMN s_id AS SELECT * FROM subscriber WHERE s_id = ?;
CREATE PROCEDURE GetNewDestination PARTITION ON TABLE subscriber COLUMN s_id AS SELECT cf.numberx FROM special_facility sf JOIN call_forwarding cf ON cf.s_id = sf.s_id AND cf.sf_type = sf.sf_type WHERE sf.s_id = ? AND sf.sf_type = ? AND sf.is_active = 1 AND cf.start_time <= ? AND cf.end_time > ?;
CREATE PROCEDURE GetAccessData PARTITION ON TABLE subscriber COLUMN s_id AS SELECT data1, data2, data3, data4 FROM access_info WHERE s_id = ? AND ai_type = ?;
CREATE PROCEDURE UpdateSubscriberData PARTITION ON TABLE subscriber COLUMN s_id FROM CLASS dev.fulmar.benchmarks.tatp.procedure.UpdateSubscriberData;
CREATE PROCEDURE UpdateLocation FROM CLASS dev.fulmar.benchmarks.tatp.procedure.UpdateLocation;
CREATE PROCEDURE InsertCallForwarding FROM CLASS dev.fulmar.benchmarks.tatp.procedure.InsertCallForwarding;
CREATE PROCEDURE DeleteCallForwarding FROM CLASS dev.fulmar.benchmarks.tatp.procedure.DeleteCallForwarding;
CREATE PROCEDURE LoadSubscriber PARTITION ON TABLE subscriber COLUMN s_id FROM CLASS dev.fulmar.benchmarks.tatp.procedure.LoadSubscriber;
