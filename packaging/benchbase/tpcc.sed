# Items are read with every order line and never change: each partition has all of them.
# The rest belongs to its warehouse, as its keys say;
# the history has no key, so its warehouse is named.
/^CREATE TABLE item /,/^\);/s/^\);/) REPLICATED;/
/^CREATE TABLE history /,/^\);/s/^\);/) PARTITION ON COLUMN h_c_w_id;/
