"""Checks of programs that use psycopg 2."""

import datetime
import decimal
import io
import sys
import uuid

import psycopg2
import psycopg2.errorcodes
import psycopg2.extensions
import psycopg2.extras
from checks import DSN, check, fails, main, same


@check
def connects(connection, cursor):
    same(connection.encoding, "UTF8")
    same(connection.server_version // 10000, 15)
    cursor.execute("SELECT 1, 'a'")
    same(cursor.fetchone(), (1, "a"))


@check
def has_all_types(connection, cursor):
    psycopg2.extras.register_uuid()
    cursor.execute(
        "CREATE TABLE kinds (id integer PRIMARY KEY, b boolean, l bigint, d double precision, n numeric(20, 5), t text,"
        " x bytea, da date, ti time, ts timestamp, u uuid)")
    connection.commit()
    values = (
        1, True, -(2**63), 0.1, decimal.Decimal("-1.50000"), "it's \\ ü€😀\n", b"\x00\xff'\\", datetime.date(2024, 2, 29),
        datetime.time(23, 59, 59, 999_999), datetime.datetime(1969, 7, 20, 20, 17, 40, 123_456),
        uuid.UUID("0f0e0d0c-0b0a-0908-0706-050403020100"))
    nulls = (2,) + (None,) * (len(values) - 1)
    for row in (values, nulls):
        cursor.execute("INSERT INTO kinds VALUES (" + ", ".join(["%s"] * len(row)) + ")", row)
    cursor.execute("SELECT * FROM kinds ORDER BY id")
    found = [tuple(bytes(value) if isinstance(value, memoryview) else value for value in row) for row in cursor]
    same(found, [values, nulls])
    for place, name in enumerate(column.name for column in cursor.description):
        cursor.execute(f"SELECT id FROM kinds WHERE {name} = %s", (values[place],))
        same((name, cursor.fetchall()), (name, [(1,)]))
    connection.commit()


@check
def executes_many(connection, cursor):
    cursor.execute("CREATE TABLE many (id integer PRIMARY KEY, t text)")
    connection.commit()
    cursor.executemany("INSERT INTO many VALUES (%s, %s)", [(i, f"row {i}") for i in range(50)])
    psycopg2.extras.execute_values(cursor, "INSERT INTO many VALUES %s", [(i, f"row {i}") for i in range(50, 1050)])
    returned = psycopg2.extras.execute_values(
        cursor, "INSERT INTO many VALUES %s RETURNING id", [(2000, "a"), (2001, "b")], fetch=True)
    same(sorted(returned), [(2000,), (2001,)])
    psycopg2.extras.execute_batch(cursor, "UPDATE many SET t = %s WHERE id = %s", [("changed", i) for i in range(100)])
    connection.commit()
    cursor.execute("SELECT count(*), sum(CASE WHEN t = 'changed' THEN 1 ELSE 0 END) FROM many")
    same(cursor.fetchone(), (1052, 100))
    connection.commit()


@check
def has_server_side_cursors(connection, cursor):
    own = connection.cursor("own")
    own.itersize = 100
    own.execute("SELECT id FROM many WHERE id < %s ORDER BY id", (1000,))
    same(own.fetchone(), (0,))
    same(own.fetchmany(2), [(1,), (2,)])
    same([row[0] for row in own], list(range(3, 1000)))
    own.close()
    connection.commit()
    with connection.cursor("other", cursor_factory=psycopg2.extras.DictCursor) as other:
        other.execute("SELECT id, t FROM many ORDER BY id DESC")
        same(other.fetchone()["t"], "b")
        other.scroll(1)
        same(len(other.fetchall()), 1050)
    connection.commit()


@check
def copies(connection, cursor):
    cursor.execute("CREATE TABLE copied (id integer PRIMARY KEY, t text, n numeric(8, 2))")
    connection.commit()
    cursor.copy_from(io.StringIO("1\ta\t1.5\n2\t\\N\t\\N\n"), "copied")
    cursor.copy_expert("COPY copied (id, t) FROM STDIN WITH CSV HEADER", io.StringIO('id,t\n3,"c, ""d"""\n'))
    out = io.StringIO()
    cursor.copy_to(out, "copied", columns=("id", "n"))
    same(sorted(out.getvalue().splitlines()), ["1\t1.50", "2\t\\N", "3\t\\N"])
    out = io.StringIO()
    cursor.copy_expert("COPY (SELECT t FROM copied ORDER BY id) TO STDOUT CSV", out)
    same(out.getvalue(), 'a\n\n"c, ""d"""\n')
    connection.commit()


@check
def has_transactions(connection, cursor):
    with connection:
        with connection.cursor() as own:
            own.execute("CREATE TABLE t (id integer PRIMARY KEY)")
    try:
        with connection:
            with connection.cursor() as own:
                own.execute("INSERT INTO t VALUES (1)")
                raise ValueError("taken back")
    except ValueError:
        pass
    cursor.execute("SELECT count(*) FROM t")
    same(cursor.fetchone(), (0,))
    same(connection.get_transaction_status(), psycopg2.extensions.TRANSACTION_STATUS_INTRANS)
    connection.rollback()
    for level in ("READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"):
        connection.set_session(isolation_level=level)
        cursor.execute("SHOW transaction_isolation")
        same(cursor.fetchone(), (level.lower(),))
        connection.commit()
    connection.set_session(readonly=True)
    fails("25006", lambda: cursor.execute("INSERT INTO t VALUES (1)"))
    connection.rollback()
    connection.set_session(isolation_level="DEFAULT", readonly=False)
    connection.autocommit = True
    cursor.execute("INSERT INTO t VALUES (1)")
    connection.autocommit = False
    connection.rollback()
    cursor.execute("SELECT count(*) FROM t")
    same(cursor.fetchone(), (1,))
    connection.commit()


@check
def tells_errors_with_their_fields(connection, cursor):
    cursor.execute("CREATE TABLE guest (id integer PRIMARY KEY, age integer NOT NULL CONSTRAINT old CHECK (age > 17))")
    cursor.execute("INSERT INTO guest VALUES (1, 20)")
    connection.commit()
    connection.autocommit = True
    error = fails(psycopg2.errorcodes.UNIQUE_VIOLATION, lambda: cursor.execute("INSERT INTO guest VALUES (1, 30)"))
    assert isinstance(error, psycopg2.errors.UniqueViolation)
    same((error.diag.schema_name, error.diag.table_name), ("public", "guest"))
    assert error.diag.constraint_name
    error = fails(psycopg2.errorcodes.NOT_NULL_VIOLATION, lambda: cursor.execute("INSERT INTO guest VALUES (2, NULL)"))
    same(error.diag.column_name, "age")
    error = fails(psycopg2.errorcodes.CHECK_VIOLATION, lambda: cursor.execute("INSERT INTO guest VALUES (2, 3)"))
    same(error.diag.constraint_name, "old")
    error = fails(psycopg2.errorcodes.UNDEFINED_TABLE, lambda: cursor.execute("SELECT * FROM nowhere"))
    same(error.diag.statement_position, "15")
    fails(psycopg2.errorcodes.SYNTAX_ERROR, lambda: cursor.execute("SELEC 1"))
    connection.autocommit = False


@check
def has_lists_in_conditions(connection, cursor):
    cursor.execute("SELECT id FROM many WHERE id IN %s ORDER BY id", ((3, 1, 4711),))
    same(cursor.fetchall(), [(1,), (3,)])
    cursor.execute("SELECT id FROM many WHERE t IN %s ORDER BY id", (("row 500", "it's"),))
    same(cursor.fetchall(), [(500,)])
    connection.commit()


@check
def calls_procedures(connection, cursor):
    connection.autocommit = True
    cursor.execute("CREATE PROCEDURE both_of AS SELECT id, t FROM many WHERE id >= ? AND t = ? ORDER BY id")
    cursor.execute("CALL both_of(%s, %s)", (1, "it's"))
    same((cursor.description[0].name, cursor.statusmessage), ("id", "CALL"))
    cursor.fetchall()
    cursor.callproc("both_of", (500, "row 500"))
    same(cursor.fetchall(), [(500, "row 500")])
    connection.autocommit = False


connection = psycopg2.connect(DSN)


def run(function):
    with connection.cursor() as cursor:
        function(connection, cursor)
    connection.commit()


def recover():
    connection.rollback()
    connection.autocommit = False
    connection.set_session(isolation_level="DEFAULT", readonly=False)


status = main(run, recover)
connection.close()
sys.exit(status)
