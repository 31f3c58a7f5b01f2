"""Checks of programs that use a driver of Python; prints a line for each, in TAP's form."""

import sys

DSN = f"host=127.0.0.1 port={sys.argv[1]} user=ann dbname=fulmar connect_timeout=10"
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def same(found, expected):
    if found != expected:
        raise AssertionError(f"{found!r} instead of {expected!r}")


def fails(state, action):
    try:
        action()
    except Exception as error:
        # psycopg 3 and 2 have a name each for the SQLSTATE.
        same(getattr(error, "sqlstate", None) or getattr(error, "pgcode", None) or error, state)
        return error
    raise AssertionError(f"no error, instead of one of SQLSTATE {state}")


def main(run, recover):
    """Runs all checks by run(check). After one that fails, recover() makes the connection as it was."""
    failures = 0
    for function in CHECKS:
        try:
            run(function)
            print(f"ok - {function.__name__}", flush=True)
        except Exception as error:
            failures += 1
            said = " ".join(f"{type(error).__name__}: {error}".split())
            print(f"not ok - {function.__name__}: {said}", flush=True)
            recover()
    print(f"1..{len(CHECKS)}", flush=True)
    return 1 if failures else 0
