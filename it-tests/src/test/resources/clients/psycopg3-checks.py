"""Checks of programs that use psycopg 3."""

import datetime
import decimal
import sys
import threading
import uuid

import psycopg
from checks import DSN, check, fails, main, same
from psycopg.rows import dict_row, namedtuple_row
from psycopg.types.json import Json, Jsonb


@check
def connects(connection):
    same(connection.info.dbname, "fulmar")
    same(connection.info.user, "ann")
    same(connection.info.encoding, "utf-8")
    same(connection.info.parameter_status("standard_conforming_strings"), "on")
    same(connection.info.server_version // 10000, 15)
    same(connection.execute("SELECT 1").fetchone(), (1,))


@check
def reads_and_writes(connection):
    connection.execute("CREATE TABLE city (id integer PRIMARY KEY, name text, people bigint)")
    connection.commit()
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO city VALUES (%s, %s, %s)", (1, "Oslo", 700_000))
        same(cursor.rowcount, 1)
        cursor.execute("INSERT INTO city VALUES (%(id)s, %(name)s, %(people)s)", {"id": 2, "name": None, "people": 2**40})
        cursor.execute("SELECT * FROM city ORDER BY id")
        same([column.name for column in cursor.description], ["id", "name", "people"])
        same([column.type_code for column in cursor.description], [23, 25, 20])
        same(cursor.fetchall(), [(1, "Oslo", 700_000), (2, None, 2**40)])
        cursor.execute("UPDATE city SET people = people + 1")
        same((cursor.rowcount, cursor.statusmessage), (2, "UPDATE 2"))
        cursor.execute("DELETE FROM city WHERE id = %s RETURNING name, people", (1,))
        same(cursor.fetchall(), [("Oslo", 700_001)])
    connection.commit()


@check
def reads_rows_as_asked(connection):
    with connection.cursor(row_factory=dict_row) as cursor:
        same(cursor.execute("SELECT 1 AS a, 'x' AS b").fetchone(), {"a": 1, "b": "x"})
    with connection.cursor(row_factory=namedtuple_row) as cursor:
        same(cursor.execute("SELECT 2 AS a").fetchone().a, 2)


VALUES = {
    "boolean": [True, False],
    "smallint": [0, -32768, 32767],
    "integer": [0, -(2**31), 2**31 - 1],
    "bigint": [-(2**63), 2**63 - 1],
    "real": [0.0, 1.5, float("inf")],
    "double precision": [0.1, -1e300, 5e-324, float("-inf")],
    "numeric(20, 5)": [decimal.Decimal("-123456789012345.54321"), decimal.Decimal("0.00000")],
    "text": ["", "it's", "ü€😀\\", "two\nlines"],
    "varchar(10)": ["ten letter"],
    "char(4)": ["ab  "],
    "bytea": [b"", b"\x00\xff'\\"],
    "date": [datetime.date(1, 1, 1), datetime.date(2024, 2, 29), datetime.date(9999, 12, 31)],
    "time": [datetime.time(0, 0), datetime.time(23, 59, 59, 999_999)],
    "timestamp": [datetime.datetime(1969, 7, 20, 20, 17, 40, 123_456), datetime.datetime(9999, 12, 31, 23, 59, 59)],
    "uuid": [uuid.UUID("0f0e0d0c-0b0a-0908-0706-050403020100")],
    "interval": [datetime.timedelta(days=-3, seconds=7, microseconds=5), datetime.timedelta(0)],
}


@check
def has_all_types(connection):
    for number, (name, values) in enumerate(VALUES.items()):
        table = f"kind_{number}"
        connection.execute(f"CREATE TABLE {table} (id integer PRIMARY KEY, v {name})")
        connection.commit()
        for place, value in enumerate(values + [None]):
            connection.execute(f"INSERT INTO {table} VALUES (%s, %s)", (place, value))
        for binary in (False, True):
            with connection.cursor(binary=binary) as cursor:
                cursor.execute(f"SELECT v FROM {table} ORDER BY id")
                same((name, binary, [row[0] for row in cursor]), (name, binary, values + [None]))
        for place, value in enumerate(values):
            found = connection.execute(f"SELECT id FROM {table} WHERE v = %s", (value,)).fetchall()
            same((name, value, found), (name, value, [(place,)]))
        for place, value in enumerate(values):
            connection.execute(f"UPDATE {table} SET v = %b WHERE id = %b", (value, place))
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT v FROM {table} ORDER BY id")
            same((name, [row[0] for row in cursor]), (name, values + [None]))
        connection.commit()


@check
def prepares_by_itself(connection):
    connection.execute("CREATE TABLE prepared (id integer PRIMARY KEY, n numeric(10, 2))")
    connection.commit()
    for i in range(20):
        connection.execute("INSERT INTO prepared VALUES (%s, %s)", (i, decimal.Decimal(i) / 4))
    for i in range(20):
        same(
            connection.execute("SELECT n FROM prepared WHERE id = %s", (i,)).fetchone(),
            (decimal.Decimal(i) / 4,),
        )
    connection.commit()
    connection.execute("ALTER TABLE prepared ADD COLUMN more text DEFAULT 'x'")
    connection.commit()
    same(connection.execute("SELECT * FROM prepared WHERE id = %s", (1,), prepare=True).fetchone()[2], "x")


@check
def executes_many(connection):
    connection.execute("CREATE TABLE many (id integer PRIMARY KEY, t text)")
    connection.commit()
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO many VALUES (%s, %s)", [(i, f"row {i}") for i in range(300)])
        same(cursor.rowcount, 300)
        cursor.executemany(
            "INSERT INTO many VALUES (%s, %s) RETURNING id", [(1000, "a"), (1001, None)], returning=True
        )
        found = []
        while True:
            found.append(cursor.fetchone())
            if not cursor.nextset():
                break
        same(found, [(1000,), (1001,)])
    connection.commit()
    same(connection.execute("SELECT count(*), max(t) FROM many").fetchone(), (302, "row 99"))
    connection.commit()
    with connection.cursor() as cursor:
        fails("23505", lambda: cursor.executemany("INSERT INTO many VALUES (%s, 'b')", [(5000,), (1,), (5001,)]))
    connection.rollback()
    same(connection.execute("SELECT count(*) FROM many WHERE t = 'b'").fetchone(), (0,))


@check
def pipelines(connection):
    connection.execute("CREATE TABLE pipe (id integer PRIMARY KEY)")
    connection.commit()
    with connection.pipeline():
        cursors = [connection.execute("INSERT INTO pipe VALUES (%s) RETURNING id", (i,)) for i in range(50)]
        same([cursor.fetchone() for cursor in cursors], [(i,) for i in range(50)])
    connection.commit()

    def broken():
        with connection.pipeline():
            connection.execute("INSERT INTO pipe VALUES (100)")
            connection.execute("INSERT INTO pipe VALUES (1)")
            connection.execute("INSERT INTO pipe VALUES (101)")

    fails("23505", broken)
    connection.rollback()
    same(connection.execute("SELECT count(*) FROM pipe").fetchone(), (50,))


@check
def has_server_side_cursors(connection):
    connection.execute("CREATE TABLE series (id integer PRIMARY KEY, t text)")
    connection.commit()
    with connection.cursor() as cursor:
        with cursor.copy("COPY series FROM STDIN") as copy:
            for i in range(5000):
                copy.write_row((i, "t" * 20))
    connection.commit()
    with connection.cursor(name="own") as cursor:
        cursor.itersize = 700
        cursor.execute("SELECT id, t FROM series WHERE id >= %s ORDER BY id", (100,))
        same([column.name for column in cursor.description], ["id", "t"])
        same(cursor.fetchone(), (100, "t" * 20))
        same([row[0] for row in cursor.fetchmany(3)], [101, 102, 103])
        same([row[0] for row in cursor], list(range(104, 5000)))
        same(cursor.fetchall(), [])
    connection.commit()
    connection.read_only = True
    with connection.cursor(name="wide", binary=True) as cursor:
        cursor.execute("SELECT id FROM series ORDER BY id")
        same([row[0] for row in cursor.fetchmany(2)], [0, 1])
        cursor.scroll(10)
        same(cursor.fetchone(), (12,))
    connection.commit()
    connection.read_only = None


@check
def streams(connection):
    same([row for row in connection.cursor().stream("SELECT id FROM series WHERE id < %s ORDER BY id", (3,))], [(0,), (1,), (2,)])


@check
def copies(connection):
    connection.execute(
        "CREATE TABLE copied (id integer PRIMARY KEY, t text, n numeric(8, 2), d date, b bytea)")
    connection.commit()
    rows = [
        (1, "a\tb\\n", decimal.Decimal("1.50"), datetime.date(2024, 1, 2), b"\x00\x01"),
        (2, None, None, None, None),
        (3, "", decimal.Decimal("-0.25"), datetime.date(1, 1, 1), b""),
    ]
    with connection.cursor() as cursor:
        with cursor.copy("COPY copied FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
        same(cursor.rowcount, 3)
        with cursor.copy("COPY (SELECT * FROM copied ORDER BY id) TO STDOUT") as copy:
            copy.set_types(["int4", "text", "numeric", "date", "bytea"])
            same(list(copy.rows()), rows)
        cursor.execute("DELETE FROM copied")
        with cursor.copy("COPY copied FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(["int4", "text", "numeric", "date", "bytea"])
            for row in rows:
                copy.write_row(row)
        with cursor.copy("COPY copied TO STDOUT (FORMAT BINARY)") as copy:
            copy.set_types(["int4", "text", "numeric", "date", "bytea"])
            same(sorted(copy.rows()), rows)
    connection.commit()

    def broken():
        with connection.cursor().copy("COPY copied (id, t) FROM STDIN") as copy:
            copy.write("10\tx\nten\ty\n")

    error = fails("22P02", broken)
    assert "line 2" in (error.diag.context or ""), error.diag.context
    connection.rollback()
    same(connection.execute("SELECT count(*) FROM copied").fetchone(), (3,))


@check
def has_transactions(connection):
    connection.execute("CREATE TABLE t (id integer PRIMARY KEY)")
    connection.commit()
    with connection.transaction():
        connection.execute("INSERT INTO t VALUES (1)")
        try:
            with connection.transaction():
                connection.execute("INSERT INTO t VALUES (2)")
                raise ValueError("taken back")
        except ValueError:
            pass
        with connection.transaction("named"):
            connection.execute("INSERT INTO t VALUES (3)")
    same(connection.execute("SELECT id FROM t ORDER BY id").fetchall(), [(1,), (3,)])
    connection.rollback()
    for level in psycopg.IsolationLevel:
        connection.isolation_level = level
        connection.execute("SELECT count(*) FROM t")
        connection.commit()
    connection.isolation_level = None
    connection.read_only = True
    fails("25006", lambda: connection.execute("INSERT INTO t VALUES (9)"))
    connection.rollback()
    connection.read_only = None
    fails("42703", lambda: connection.execute("SELECT nothing FROM t"))
    same(connection.info.transaction_status, psycopg.pq.TransactionStatus.INERROR)
    fails("25P02", lambda: connection.execute("SELECT 1"))
    connection.rollback()
    same(connection.info.transaction_status, psycopg.pq.TransactionStatus.IDLE)


@check
def fails_where_another_was_faster(connection):
    connection.execute("CREATE TABLE counter (id integer PRIMARY KEY, n integer)")
    connection.execute("INSERT INTO counter VALUES (1, 0)")
    connection.commit()
    with psycopg.connect(DSN) as other:
        same(connection.execute("SELECT n FROM counter WHERE id = 1").fetchone(), (0,))
        other.execute("UPDATE counter SET n = 5 WHERE id = 1")
        other.commit()

        def late():
            connection.execute("UPDATE counter SET n = 1 WHERE id = 1")
            connection.commit()

        error = fails("40001", late)
        assert isinstance(error, psycopg.errors.SerializationFailure)
        connection.rollback()


@check
def tells_errors_with_their_fields(connection):
    connection.execute(
        "CREATE TABLE parent (id integer CONSTRAINT parent_key PRIMARY KEY, v integer NOT NULL CONSTRAINT positive CHECK (v > 0))")
    connection.execute(
        "CREATE TABLE child (id integer PRIMARY KEY, parent integer CONSTRAINT of_parent REFERENCES parent (id))")
    connection.execute("INSERT INTO parent VALUES (1, 1)")
    connection.commit()
    connection.autocommit = True
    error = fails("23505", lambda: connection.execute("INSERT INTO parent VALUES (1, 2)"))
    assert isinstance(error, psycopg.errors.UniqueViolation)
    same((error.diag.severity, error.diag.severity_nonlocalized), ("ERROR", "ERROR"))
    same((error.diag.schema_name, error.diag.table_name), ("public", "parent"))
    assert error.diag.constraint_name, error.diag.message_primary
    error = fails("23502", lambda: connection.execute("INSERT INTO parent VALUES (2, NULL)"))
    same((error.diag.table_name, error.diag.column_name), ("parent", "v"))
    error = fails("23514", lambda: connection.execute("INSERT INTO parent VALUES (2, 0)"))
    same(error.diag.constraint_name, "positive")
    error = fails("23503", lambda: connection.execute("INSERT INTO child VALUES (1, 7)"))
    same(error.diag.constraint_name, "of_parent")
    error = fails("42601", lambda: connection.execute("SELECT 1 FROM FROM parent"))
    same(error.diag.statement_position, "15")
    error = fails("42P01", lambda: connection.execute("SELECT * FROM nowhere"))
    same(error.diag.statement_position, "15")
    fails("22012", lambda: connection.execute("SELECT v / 0 FROM parent"))
    fails("22P02", lambda: connection.execute("SELECT * FROM parent WHERE id = %s", ("one",)))
    fails("22003", lambda: connection.execute("UPDATE parent SET v = 2147483647 + v"))
    connection.autocommit = False


@check
def hears_notices(connection):
    heard = []
    connection.add_notice_handler(lambda notice: heard.append((notice.severity, notice.sqlstate)))
    connection.autocommit = True
    connection.execute("COMMIT")
    connection.autocommit = False
    same(heard, [("WARNING", "25P01")])


@check
def writes_json_as_text(connection):
    connection.execute("CREATE TABLE document (id integer PRIMARY KEY, body text)")
    connection.commit()
    connection.execute("INSERT INTO document VALUES (1, %s)", (Json({"a": [1, None]}),))
    same(connection.execute("SELECT body FROM document").fetchone(), ('{"a": [1, null]}',))
    connection.commit()


@check
def keeps_documents(connection):
    connection.execute("CREATE TABLE keeping (id integer PRIMARY KEY, j json, b jsonb)")
    connection.commit()
    body = {"a": [1, None, 2.5], "b": {"c": "é"}}
    connection.execute("INSERT INTO keeping VALUES (1, %s, %s)", (Json(body), Jsonb(body)))
    for binary in (False, True):
        with connection.cursor(binary=binary) as cursor:
            cursor.execute("SELECT j, b, b -> 'b', b ->> 'x' FROM keeping WHERE b @> %s", (Jsonb({"a": [1]}),))
            same([column.type_code for column in cursor.description], [114, 3802, 3802, 25])
            same(cursor.fetchone(), (body, body, {"c": "é"}, None))
    same(connection.execute("SELECT b ? 'a', b -> 'a' ->> %s FROM keeping", ("x",)).fetchone(), (True, None))
    connection.execute("UPDATE keeping SET b = jsonb_set(b, '{b,c}', %s)", (Jsonb([1]),))
    same(connection.execute("SELECT b #>> '{b,c,0}' FROM keeping").fetchone(), ("1",))
    connection.commit()


@check
def computes_with_intervals(connection):
    day = datetime.timedelta(days=1)
    now, before, after = connection.execute("SELECT now(), now() - %s, now() + %s", (day, day)).fetchone()
    same((now - before, after - now), (day, day))
    same(connection.execute("SELECT now() - %s", (now,)).fetchone()[0] >= datetime.timedelta(0), True)
    same(connection.execute("SELECT %s * 3, %s > interval '23 hours'", (day, day)).fetchone(), (3 * day, True))
    same(
        connection.execute("SELECT timestamp '2024-03-01 12:00' - %s", (datetime.datetime(2024, 2, 1),)).fetchone(),
        (datetime.timedelta(days=29, hours=12),),
    )


@check
def binds_on_the_client(connection):
    with psycopg.ClientCursor(connection) as cursor:
        cursor.execute(
            "SELECT %s, %s, %s, %s",
            (1, "it's \\", decimal.Decimal("1.5"), datetime.date(2024, 2, 29)),
        )
        same(cursor.fetchone(), (1, "it's \\", decimal.Decimal("1.5"), datetime.date(2024, 2, 29)))
        cursor.execute("SELECT id FROM series WHERE id IN (%s, %s) ORDER BY id; SELECT 2", (1, 2))
        same(cursor.fetchall(), [(1,), (2,)])
        cursor.nextset()
        same(cursor.fetchall(), [(2,)])


@check
def calls_procedures(connection):
    connection.autocommit = True
    connection.execute("CREATE TABLE purse (id integer PRIMARY KEY, amount bigint NOT NULL)")
    connection.execute("CREATE PROCEDURE fill AS INSERT INTO purse VALUES (?, ?)")
    connection.execute("CREATE PROCEDURE purses AS SELECT id, amount FROM purse WHERE amount >= ? ORDER BY id")
    for prepare in (False, True):
        cursor = connection.execute("CALL fill(%s, %s)", (int(prepare), 7), prepare=prepare)
        same((cursor.description, cursor.statusmessage), (None, "CALL"))
        cursor = connection.execute("CALL purses(%s)", ("5",), prepare=prepare)
        same((cursor.description[1].name, cursor.statusmessage), ("amount", "CALL"))
        same(cursor.fetchall(), [(0, 7), (1, 7), (2, 8)][: 2 * int(prepare) + 1])
        same(connection.execute("SELECT * FROM purses(%s)", (5,), prepare=prepare).fetchone(), (0, 7))
        same(connection.execute("SELECT * FROM fill(%s, 8)", (int(prepare) + 2,), prepare=prepare).fetchall(), [(1,)])
    with psycopg.ClientCursor(connection) as cursor:
        cursor.execute("CALL fill(%s, %s)", (7, decimal.Decimal("9.0")))
        same(cursor.execute("SELECT * FROM purses(%s)", (9,)).fetchall(), [(7, 9)])
    connection.autocommit = False
    connection.execute("CALL fill(9, 9)")
    same(connection.execute("SELECT * FROM purses(9)").fetchall(), [(7, 9), (9, 9)])
    connection.rollback()
    same(connection.execute("CALL purses(9)").fetchall(), [(7, 9)])
    connection.rollback()


@check
def cancels(connection):
    is_over = threading.Event()

    def repeatedly():  # a cancel that comes before the query ends nothing
        while not is_over.wait(0.05):
            connection.cancel()

    canceller = threading.Thread(target=repeatedly)
    canceller.start()
    try:
        fails(
            "57014",
            lambda: connection.execute("SELECT count(*) FROM series a, series b, series c WHERE a.id + b.id + c.id > 20000"),
        )
    finally:
        is_over.set()
        canceller.join()
    connection.rollback()
    same(connection.execute("SELECT 1").fetchone(), (1,))


with psycopg.connect(DSN) as connection:

    def run(function):
        function(connection)
        connection.commit()

    def recover():
        connection.rollback()
        connection.autocommit = False
        connection.read_only = None
        connection.isolation_level = None

    status = main(run, recover)

sys.exit(status)
