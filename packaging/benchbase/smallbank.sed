# Each transaction looks its customers up by their names, and the list of customers never changes. Savings and checking
# accounts belong to their customer's id, by their primary keys.
/^CREATE TABLE accounts /,/^\);/s/^\);/) REPLICATED;/
