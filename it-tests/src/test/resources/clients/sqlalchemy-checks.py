"""Checks of SQLAlchemy 2 over psycopg 3: tables made and reflected, expressions, the object-relational mapper."""

import datetime
import decimal
import sys
from typing import List, Optional

import sqlalchemy as sa
from checks import check, main, same
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship, selectinload

engine = sa.create_engine(f"postgresql+psycopg://ann@127.0.0.1:{sys.argv[1]}/fulmar")


class Base(DeclarativeBase):
    pass


class Customer(Base):
    __tablename__ = "customer"

    id: Mapped[int] = mapped_column(sa.BigInteger, sa.Identity(), primary_key=True)
    name: Mapped[str] = mapped_column(sa.String(40), unique=True)
    note: Mapped[Optional[str]] = mapped_column(sa.Text)
    version: Mapped[int] = mapped_column(default=0)
    purchases: Mapped[List["Purchase"]] = relationship(back_populates="customer", cascade="all, delete-orphan")

    __mapper_args__ = {"version_id_col": version}


class Purchase(Base):
    __tablename__ = "purchase"

    customer_id: Mapped[int] = mapped_column(sa.BigInteger, sa.ForeignKey("customer.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    amount: Mapped[decimal.Decimal] = mapped_column(sa.Numeric(12, 2))
    placed: Mapped[datetime.datetime] = mapped_column(sa.DateTime(timezone=True))
    customer: Mapped[Customer] = relationship(back_populates="purchases")

    __table_args__ = (sa.Index("purchase_by_time", "placed"),)


NOON = datetime.datetime(2026, 11, 29, 12, 0, tzinfo=datetime.timezone.utc)


@check
def makes_tables(connection):
    Base.metadata.create_all(engine)
    Base.metadata.create_all(engine)  # finds them
    same(sorted(sa.inspect(engine).get_table_names()), ["customer", "purchase"])


@check
def finds_objects(connection):
    inspector = sa.inspect(engine)
    same((inspector.has_table("customer"), inspector.has_table("nowhere")), (True, False))
    same(inspector.get_view_names(), [])
    same("public" in inspector.get_schema_names(), True)


@check
def reflects_columns(connection):
    columns = {each["name"]: each for each in sa.inspect(engine).get_columns("customer")}
    same(list(columns), ["id", "name", "note", "version"])
    same((str(columns["id"]["type"]), columns["id"]["nullable"], columns["id"]["identity"]["increment"]), ("BIGINT", False, 1))
    same((columns["name"]["type"].length, columns["name"]["nullable"], columns["note"]["nullable"]), (40, False, True))
    columns = {each["name"]: each for each in sa.inspect(engine).get_columns("purchase")}
    same((columns["amount"]["type"].precision, columns["amount"]["type"].scale), (12, 2))
    same(columns["placed"]["type"].timezone, True)


@check
def reflects_keys(connection):
    inspector = sa.inspect(engine)
    key = inspector.get_pk_constraint("purchase")
    same((key["name"], key["constrained_columns"]), ("purchase_pkey", ["customer_id", "number"]))
    reference = inspector.get_foreign_keys("purchase")[0]
    same(
        (reference["constrained_columns"], reference["referred_table"], reference["referred_columns"], reference["options"]),
        (["customer_id"], "customer", ["id"], {"ondelete": "CASCADE"}),
    )
    same([each["column_names"] for each in inspector.get_unique_constraints("customer")], [["name"]])
    same(inspector.get_check_constraints("customer"), [])


@check
def reflects_indexes(connection):
    indexes = {each["name"]: each for each in sa.inspect(engine).get_indexes("purchase")}
    same((indexes["purchase_by_time"]["column_names"], indexes["purchase_by_time"]["unique"]), (["placed"], False))


@check
def reflects_all(connection):
    metadata = sa.MetaData()
    metadata.reflect(engine)
    same(sorted(metadata.tables), ["customer", "purchase"])
    purchase = metadata.tables["purchase"]
    same([each.name for each in purchase.primary_key], ["customer_id", "number"])
    same([each.target_fullname for each in purchase.foreign_keys], ["customer.id"])


@check
def maps_objects(connection):
    with Session(engine) as session:
        ann = Customer(name="ann")
        ann.purchases = [Purchase(number=i, amount=decimal.Decimal(i) / 4, placed=NOON) for i in range(1, 5)]
        session.add_all([ann, Customer(name="bob", note="new")])
        session.commit()
        same(ann.id is not None, True)
    with Session(engine) as session:
        ann = session.scalars(sa.select(Customer).where(Customer.name == "ann").options(selectinload(Customer.purchases))).one()
        same(sorted(each.amount for each in ann.purchases)[-1], decimal.Decimal("1.00"))
        same(ann.purchases[0].placed, NOON)
        ann.note = "old"
        del ann.purchases[0]
        session.commit()
        same((ann.note, len(ann.purchases), ann.version), ("old", 3, 2))


@check
def refuses_the_second_of_two_changes(connection):
    with Session(engine) as one, Session(engine) as other:
        mine = one.scalars(sa.select(Customer).where(Customer.name == "bob")).one()
        one.rollback()
        mine_again = one.scalars(sa.select(Customer).where(Customer.name == "bob")).one()
        theirs = other.scalars(sa.select(Customer).where(Customer.name == "bob")).one()
        theirs.note = "theirs"
        other.commit()
        mine_again.note = "mine"
        try:
            one.commit()
            raise AssertionError("both changes were committed")
        except (sa.orm.exc.StaleDataError, sa.exc.OperationalError):
            one.rollback()
    same(mine is mine_again, True)


@check
def joins_groups_and_pages(connection):
    rows = connection.execute(
        sa.select(Customer.name, sa.func.count(Purchase.number), sa.func.sum(Purchase.amount))
        .outerjoin(Customer.purchases)
        .group_by(Customer.id)
        .order_by(Customer.name.desc())
        .limit(5)
        .offset(0)
    ).all()
    same([(row[0], row[1]) for row in rows], [("bob", 0), ("ann", 3)])
    total = sa.select(sa.func.sum(Purchase.amount)).where(Purchase.customer_id == Customer.id).scalar_subquery()
    same(
        connection.execute(sa.select(Customer.name).where(sa.func.coalesce(total, 0) > 1).order_by(Customer.name)).scalars().all(),
        ["ann"],
    )
    ranked = sa.select(
        Purchase.number, sa.func.row_number().over(partition_by=Purchase.customer_id, order_by=Purchase.amount.desc()).label("place")
    ).subquery()
    same(connection.execute(sa.select(ranked.c.number).where(ranked.c.place == 1)).scalars().all(), [4])
    same(
        connection.execute(sa.select(sa.case((Purchase.amount > 0.5, "much"), else_="little"), sa.cast(Purchase.number, sa.String))
                           .order_by(Purchase.number)).first()[1] is not None,
        True,
    )


@check
def inserts_many_and_updates(connection):
    customer = Customer.__table__
    connection.execute(sa.insert(customer), [{"name": f"many {i}", "version": 1} for i in range(200)])
    changed = connection.execute(
        sa.update(customer).where(customer.c.name.like("many 1%")).values(note=sa.func.upper(customer.c.name)).returning(customer.c.note)
    )
    same(len(changed.all()), 111)
    first = connection.execute(sa.select(sa.func.min(customer.c.id)).where(customer.c.name.like("many %"))).scalar()
    upsert = postgresql.insert(customer).values(id=first, name="many x", version=7)
    connection.execute(upsert.on_conflict_do_update(index_elements=["id"], set_={"version": upsert.excluded.version}))
    same(connection.execute(sa.select(customer.c.version).where(customer.c.id == first)).scalar(), 7)
    same(connection.execute(sa.delete(customer).where(customer.c.name.like("many %"))).rowcount, 200)
    connection.commit()


@check
def savepoints_and_errors(connection):
    with Session(engine) as session:
        session.add(Customer(name="carol"))
        session.flush()
        try:
            with session.begin_nested():
                session.add(Customer(name="ann"))
                session.flush()
        except sa.exc.IntegrityError as error:
            same(error.orig.sqlstate, "23505")
        session.commit()
    same(connection.execute(sa.select(sa.func.count()).select_from(Customer).where(Customer.name == "carol")).scalar(), 1)


@check
def drops_tables(connection):
    connection.rollback()
    Base.metadata.drop_all(engine)
    same(sa.inspect(engine).get_table_names(), [])


def run(function):
    with engine.connect() as connection:
        function(connection)


sys.exit(main(run, engine.dispose))
