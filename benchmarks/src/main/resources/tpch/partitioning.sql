PARTITION TABLE supplier ON COLUMN s_suppkey;
PARTITION TABLE part ON COLUMN p_partkey;
PARTITION TABLE partsupp ON COLUMN ps_partkey;
PARTITION TABLE customer ON COLUMN c_custkey;
PARTITION TABLE orders ON COLUMN o_orderkey;
PARTITION TABLE lineitem ON COLUMN l_orderkey;
