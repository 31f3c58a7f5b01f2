create table usertable(
  k int not null primary key, f0 varchar(100), f1 varchar(100), f2 varchar(100), f3 varchar(100), f4 varchar(100),
  f5 varchar(100), f6 varchar(100), f7 varchar(100), f8 varchar(100), f9 varchar(100));
partition table usertable on column k;
create table warehouse(
  w int not null primary key, name varchar(30), street varchar(30), city varchar(30), st varchar(2), zip varchar(9),
  tax float, ytd bigint);
partition table warehouse on column w;
create table district(
  w int not null, d int not null, name varchar(30), street varchar(30), city varchar(30), st varchar(2),
  zip varchar(9), tax float, ytd bigint, nxt int, primary key (w, d));
partition table district on column w;
create table customer(
  w int not null, d int not null, c int not null, firstn varchar(30), mid varchar(2), lastn varchar(30),
  street varchar(30), city varchar(30), st varchar(2), zip varchar(9), phone varchar(16), since bigint,
  credit varchar(2), lim bigint, disc float, bal bigint, ytdpay bigint, pcnt int, dcnt int, data varchar(500),
  primary key (w, d, c));
partition table customer on column w;
create table item(i int not null primary key, im int, name varchar(30), price bigint, data varchar(50)) replicated;
create table stock(
  w int not null, i int not null, qty int, dist1 varchar(24), dist2 varchar(24), dist3 varchar(24),
  dist4 varchar(24), dist5 varchar(24), dist6 varchar(24), dist7 varchar(24), dist8 varchar(24), dist9 varchar(24),
  dist10 varchar(24), ytd bigint, cnt int, rcnt int, data varchar(50), primary key (w, i));
partition table stock on column w;
create table orders(
  w int not null, d int not null, o int not null, c int, t bigint, carrier int, n int, loc int,
  primary key (w, d, o));
partition table orders on column w;
create table new_order(w int not null, d int not null, o int not null, primary key (w, d, o));
partition table new_order on column w;
create table order_line(
  w int not null, d int not null, o int not null, l int not null, i int, sw int, q int, amt bigint,
  dist varchar(24), primary key (w, d, o, l));
partition table order_line on column w;
create table history(c int, d int, w int not null, hd int, hw int, t bigint, amt bigint, data varchar(100));
partition table history on column w;
