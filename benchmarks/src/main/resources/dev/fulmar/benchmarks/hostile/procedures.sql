CREATE PROCEDURE EndlessLoop PARTITION ON TABLE victims COLUMN k FROM CLASS dev.fulmar.benchmarks.hostile.procedure.EndlessLoop;
CREATE PROCEDURE SwallowingLoop PARTITION ON TABLE victims COLUMN k FROM CLASS dev.fulmar.benchmarks.hostile.procedure.SwallowingLoop;
CREATE PROCEDURE DeepRecursion PARTITION ON TABLE victims COLUMN k FROM CLASS dev.fulmar.benchmarks.hostile.procedure.DeepRecursion;
CREATE PROCEDURE HugeArray PARTITION ON TABLE victims COLUMN k FROM CLASS dev.fulmar.benchmarks.hostile.procedure.HugeArray;
CREATE PROCEDURE Thrower PARTITION ON TABLE victims COLUMN k FROM CLASS dev.fulmar.benchmarks.hostile.procedure.Thrower;
CREATE PROCEDURE TooMuch PARTITION ON TABLE victims COLUMN k FROM CLASS dev.fulmar.benchmarks.hostile.procedure.TooMuch;
CREATE PROCEDURE Bystander PARTITION ON TABLE bystanders COLUMN k FROM CLASS dev.fulmar.benchmarks.hostile.procedure.Bystander;
